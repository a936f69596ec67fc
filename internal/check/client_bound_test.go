package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/scenarios/plan"
)

// TestWaits: how long a client keeps back a request, by its limiter and by what faults have it wait for.
func TestWaits(t *testing.T) {
	const s = time.Second
	twoASecond := &plan.Client{QPS: 2, Burst: 10, Retries: true}
	busy := &plan.Client{QPS: 2, Burst: 10, Other: []plan.Traffic{{At: s, Count: 4}, {At: 51 * s, Every: s, Count: 2}}}
	drawn := &plan.Client{QPS: 2, Burst: 10, Other: []plan.Traffic{{Every: s, Count: 1, Drawn: true}}}
	asked := plan.Fault{Kind: plan.FaultError, Status: 503, RetryAfter: new(9 * s)}
	for name, c := range map[string]struct {
		client *plan.Client
		fault  plan.Fault
		want   time.Duration
	}{
		"no client":             {nil, asked, 0},
		"its own requests":      {twoASecond, plan.Fault{Kind: plan.FaultPartition}, 2500 * time.Millisecond},
		"a Retry-After":         {&plan.Client{Retries: true}, asked, 9 * s},
		"that nobody heeds":     {&plan.Client{}, asked, 0},
		"a throttle":            {twoASecond, plan.Fault{Kind: plan.FaultThrottle}, 3500 * time.Millisecond},
		"others, 4 and 20":      {busy, plan.Fault{Kind: plan.FaultPartition}, 14500 * time.Millisecond},
		"others that are drawn": {drawn, plan.Fault{Kind: plan.FaultPartition}, plan.MaxDuration},
		"a fast clock":          {busy, plan.Fault{Kind: plan.FaultClock, DriftPPM: new(int64(1))}, time.Duration(float64(5+4+2*550) / 2 * float64(s))},
		"a reset":               {&plan.Client{}, plan.Fault{Kind: plan.FaultReset}, s},
		"a stall":               {&plan.Client{}, plan.Fault{Kind: plan.FaultStall}, 46 * s},
	} {
		p := &plan.Plan{Horizon: 60 * s, Candidates: []plan.Candidate{{Client: c.client}}, Faults: []plan.Fault{c.fault}}
		assert.Equal(t, c.want, waits(p, &p.Candidates[0]), name)
	}
}
