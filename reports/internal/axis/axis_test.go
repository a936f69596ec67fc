package axis

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCells: every instant lies in one column, and what touches in time touches in columns.
func TestCells(t *testing.T) {
	for _, horizon := range []int64{1, 7, 99, 100, 101, 1 << 40, 1<<63 - 1} {
		s := Scale{Horizon: horizon, Columns: 100}
		last := -1
		for i := range int64(8) {
			from, to := horizon/8*i, horizon/8*(i+1)
			if i == 7 {
				to = horizon
			}
			first, end := s.Cells(from, to)
			assert.LessOrEqual(t, first, last+1, "no gap")
			assert.GreaterOrEqual(t, first, max(last, 0), "at most a column is shared")
			assert.GreaterOrEqual(t, end, first)
			last = end
		}
		assert.Equal(t, 99, last)
		first, end := s.Cells(horizon, horizon)
		assert.Equal(t, []int{99, 99}, []int{first, end})
		first, end = s.Cells(0, 1<<63-1)
		assert.Equal(t, []int{0, 99}, []int{first, end})
	}
}
