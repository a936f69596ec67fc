package witness

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
)

// TestUndecidable: a leader that stands still while another one takes over may have been killed when it froze, or told to stop, which no log shows.
// One that reads the record twice afterwards still led.
func TestUndecidable(t *testing.T) {
	const frozen, thaws = 5 * time.Second, 25 * time.Second
	on := []string{"a"}
	still := plan.Fault{Kind: plan.FaultPause, At: frozen, Until: new(thaws), On: on}
	for name, test := range map[string]struct {
		faults []plan.Fault
		want   bool
	}{
		"it is restarted while it stands still": {[]plan.Fault{still, {Kind: plan.FaultRestart, At: thaws - time.Second, On: on}}, true},
		"it reads once, and is killed":          {[]plan.Fault{still, {Kind: plan.FaultCrash, At: thaws + 500*time.Microsecond, On: on}}, true},
		"it goes on reading":                    {[]plan.Fault{still, {Kind: plan.FaultCrash, At: thaws + 5*time.Second, On: on}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := cut(1)
			p.Faults = test.faults
			r, err := Play(1, p)
			require.NoError(t, err)
			l := NewLogs(r, &Habits{Level: RequestResponse, Verbosity: 2, Structured: true, Whole: true, Last: p.Horizon, Absent: make([]bool, 2), Cut: make([]time.Duration, 2)})
			truth := r.Truth()
			require.GreaterOrEqual(t, len(truth.Terms), 2)
			require.True(t, truth.overlap(0, 1))
			assert.Equal(t, test.want, l.Undecidable(0, 1))
		})
	}
}
