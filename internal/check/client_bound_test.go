package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestStarves: nothing says when a leader works where an attempt to acquire has to end before its client has tokens for it.
func TestStarves(t *testing.T) {
	slow := &plan.Client{QPS: 4, Burst: 1}
	for name, c := range map[string]struct {
		profile  machine.Profile
		lock     plan.Lock
		deadline time.Duration
		client   *plan.Client
		want     bool
	}{
		"as long as two tokens":           {machine.Strict, plan.Lease, 500 * time.Millisecond, slow, false},
		"shorter":                         {machine.Strict, plan.Lease, 500*time.Millisecond - 1, slow, true},
		"two objects, less than five":     {machine.Strict, plan.ConfigMapsLeases, 1250*time.Millisecond - 1, slow, true},
		"no limit":                        {machine.Strict, plan.Lease, 1, &plan.Client{Retries: true}, false},
		"no client":                       {machine.Strict, plan.Lease, 1, nil, false},
		"attempts that last as they want": {machine.ClientGo, plan.Lease, 1, slow, false},
	} {
		p := plan.Plan{Horizon: time.Minute, Candidates: []plan.Candidate{{Profile: c.profile, Lock: c.lock, Client: c.client,
			Timings: machine.Timings{LeaseDuration: 2 * time.Second, RenewDeadline: c.deadline, RetryPeriod: 1}}}}
		assert.Equal(t, c.want, Header(&p).Endless, name)
	}
}

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
		"its own requests":      {twoASecond, plan.Fault{Kind: plan.FaultPause}, 2500 * time.Millisecond},
		"a Retry-After":         {&plan.Client{Retries: true}, asked, 9 * s},
		"that nobody heeds":     {&plan.Client{}, asked, 0},
		"a throttle":            {twoASecond, plan.Fault{Kind: plan.FaultThrottle}, 3500 * time.Millisecond},
		"others, 4 and 20":      {busy, plan.Fault{Kind: plan.FaultPause}, 14500 * time.Millisecond},
		"others that are drawn": {drawn, plan.Fault{Kind: plan.FaultPartition}, plan.MaxDuration},
		"a fast clock":          {busy, plan.Fault{Kind: plan.FaultClock, DriftPPM: new(int64(1))}, time.Duration(float64(5+4+2*550) / 2 * float64(s))},
		"a reset":               {&plan.Client{}, plan.Fault{Kind: plan.FaultReset}, s},
		"a partition":           {&plan.Client{}, plan.Fault{Kind: plan.FaultPartition}, 76 * s},
		"some are lost":         {&plan.Client{}, plan.Fault{Kind: plan.FaultLose, Probability: new(0.5)}, 0},
		"a stall":               {&plan.Client{}, plan.Fault{Kind: plan.FaultStall}, 46 * s},
	} {
		p := &plan.Plan{Horizon: 60 * s, Candidates: []plan.Candidate{{Client: c.client}}, Faults: []plan.Fault{c.fault}}
		assert.Equal(t, c.want, waits(p, &p.Candidates[0]), name)
	}
}
