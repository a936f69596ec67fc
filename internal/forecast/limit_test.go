package forecast_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

// TestMaxWindows: no more windows are simulated than may be, however few these are; fewer than there are sorts are refused.
func TestMaxWindows(t *testing.T) {
	sorts := behaviour.Behaviour{Episodes: []behaviour.Episode{
		{Kind: behaviour.Outage, Every: time.Hour, Lasts: behaviour.Uniform(5*sec, 30*sec)},
		{Kind: behaviour.Crash, Every: time.Hour, Lasts: behaviour.Constant(sec), On: behaviour.One},
	}}
	a, b := asked(2, sorts), asked(2, sorts)
	b.Behaviour, b.Candidate.LeaseDuration = a.Behaviour, 30*sec
	for _, most := range few.Else([]int{15, 16, 100, 1001}, []int{15, 16, 100, 1001, 3205}) {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			c, err := forecast.Compare(t.Context(), []*forecast.Question{&a, &b}, &forecast.Options{Seed: 1, Precision: 1e-9, MaxWindows: most, Workers: 2})
			require.NoError(t, err)
			for _, f := range c.Forecasts {
				assert.Equal(t, most, f.Windows)
			}
			assert.Equal(t, c.Differences[1], c.Between(0, 1))
			back := c.Between(1, 0)
			assert.InDelta(t, -c.Differences[1].Losses.Value, back.Losses.Value, 1e-12)
		})
	}
	_, err := forecast.Run(t.Context(), &a, &forecast.Options{Seed: 1, Precision: 1, MaxWindows: 14, Workers: 1})
	require.EqualError(t, err, "14 windows at most: want 15 or more, one of each sort")
}
