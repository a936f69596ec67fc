package sim

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestErrorRules: the last in the file that matches the verb answers.
func TestErrorRules(t *testing.T) {
	all := func(status int) plan.Fault { return but(window(plan.FaultError, sec, 3*sec, "a"), answers(status)) }
	for name, c := range map[string]struct {
		faults []plan.Fault
		want   int16
	}{
		"all verbs":        {[]plan.Fault{all(504)}, 504},
		"its verb":         {[]plan.Fault{but(all(504), of(update))}, 504},
		"another's":        {[]plan.Fault{but(all(504), of(get)), but(all(504), of(create))}, 200},
		"last":             {[]plan.Fault{all(504), all(503)}, 503},
		"last of its verb": {[]plan.Fault{all(504), but(all(503), of(get))}, 504},
		"at arrival":       {[]plan.Fault{but(window(plan.FaultError, arrived, arrived+1, "a"), answers(500))}, 500},
		"not at sending":   {[]plan.Fault{but(window(plan.FaultError, sent, arrived, "a"), answers(500))}, 200},
		"nor at answer":    {[]plan.Fault{but(window(plan.FaultError, arrived+1, 3*sec, "a"), answers(500))}, 200},
		"everybody's":      {[]plan.Fault{but(window(plan.FaultError, sec, 3*sec), answers(429))}, 429},
	} {
		p := play(t, with(round(aPlan(5*sec, who("a", 0)), ms), c.faults...))
		for i := range p.events {
			if e := &p.events[i]; e.At == int64(due) && e.Kind == trace.ResponseHandled {
				assert.Equal(t, c.want, e.Status, name)
			}
		}
		assert.Equal(t, due, p.at("a", trace.ResponseHandled, update)[1], name)
	}
}

// TestErrorUnapplied: the store has not seen the request; the attempt goes on with a Get.
func TestErrorUnapplied(t *testing.T) {
	p := play(t, with(round(aPlan(3*sec, who("a", 0)), ms), but(window(plan.FaultError, sec, sent+ms+1, "a"), answers(504))))
	assert.Equal(t, lines(
		"2.006s a requestSent update",
		"2.007s a requestRefused update 504",
		"2.007000001s - faultEnded fault 0",
		"2.008s a responseHandled update 504",
		"2.008s a requestSent get",
		"2.009s a requestApplied get 200",
		"2.01s a responseHandled get 200",
		"2.01s a requestSent update",
		"2.011s a written update 200 v3 a",
		"2.012s a responseHandled update 200",
	), p.story(2*sec, 3*sec))
	assert.Equal(t, uint64(5), p.stats.StoreOps, "get, create, update; get, update")
}

// TestErrorApplied: the request was applied, and the candidate does not know. Its next Get shows its own write.
func TestErrorApplied(t *testing.T) {
	p := play(t, with(round(aPlan(3*sec, who("a", 0)), ms),
		but(window(plan.FaultError, sec, sent+ms+1, "a"), answers(504), applied)))
	assert.Equal(t, lines(
		"2.006s a requestSent update",
		"2.007s a written update 200 v3 a",
		"2.007s a requestRefused update 504",
		"2.007000001s - faultEnded fault 0",
		"2.008s a responseHandled update 504",
		"2.008s a requestSent get",
		"2.009s a requestApplied get 200",
		"2.01s a responseHandled get 200",
		"2.01s a requestSent update",
		"2.011s a requestApplied update 200", // the same renewTime: H16
		"2.012s a responseHandled update 200",
	), p.story(2*sec, 3*sec))
	assert.Equal(t, uint64(6), p.stats.StoreOps)
}

// TestErrorAppliedOnStaleVersion: the service checks the version first, and changes nothing.
func TestErrorAppliedOnStaleVersion(t *testing.T) {
	// b wins at 17 s: it saw the write of 0 s at 1 s. What a sent at 2 s is still under way.
	plan := with(aPlan(20*sec, who("a", 0), who("b", sec)),
		but(window(plan.FaultDelay, sec, 3*sec, "a"), request(16*sec)), // the renewal of 2 s arrives at 18 s
		but(window(plan.FaultError, 18*sec, 19*sec, "a"), answers(504), applied))
	p := play(t, plan)
	assert.Equal(t, lines(
		"18s - faultBegan fault 1",
		"18s a requestApplied update 409",
		"18s a requestRefused update 504",
		"18s a responseLate update",
	), p.story(17500*ms, 18500*ms))
	assert.Equal(t, 17*sec, p.at("b", trace.WorkStarted)[0])
	assert.Equal(t, []time.Duration{17 * sec, 19 * sec}, p.at("b", trace.Written), "and b renews as ever")
}

// TestCreateErrors: either nothing is created, or the object is created and the candidate finds itself in the record.
func TestCreateErrors(t *testing.T) {
	setup := func(f plan.Fault) *plan.Plan { return with(round(aPlan(5*sec, who("a", 0)), ms), f) }
	refused := but(window(plan.FaultError, 0, sec, "a"), answers(500), of(create))
	p := play(t, setup(refused))
	// Refused at 4 ms; again at 2.004 s (jitter 0): get, create; work at 2.008 s.
	assert.Equal(t, []time.Duration{2008 * ms}, p.at("a", trace.WorkStarted))
	assert.Equal(t, []time.Duration{2007 * ms}, p.at("a", trace.Written, create))

	p = play(t, setup(but(refused, applied)))
	// Created at 3 ms. At 2.004 s a Get shows its own name, which it takes as its own lease: an update.
	assert.Equal(t, []time.Duration{3 * ms}, p.at("a", trace.Written, create))
	assert.Equal(t, []time.Duration{2008 * ms}, p.at("a", trace.WorkStarted))
	assert.Equal(t, []time.Duration{2007 * ms}, p.at("a", trace.Written, update)[:1])
}

// TestStatusesThatMean: 404 to a Get is no object, and 409 to a release's update is a Conflict.
func TestStatusesThatMean(t *testing.T) {
	p := play(t, with(aPlan(3*sec, who("a", 0), who("b", sec)),
		but(window(plan.FaultError, sec, 2*sec, "b"), answers(http.StatusNotFound), of(get))))
	opens(t, p, sec,
		"1s - faultBegan fault 0",
		"1s b runStarted b",
		"1s b requestSent get",
		"1s b requestRefused get 404",
		"1s b responseHandled get 404",
		"1s b requestSent create",
		"1s b requestApplied create 409",
		"1s b responseHandled create 409")

	// a is cancelled at 1 s: Get, Update refused as a Conflict at 1.003 s; again from 1.004, 1.008 … s, and from
	// 2 s on the service is itself again: the update of 2.002 s arrives at 2.003 s.
	p = play(t, with(round(aPlan(3*sec, who("a", 0, releases)), ms),
		but(window(plan.FaultError, sec, 2*sec, "a"), answers(http.StatusConflict), of(update)),
		fault(plan.FaultCancel, sec, "a")))
	assert.Len(t, p.at("a", trace.RequestRefused), 250)
	assert.Equal(t, []time.Duration{2004 * ms}, p.at("a", trace.RunReturned))

	// Any other error ends it.
	p = play(t, with(round(aPlan(3*sec, who("a", 0, releases)), ms),
		but(window(plan.FaultError, sec, 2*sec, "a"), answers(500), of(update)), fault(plan.FaultCancel, sec, "a")))
	assert.Equal(t, []time.Duration{1004 * ms}, p.at("a", trace.RunReturned))
}

// TestVerbs are those of requests: none is all three.
func TestVerbs(t *testing.T) {
	for verb, want := range map[machine.Verb]int{0: 3, get: 1, create: 1, update: 1} {
		// A Get and a Create by which a begins, and its first renewal, at 4 ms.
		p := play(t, with(round(aPlan(5*ms+1, who("a", 0)), ms), but(fault(plan.FaultError, 0, "a"), answers(404), of(verb))))
		refused := len(p.at("a", trace.RequestRefused))
		if verb == 0 {
			want = 2 // the Create is refused, so there is no renewal
		}
		assert.Equal(t, want, refused, "%v", verb)
	}
}
