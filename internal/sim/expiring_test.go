package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

func onKey(c *plan.Candidate) { c.Lock = plan.KVTTL }
func onRow(c *plan.Candidate) { c.Lock = plan.SQLTTL }

func strictly(c *plan.Candidate) { c.Profile = machine.Strict }

// keyPlan is a, who leads from the start, and b, who watches.
func keyPlan(horizon time.Duration, changes ...func(*plan.Candidate)) *plan.Plan {
	changes = append(changes, onKey)
	return round(aPlan(horizon, who("a", 0, changes...), who("b", sec, changes...)), ms)
}

// TestExpiryIsAnEvent: a leader dies after its refresh of 4.005 s. Its key is gone 15 s later, at that instant, and
// watchers hear of it a message later. The expiry that was due before the refreshes does nothing.
func TestExpiryIsAnEvent(t *testing.T) {
	p := play(t, with(keyPlan(20*sec), fault(plan.FaultCrash, 5*sec, "a")))
	require.Equal(t, lines(
		"19.007s - expired fault 0",
		"19.008s b responseHandled watch 200",
		"19.008s b requestSent get",
		"19.009s b requestApplied get 404",
		"19.01s b responseHandled get 404",
		"19.01s b requestSent create",
		"19.011s b written create 201 v3 b",
		"19.012s b responseHandled create 201",
		"19.012s b workStarted term 1",
	), p.story(17*sec, 19500*ms))
}

// TestExpiryBeforeARequest: a request that arrives at the instant of expiry finds the key gone, whichever was
// scheduled first.
func TestExpiryBeforeARequest(t *testing.T) {
	p := play(t, with(keyPlan(40*sec),
		but(window(plan.FaultDelay, 1500*ms, 3*sec, "a"), request(13*sec+ms)),
	))
	require.Contains(t, p.story(15*sec, 15100*ms), "15.003s - expired fault 0\n")
	for i := range p.events {
		if e := &p.events[i]; e.Verb == trace.Refresh && e.At >= int64(15*sec) && e.Kind == trace.RequestApplied {
			require.EqualValues(t, 409, e.Status)
			return
		}
	}
	require.Fail(t, "no refresh came late")
}

// TestLostWatch: a candidate that has lost the answer of a watch looks again one leaseDuration after its last look.
func TestLostWatch(t *testing.T) {
	for _, f := range []plan.Fault{
		but(window(plan.FaultLose, 19*sec, 20*sec, "b"), lost(plan.ResponseLeg)), // the answer
		window(plan.FaultLose, 500*ms, 1500*ms, "b"),                             // all that b sends at first: its get too
	} {
		p := play(t, with(keyPlan(60*sec, strictly), fault(plan.FaultCrash, 5*sec, "a"), f))
		started := p.at("b", trace.WorkStarted)
		if assert.Len(t, started, 1) {
			assert.LessOrEqual(t, started[0], 19*sec+15*sec+2*sec)
		}
	}
}

// TestLostLook: without a request timeout a candidate waits for a lost answer to its look for ever, whatever a watch tells
// meanwhile; with strict until renewDeadline has passed.
func TestLostLook(t *testing.T) {
	lost := func(changes ...func(*plan.Candidate)) []time.Duration {
		return play(t, with(keyPlan(90*sec, changes...),
			fault(plan.FaultCrash, 17*sec, "a"), window(plan.FaultLose, 15*sec, 17*sec, "b"))).at("b", trace.WorkStarted)
	}
	assert.Empty(t, lost())
	assert.Len(t, lost(timeout(sec)), 1)
	assert.Len(t, lost(strictly), 1)
}

// TestWatchIsRefused: an error ends a watch, also one that says that it was applied, since there is nothing to apply.
func TestWatchIsRefused(t *testing.T) {
	p := play(t, with(keyPlan(6*sec), but(fault(plan.FaultError, 0, "b"), answers(503), of(machine.Watch), applied)))
	require.Equal(t, lines(
		"1s b runStarted b",
		"1s b requestSent get",
		"1.001s b requestApplied get 200",
		"1.002s b responseHandled get 200",
		"1.002s b requestSent watch",
		"1.003s b requestRefused watch 503",
		"1.004s b responseHandled watch 503",
	), p.story(sec, 1999*ms))
	assert.Contains(t, p.story(3*sec, 3500*ms), "3.004s b requestSent get", "without a watch it looks every retryPeriod")
}

// TestWatchOfTheGone: a watch that nobody waits for any more is answered all the same, when the key changes.
func TestWatchOfTheGone(t *testing.T) {
	p := play(t, with(keyPlan(30*sec), fault(plan.FaultCrash, 3*sec, "b"), fault(plan.FaultCrash, 5*sec, "a")))
	require.Equal(t, lines(
		"19.007s - expired fault 0",
		"19.008s b responseLate watch",
	), p.story(6*sec, 30*sec))
}

// TestFrozenWatcher hears what it was told when it wakes.
func TestFrozenWatcher(t *testing.T) {
	p := play(t, with(keyPlan(30*sec), fault(plan.FaultCrash, 5*sec, "a"), window(plan.FaultPause, 18*sec, 25*sec, "b")))
	require.Equal(t, lines(
		"19.007s - expired fault 0",
		"25s - faultEnded fault 1",
		"25s b resumed",
		"25s b responseHandled watch 200",
		"25s b requestSent get",
	), p.story(18001*ms, 25*sec))
}

// TestRestartOwnsNothing: a new process of the same name waits for the entry of the old one to run out; the same process
// takes its own again at once.
func TestRestartOwnsNothing(t *testing.T) {
	p := play(t, with(round(aPlan(40*sec, who("a", 0, onKey)), ms), fault(plan.FaultRestart, 5*sec, "a")))
	require.Equal(t, []time.Duration{4 * ms, 19*sec + 12*ms}, p.at("a", trace.WorkStarted))
	p = play(t, with(round(aPlan(40*sec, who("a", 0, onKey, rejoins(sec))), ms), fault(plan.FaultCancel, 5*sec, "a")))
	require.Equal(t, []time.Duration{4 * ms, 6*sec + 4*ms}, p.at("a", trace.WorkStarted))
}

// TestDeletedKey: watchers are told, and the leader's next refresh is refused.
func TestDeletedKey(t *testing.T) {
	p := play(t, with(keyPlan(20*sec), fault(plan.FaultDelete, 5*sec)))
	require.Equal(t, lines(
		"5s - faultBegan fault 0",
		"5s - deleted fault 0",
		"5.001s b responseHandled watch 200",
		"5.001s b requestSent get",
		"5.002s b requestApplied get 404",
		"5.003s b responseHandled get 404",
		"5.003s b requestSent create",
		"5.004s b written create 201 v3 b",
		"5.005s b responseHandled create 201",
		"5.005s b workStarted term 1",
		"6.008s a requestSent refresh",
		"6.009s a requestApplied refresh 409",
		"6.01s a responseHandled refresh 409",
		"6.01s a workCancelled term 1",
		"6.01s a workEnded term 1",
		"6.01s a stopped term 1",
		"6.01s a runReturned",
	), p.story(5*sec, 6500*ms))
}

// TestServiceClock: a key counts by the rate of the service's clock, and not by the time that this clock shows. A row
// counts by the time that it shows, where the database's now decides.
func TestServiceClock(t *testing.T) {
	expired := func(p *plan.Plan) time.Duration { return play(t, p).at("-", trace.Expired)[0] }
	crashed := func() *plan.Plan { return with(keyPlan(40*sec), fault(plan.FaultCrash, 3*sec, "a")) }
	last := 2*sec + 5*ms
	require.Equal(t, last+15*sec, expired(crashed()))
	require.Equal(t, last+15*sec, expired(with(crashed(), but(fault(plan.FaultClock, 4*sec, plan.ServiceName), jumps(time.Hour)))))
	p := crashed()
	p.Service.DriftPPM = 1_000_000
	require.Equal(t, last+15*sec/2, expired(p))
	require.Equal(t, 10*sec+(15*sec-(10*sec-last))/2,
		expired(with(crashed(), but(fault(plan.FaultClock, 10*sec, plan.ServiceName), drifts(1_000_000)))))
	require.Equal(t, 10*sec+(15*sec-(10*sec-last))*2,
		expired(with(crashed(), but(fault(plan.FaultClock, 10*sec, plan.ServiceName), drifts(-500_000)))))

	row := func(now plan.Now) *plan.Plan {
		byNow := func(c *plan.Candidate) { c.Now = now }
		return with(round(aPlan(40*sec, who("a", 0, onRow, byNow), who("b", sec, onRow, byNow)), ms),
			fault(plan.FaultCrash, 3*sec, "a"), but(fault(plan.FaultClock, 4*sec, plan.ServiceName), jumps(time.Hour)))
	}
	require.Less(t, play(t, row(plan.DatabaseNow)).at("b", trace.WorkStarted)[0], 7*sec)
	require.Greater(t, play(t, row(plan.CallerNow)).at("b", trace.WorkStarted)[0], last+15*sec)
}

// TestRowCannotBeWatched: nothing is sent to find out, and the candidate looks every retryPeriod.
func TestRowCannotBeWatched(t *testing.T) {
	p := play(t, round(aPlan(4*sec, who("a", 0, onRow), who("b", sec, onRow)), ms))
	require.Equal(t, lines(
		"0s a runStarted a",
		"0s a requestSent get",
		"1ms a requestApplied get 404",
		"2ms a responseHandled get 404",
		"2ms a requestSent create",
		"3ms a written create 201 v946684800002000 a",
		"4ms a responseHandled create 201",
		"4ms a workStarted term 1",
		"1s b runStarted b",
		"1s b requestSent get",
		"1.001s b requestApplied get 200",
		"1.002s b responseHandled get 200",
		"2.004s a requestSent refresh",
		"2.005s a written refresh 200 v946684800002000 a",
		"2.006s a responseHandled refresh 200",
		"3.002s b requestSent get",
		"3.003s b requestApplied get 200",
		"3.004s b responseHandled get 200",
	), p.story(0, 4*sec))
}

// TestStrictCountsFromTheRequest: with strict all that the entry counts for is over renewDeadline after it was asked for.
func TestStrictCountsFromTheRequest(t *testing.T) {
	cut := func(changes ...func(*plan.Candidate)) time.Duration {
		p := with(keyPlan(40*sec, changes...), but(window(plan.FaultDelay, 3*sec, 5*sec, "a"), response(5*sec)), fault(plan.FaultPartition, 5*sec, "a"))
		return play(t, p).at("a", trace.WorkCancelled)[0]
	}
	require.Equal(t, 4*sec+6*ms+ms+5*sec+10*sec, cut(), "what was sent at 4.006 s was answered 5.001 s later")
	require.Equal(t, 4*sec+2*ms+10*sec, cut(strictly))
}
