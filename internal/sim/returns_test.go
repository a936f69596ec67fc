package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// returns has OnStartedLeading return that long after its call, with client-go-next and a release: its return gives the
// lock up.
func returns(after time.Duration) func(*plan.Candidate) {
	return func(c *plan.Candidate) {
		c.Profile, c.ReleaseOnCancel, c.ReturnsAfter = machine.ClientGoNext, true, after
	}
}

// TestReturnsAfter: on the candidate's clock, not while it is frozen, once for each call, and never after a crash.
func TestReturnsAfter(t *testing.T) {
	pause := window(plan.FaultPause, 3*sec, 8*sec, "a")
	for name, c := range map[string]struct {
		p    *plan.Plan
		want []time.Duration
	}{
		"true time": {aPlan(60*sec, who("a", 0, returns(5*sec))), []time.Duration{5 * sec}},
		"slow":      {aPlan(60*sec, who("a", 0, returns(5*sec), drift(-500_000))), []time.Duration{10 * sec}},
		"frozen":    {with(aPlan(60*sec, who("a", 0, returns(5*sec))), pause), []time.Duration{8 * sec}},
		"again":     {aPlan(15*sec, who("a", 0, returns(5*sec), rejoins(sec))), []time.Duration{5 * sec, 11 * sec}},
		"crashed":   {with(aPlan(60*sec, who("a", 0, returns(5*sec))), fault(plan.FaultCrash, 4*sec, "a")), nil},
		"cancelled": {with(aPlan(60*sec, who("a", 0, returns(5*sec))), fault(plan.FaultCancel, 4*sec, "a")), []time.Duration{4 * sec}},
		// It goes on renewing for a second, and returns before its work is over.
		"drains": {with(aPlan(60*sec, who("a", 0, returns(5*sec), drains(9*sec))), fault(plan.FaultCancel, 4*sec, "a")),
			[]time.Duration{5 * sec}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, play(t, c.p).at("a", trace.RunReturned)) })
	}
	p := play(t, with(aPlan(60*sec, who("a", 0, returns(5*sec), drains(9*sec))), fault(plan.FaultCancel, 4*sec, "a")))
	assert.Equal(t, []time.Duration{13 * sec}, p.at("a", trace.WorkEnded))
}
