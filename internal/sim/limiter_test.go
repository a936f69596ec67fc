package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

func limits(d time.Duration, at, until time.Duration, on ...string) plan.Fault {
	f := window(plan.FaultDelay, at, until, on...)
	f.Limiter = d
	return f
}

// TestLimiter: the second renewal, at 2.006 s, waits in the client's limiter, and its timeout starts when it leaves.
func TestLimiter(t *testing.T) {
	renewal := limits(sec, sent, sent+1, "a")
	for name, c := range map[string]struct {
		plan *plan.Plan
		kind trace.Kind
		want time.Duration
	}{
		"leaves later":  {with(aPlan(10*sec, who("a", 0)), renewal), trace.RequestSent, 3006 * ms},
		"is answered":   {with(aPlan(10*sec, who("a", 0, timeout(500*ms))), renewal), trace.ResponseHandled, 3008 * ms},
		"a fast clock":  {with(aPlan(10*sec, who("a", 0)), but(fault(plan.FaultClock, sent-1, "a"), drifts(1_000_000)), renewal), trace.RequestSent, 2506 * ms},
		"its timeout":   {with(aPlan(10*sec, who("a", 0, timeout(500*ms))), renewal, window(plan.FaultPartition, 3*sec, 9*sec, "a")), trace.GaveUp, 3506 * ms},
		"is frozen":     {with(aPlan(10*sec, who("a", 0)), renewal, window(plan.FaultPause, 2500*ms, 5*sec, "a")), trace.RequestSent, 5 * sec},
		"the last rule": {with(aPlan(10*sec, who("a", 0)), renewal, limits(2*sec, sent, sent+1)), trace.RequestSent, 4006 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, round(c.plan, ms))
			for _, at := range p.at("a", c.kind, update) {
				if at >= 2006*ms {
					assert.Equal(t, c.want, at)
					return
				}
			}
			assert.Fail(t, "did not happen")
		})
	}
}

// TestLimiterContext: a request whose context ends while it waits is never sent. Neither is one of a process that crashes.
func TestLimiterContext(t *testing.T) {
	for name, f := range map[string]plan.Fault{
		"deadline": fault(plan.FaultClock, 59*sec, "a"), "cancel": fault(plan.FaultCancel, 3*sec, "a"), "crash": fault(plan.FaultCrash, 3*sec, "a"),
	} {
		t.Run(name, func(t *testing.T) {
			if f.Kind == plan.FaultClock {
				f = but(f, jumps(sec))
			}
			p := play(t, with(round(aPlan(60*sec, who("a", 0)), ms), limits(15*sec, sent, sent+1, "a"), f))
			sentAt := p.at("a", trace.RequestSent, update)
			assert.Less(t, sentAt[len(sentAt)-1], sent)
			ended := p.at("a", trace.WorkEnded)
			want := 3 * sec
			if name == "deadline" {
				want = sent + 10*sec
			}
			assert.Equal(t, []time.Duration{want}, ended)
		})
	}
}
