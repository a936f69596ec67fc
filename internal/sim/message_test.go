package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// second returns what becomes of a's second renewal. It is sent at 2.006 s, arrives at 2.007 s, and its answer is due
// at 2.008 s.
func second(t *testing.T, faults ...plan.Fault) string {
	p := play(t, with(round(aPlan(60*sec, who("a", 0)), ms), faults...))
	for i := range p.events {
		e := &p.events[i]
		at := time.Duration(e.At).String()
		switch {
		case e.At < 2.006e9 || e.Verb != trace.Verb(update):
		case e.Kind == trace.RequestLost:
			return "lost on its way out"
		case e.Kind == trace.ResponseLost:
			return "lost on its way back"
		case e.Kind == trace.RequestRefused:
			return "refused at " + at
		case e.Kind == trace.Written && e.At != 2.007e9:
			return "arrived at " + at
		case e.Kind == trace.ResponseHandled:
			return "answered at " + at
		case e.Kind == trace.GaveUp:
			return "given up at " + at
		}
	}
	return "nothing"
}

const (
	sent    = 2006 * ms
	arrived = 2007 * ms
	due     = 2008 * ms
)

// TestWindowEdges: what is in force at sending decides the way out, at arrival the way back; [at, until).
func TestWindowEdges(t *testing.T) {
	fine, out, back := "answered at 2.008s", "lost on its way out", "lost on its way back"
	for _, c := range []struct {
		at, until time.Duration
		want      string
	}{
		{sent, sent + 1, out},
		{sent - 1, sent, fine},
		{sent + 1, arrived, fine},
		{arrived, arrived + 1, back},
		{arrived - 1, arrived, fine},
		{arrived + 1, due + 1, fine}, // under way, it is not lost any more
		{sent + 1, arrived + 1, back},
		{0, sent, "nothing"}, // not even the lock was created
		{sec, sent + 1, out},
	} {
		got := second(t, window(plan.FaultPartition, c.at, c.until, "a"))
		if c.want == "nothing" {
			assert.NotEqual(t, fine, got)
			continue
		}
		assert.Equal(t, c.want, got, "[%v, %v)", c.at, c.until)
	}
}

// TestLossRules: an outage is a partition of everybody, a lose one of either leg or both.
func TestLossRules(t *testing.T) {
	fine, out, back := "answered at 2.008s", "lost on its way out", "lost on its way back"
	all := func(k plan.FaultKind, on ...string) plan.Fault { return window(k, sec, 3*sec, on...) }
	for name, c := range map[string]struct {
		faults []plan.Fault
		want   string
	}{
		"outage":                {[]plan.Fault{all(plan.FaultOutage)}, out},
		"outage at arrival":     {[]plan.Fault{window(plan.FaultOutage, arrived, arrived+1)}, back},
		"everybody's partition": {[]plan.Fault{all(plan.FaultPartition)}, out},
		"leader's":              {[]plan.Fault{all(plan.FaultPartition, plan.RoleLeader)}, out},
		"lose both":             {[]plan.Fault{all(plan.FaultLose, "a")}, out},
		"lose request":          {[]plan.Fault{but(all(plan.FaultLose, "a"), lost(plan.RequestLeg))}, out},
		"lose response":         {[]plan.Fault{but(all(plan.FaultLose, "a"), lost(plan.ResponseLeg))}, back},
		"never":                 {[]plan.Fault{but(all(plan.FaultLose, "a"), withChance(0))}, fine},
		"always":                {[]plan.Fault{but(all(plan.FaultLose, "a"), withChance(1))}, out},
		// Of one kind the last in the file wins …
		"last is never":  {[]plan.Fault{all(plan.FaultLose, "a"), but(all(plan.FaultLose, "a"), withChance(0))}, fine},
		"last is always": {[]plan.Fault{but(all(plan.FaultLose, "a"), withChance(0)), all(plan.FaultLose, "a")}, out},
		// … that matches: one for the other leg does not.
		"last is of the other leg": {[]plan.Fault{all(plan.FaultLose, "a"),
			but(all(plan.FaultLose, "a"), lost(plan.ResponseLeg), withChance(0))}, out},
		// Any loss is a loss.
		"partition, lose never": {[]plan.Fault{all(plan.FaultPartition, "a"), but(all(plan.FaultLose, "a"), withChance(0))}, out},
		"lose never, outage":    {[]plan.Fault{but(all(plan.FaultLose, "a"), withChance(0)), all(plan.FaultOutage)}, out},
		"lose, delay":           {[]plan.Fault{all(plan.FaultLose, "a"), but(all(plan.FaultDelay, "a"), request(sec))}, out},
		"delay, lose":           {[]plan.Fault{but(all(plan.FaultDelay, "a"), request(sec)), all(plan.FaultLose, "a")}, out},
		"partition loses errors": {[]plan.Fault{but(all(plan.FaultError, "a"), answers(504)),
			window(plan.FaultPartition, arrived, 3*sec, "a")}, "refused at 2.007s"},
	} {
		assert.Equal(t, c.want, second(t, c.faults...), name)
	}
}

// TestDelayRules: of several the last in the file that names the leg wins.
func TestDelayRules(t *testing.T) {
	all := func(on ...string) plan.Fault { return window(plan.FaultDelay, sec, 3*sec, on...) }
	for name, c := range map[string]struct {
		faults []plan.Fault
		want   string
	}{
		"request":        {[]plan.Fault{but(all("a"), request(5*ms))}, "arrived at 2.011s"},
		"response":       {[]plan.Fault{but(all("a"), response(5*ms))}, "answered at 2.012s"},
		"no time at all": {[]plan.Fault{but(all("a"), response(0))}, "answered at 2.007s"},
		"last wins": {[]plan.Fault{but(all("a"), response(5*ms)), but(all("a"), response(7*ms))},
			"answered at 2.014s"},
		"though it began before": {[]plan.Fault{but(window(plan.FaultDelay, 2*sec, 3*sec, "a"), response(5*ms)),
			but(all("a"), response(7*ms))}, "answered at 2.014s"},
		"of those of its leg": {[]plan.Fault{but(all("a"), response(5*ms)), but(all("a"), request(ms))},
			"answered at 2.012s"},
		"of those on it": {[]plan.Fault{but(all("a"), response(5*ms)), but(all(plan.RoleFollower), response(7*ms))},
			"answered at 2.012s"},
		"everybody's": {[]plan.Fault{but(all("a"), response(5*ms)), but(all(), response(7*ms))},
			"answered at 2.014s"},
		"at its send": {[]plan.Fault{but(window(plan.FaultDelay, sent, sent+1, "a"), request(9*ms))},
			"arrived at 2.015s"},
		"not at its arrival": {
			[]plan.Fault{but(window(plan.FaultDelay, sent+1, arrived, "a"), response(9*ms), request(sec))}, "answered at 2.008s"},
		"at its arrival": {
			[]plan.Fault{but(window(plan.FaultDelay, arrived, arrived+1, "a"), response(9*ms), request(sec))}, "answered at 2.016s"},
		"the next rule down, once the last is over": {
			[]plan.Fault{but(all("a"), response(5*ms)), but(window(plan.FaultDelay, sec, arrived, "a"), response(7*ms))},
			"answered at 2.012s"},
	} {
		assert.Equal(t, c.want, second(t, c.faults...), name)
	}
}

// TestRulesAreOfTheirCandidate: others' messages pass.
func TestRulesAreOfTheirCandidate(t *testing.T) {
	p := play(t, with(aPlan(10*sec, who("a", 0), who("b", sec), who("c", 1500*ms)),
		fault(plan.FaultPartition, 2500*ms, "b"), but(fault(plan.FaultDelay, 2500*ms, "c"), response(100*ms))))
	assert.Len(t, p.at("a", trace.ResponseHandled, update), 5) // 0, 2, 4, 6 and 8 s
	assert.Equal(t, []time.Duration{3 * sec}, p.at("b", trace.RequestLost))
	assert.Equal(t, []time.Duration{1500 * ms, 3600 * ms, 5700 * ms, 7800 * ms, 9900 * ms},
		p.at("c", trace.ResponseHandled))
}

// TestUniformDelay stays within its bounds, both included, and differs from message to message.
func TestUniformDelay(t *testing.T) {
	setup := aPlan(time.Hour, who("a", 0))
	setup.Network = plan.Network{Request: plan.Delay{Min: 3, Max: 6}, Response: fixed(ms)}
	p := play(t, setup)
	seen := map[int64]int{}
	for i := range p.events {
		if e := &p.events[i]; e.Kind == trace.RequestSent {
			seen[e.Amount]++
		}
	}
	assert.Len(t, seen, 4)
	for ns := int64(3); ns <= 6; ns++ {
		assert.InDelta(t, 450, seen[ns], 100, "of about 1,800")
	}
	// A rule with bounds, too.
	with(setup, but(fault(plan.FaultDelay, 30*time.Minute, "a"), requestIn(100, 101)))
	for _, e := range play(t, setup).events {
		if e.Kind == trace.RequestSent && e.At > int64(30*time.Minute) {
			assert.Contains(t, []int64{100, 101}, e.Amount)
		}
	}
}

// TestProbability: about a third of the answers.
func TestProbability(t *testing.T) {
	plan := with(aPlan(2*time.Hour, who("a", 0, timeout(sec))), but(fault(plan.FaultLose, sec, "a"), lost(plan.ResponseLeg), withChance(0.3)))
	p := play(t, plan)
	all := len(p.at("a", trace.Written)) + len(p.at("a", trace.RequestApplied))
	assert.InDelta(t, 0.3, float64(len(p.at("a", trace.ResponseLost)))/float64(all), 0.03)
	assert.Empty(t, p.at("a", trace.RequestLost))
}
