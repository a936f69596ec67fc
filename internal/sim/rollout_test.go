package sim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/fate"
	"interregnum/internal/few"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// rolled has the old candidates a, b … replaced by as many named A, B … at 30 s, when a leads.
func rolled(pods int, change func(*plan.Rollout), some ...func(*plan.Candidate)) *plan.Plan {
	f := plan.Fault{Kind: plan.FaultRollout, At: 30 * sec, Rollout: plan.Rollout{Startup: 5 * sec}}
	var all []plan.Candidate
	for i := range pods {
		f.On = append(f.On, string(rune('a'+i)))
		all = append(all, who(f.On[i], time.Duration(i)*100*ms, some...))
	}
	for _, id := range f.On {
		f.To = append(f.To, strings.ToUpper(id))
		all = append(all, who(strings.ToUpper(id), 0, some...))
	}
	change(&f.Rollout)
	return with(aPlan(5*time.Minute, all...), f)
}

// steps returns what a rollout did, in order: +A is the start of A's process, -a that a was told to end, and ! its end. A
// number is the second at which the rest happened.
func steps(t *testing.T, p *plan.Plan) string {
	var all []string
	last := time.Duration(-1)
	tape := play(t, p)
	for i := range tape.events {
		e := &tape.events[i]
		at, mark := time.Duration(e.At), ""
		switch {
		case at < 30*sec:
		case e.Kind == trace.RunStarted:
			mark = "+"
		case e.Kind == trace.CancelAsked:
			mark = "-"
		case e.Kind == trace.Crashed && e.Cause == trace.Terminated:
			mark = "!"
		case e.Kind == trace.Crashed && e.Cause == trace.Killed:
			mark = "killed "
		case e.Kind == trace.Resumed:
			mark = "woken "
		case e.Kind == trace.FaultVoid && p.Faults[e.Fault].Kind == plan.FaultRollout:
			mark = "void"
		case e.Kind == trace.FaultEnded && p.Faults[e.Fault].Kind == plan.FaultRollout:
			mark = "over"
		}
		if mark == "" {
			continue
		}
		if at = at.Truncate(sec); at != last {
			all, last = append(all, at.String()), at
		}
		if e.Candidate != trace.Nobody {
			mark += p.Candidates[e.Candidate].ID
		}
		all = append(all, mark)
	}
	return strings.Join(all, " ")
}

// TestRollout: pods are made and told to end as the Deployment controller counts them. Startup takes 5 s, a lease 15 s.
func TestRollout(t *testing.T) {
	surge := func(r *plan.Rollout) { r.Surge = 1 }
	missing := func(r *plan.Rollout) { r.MaxUnavailable = 1 }
	leading := func(change func(*plan.Rollout)) func(*plan.Rollout) {
		return func(r *plan.Rollout) { change(r); r.Readiness = plan.ReadyLeading }
	}
	for name, c := range map[string]struct {
		pods   int
		change func(*plan.Rollout)
		want   string
	}{
		"one, surge":              {1, surge, "35s +A -a over !a"},
		"one, may be missing":     {1, missing, "30s -a !a 35s +A over"},
		"three, surge":            {3, surge, "35s +A -c !c 40s +B -b !b 45s +C -a over !a"},
		"three, one missing":      {3, missing, "30s -c !c 35s +A -b !b 40s +B -a !a 45s +C over"},
		"three, both":             {3, func(r *plan.Rollout) { r.Surge, r.MaxUnavailable = 1, 1 }, "30s -c !c 35s +A -b !b +B -a !a 40s +C over"},
		"three at once":           {3, func(r *plan.Rollout) { r.Surge = 9 }, "35s +A -c !c +B -b !b +C -a over !a"},
		"three, all missing":      {3, func(r *plan.Rollout) { r.MaxUnavailable = 9 }, "30s -c -b -a !a !b !c 35s +A +B +C over"},
		"one leads, surge":        {1, leading(surge), "35s +A"},
		"one leads, missing":      {1, leading(missing), "30s -a !a 35s +A 51s over"},
		"two lead, surge":         {2, leading(surge), "35s +A"},
		"two lead, one missing":   {2, leading(missing), "30s -b !b 35s +A"},
		"three lead, one missing": {3, leading(missing), "30s -c !c 35s +A"},
		"two lead, all missing":   {2, leading(func(r *plan.Rollout) { r.MaxUnavailable = 2 }), "30s -b -a !a !b 35s +A +B"},
	} {
		assert.Equal(t, c.want, steps(t, rolled(c.pods, c.change)), name)
	}
}

// TestRolloutEndsProcesses: a process that was told to end ends when Run and its work have, or is killed, and never runs
// again.
func TestRolloutEndsProcesses(t *testing.T) {
	missing := func(r *plan.Rollout) { r.MaxUnavailable = 1 }
	for name, c := range map[string]struct {
		plan *plan.Plan
		want string
	}{
		"drains":              {rolled(1, missing, drains(10*sec)), "30s -a 35s +A over 40s !a"},
		"in time":             {rolled(1, missing, drains(30*sec-1)), "30s -a 35s +A over 59s !a"},
		"killed":              {rolled(1, missing, drains(31*sec)), "30s -a 35s +A over 1m0s killed a"},
		"killed sooner":       {rolled(1, func(r *plan.Rollout) { missing(r); r.GracePeriod = new(sec) }, drains(31*sec)), "30s -a 31s killed a 35s +A over"},
		"rejoins":             {rolled(1, missing, rejoins(sec)), "30s -a !a 35s +A over"},
		"rejoins, and drains": {rolled(1, missing, rejoins(sec), drains(10*sec)), "30s -a 35s +A over 40s !a"},
		"between two Runs":    {with(rolled(1, missing, rejoins(20*sec)), fault(plan.FaultCancel, 20*sec, "a")), "30s -a !a 35s +A over"},
		"has left, and is frozen": {with(rolled(1, missing), fault(plan.FaultCancel, 10*sec, "a"),
			window(plan.FaultPause, 25*sec, 45*sec, "a")), "35s +A over 45s woken a !a"},
		"killed by its probe": {with(rolled(1, missing, probed(eager)), window(plan.FaultPause, 29*sec, 80*sec, "a")),
			"31s woken a 35s +A over"},
		"restarted":                   {with(rolled(1, missing, drains(10*sec)), fault(plan.FaultRestart, 32*sec, "a")), "30s -a 35s +A over 40s !a"},
		"restarted when it has ended": {with(rolled(1, missing), fault(plan.FaultRestart, 32*sec, "a")), "30s -a !a 35s +A over"},
		"restarted before it is made": {with(rolled(1, missing), fault(plan.FaultRestart, 20*sec, "A")), "30s -a !a 35s +A over"},
		"frozen":                      {with(rolled(1, missing), window(plan.FaultPause, 25*sec, 45*sec, "a")), "35s +A over 45s woken a -a !a"},
		"frozen until it is killed":   {with(rolled(1, missing, rejoins(sec)), window(plan.FaultPause, 25*sec, 80*sec, "a")), "35s +A over 1m0s killed a woken a"},
		"crashed before":              {with(rolled(1, missing), fault(plan.FaultCrash, 20*sec, "a")), "35s +A over"},
		"crashed while it ends":       {with(rolled(1, missing, drains(10*sec)), fault(plan.FaultCrash, 31*sec, "a")), "30s -a 35s +A over"},
	} {
		assert.Equal(t, c.want, steps(t, c.plan), name)
	}
}

// TestRolloutWaits: a successor that crashes is not ready, and the rollout goes on once it is restarted.
func TestRolloutWaits(t *testing.T) {
	two := func(r *plan.Rollout) { r.MaxUnavailable = 1 }
	p := with(rolled(2, two), fault(plan.FaultCrash, 33*sec, "a"), fault(plan.FaultCrash, 36*sec, "A"), fault(plan.FaultRestart, 50*sec, "A"))
	assert.Equal(t, "30s -b !b 35s +A 40s +B 50s +A over", steps(t, p), "a is unready, and goes first")

	again := with(rolled(1, two), plan.Fault{Kind: plan.FaultRollout, At: 60 * sec, On: []string{"A"},
		Rollout: plan.Rollout{To: []string{"z"}, Surge: 1}})
	again.Candidates = append(again.Candidates, who("z", 0))
	assert.Equal(t, "30s -a !a 35s +A over 1m0s +z -A over !A", steps(t, again), "one after the other")
	again.Faults[len(again.Faults)-1].At = 33 * sec
	assert.Equal(t, "30s -a !a 33s void 35s +A over", steps(t, again), "A is yet to be made")
}

// ranker is a director that decides nothing else: in a rollout the candidates go in the order of its ranks.
type ranker []float64

func (r ranker) Called(int, uint64, *simlock.Op, time.Duration) (time.Duration, []plan.Fault) {
	return 0, nil
}
func (r ranker) Sent(int, uint64, time.Duration) fate.Way { return fate.Way{Delay: ms} }
func (r ranker) Arrived(int, uint64, time.Duration) (fate.Refusal, []Start) {
	return fate.Refusal{}, nil
}
func (r ranker) Answered(int, uint64, time.Duration) fate.Way { return fate.Way{Delay: ms} }
func (r ranker) Jitter(int) float64                           { return 0 }
func (r ranker) Returned(int) (time.Duration, bool)           { return 0, false }
func (r ranker) Rank(i int, _ time.Duration) float64          { return r[i] }

// TestRolloutRanks: of ready pods those with the lowest rank go first, and of equal ones the last in the list. One that is not ready goes before all.
func TestRolloutRanks(t *testing.T) {
	p := with(rolled(4, func(r *plan.Rollout) { r.MaxUnavailable = 1 }), fault(plan.FaultCrash, 20*sec, "d"))
	var gone []string
	written := tape{plan: p}
	_, err := RunDirected(p, ranker{1, 2, 1, 3}, &written)
	require.NoError(t, err)
	for i := range written.events {
		if e := &written.events[i]; e.Kind == trace.Crashed && e.Cause == trace.Terminated {
			gone = append(gone, written.name(e))
		}
	}
	assert.Equal(t, []string{"c", "a", "b"}, gone, "d is crashed, and goes without an end")
}

// successors returns the candidates that rollouts start.
func successors(p *plan.Plan) (ids []string) {
	for i := range p.Faults {
		ids = append(ids, p.Faults[i].To...)
	}
	return ids
}

// TestRolloutRandom: a rollout does in any plan what rolling.judge wants. The plans by seed are the same in each run of the test, so that
// rollouts of each end are among them.
func TestRolloutRandom(t *testing.T) {
	var drawn, bySeed rolling
	rapid.Check(t, func(t *rapid.T) { drawn.judge(t, anyPlan().Draw(t, "plan")) })
	for seed := range 100 {
		bySeed.judge(t, anyPlan().Example(seed))
	}
	assert.Positive(t, bySeed.over)
	assert.Positive(t, bySeed.killed)
	assert.Greater(t, bySeed.ended, bySeed.killed)
}

// rolling counts the rollouts that were over, and the processes that they ended; killed of these were told to end and did not in time.
type rolling struct{ over, ended, killed int }

// judge plays a plan and looks at its first rollout, if there is one: no successor starts before it begins, nobody but the old processes is
// ended by it, and a process that has ended does nothing any more.
func (r *rolling) judge(t require.TestingT, p *plan.Plan) {
	index := slices.IndexFunc(p.Faults, func(f plan.Fault) bool { return f.Kind == plan.FaultRollout })
	if index < 0 {
		return
	}
	f, begun, told, gone := &p.Faults[index], false, map[int32]bool{}, map[int32]bool{}
	for _, e := range play(t, p).events {
		id := ""
		if e.Candidate != trace.Nobody {
			id = p.Candidates[e.Candidate].ID
		}
		switch {
		case e.Kind == trace.FaultBegan && e.Fault == int32(index):
			begun = true
		case e.Kind == trace.FaultEnded && e.Fault == int32(index):
			r.over++
		case e.Kind == trace.RunStarted && slices.Contains(f.To, id):
			require.True(t, begun, "%s starts by itself", id)
		case e.Kind == trace.Crashed && (e.Cause == trace.Killed || e.Cause == trace.Terminated):
			require.Contains(t, f.On, id)
			gone[e.Candidate] = true
			if r.ended++; e.Cause == trace.Killed {
				r.killed++
			}
		}
		if e.Kind == trace.CancelAsked && e.Cause == trace.Terminated {
			told[e.Candidate] = true
		}
		require.False(t, e.Kind == trace.RunStarted && told[e.Candidate], "%s runs again", id)
		switch e.Kind {
		case trace.RunStarted, trace.RequestSent, trace.WorkStarted, trace.ResourceWritten, trace.CancelAsked:
			require.False(t, gone[e.Candidate], "%s of %s, which has ended", e.Kind, id)
		}
	}
}

// TestRolls: a rollout looks at its pods after few of the entries of the queue, and after all others it would find nothing
// to do.
func TestRolls(t *testing.T) {
	looked, passed := 0, 0
	for seed := range few.Of(2000) {
		p := anyPlan().Example(seed)
		written := tape{}
		w := newWorld(p, []trace.Sink{&written})
		for !w.Empty() {
			e := w.Next()
			w.dispatch(&e)
			if len(w.rollouts) == 0 {
				continue
			}
			due, before, scheduled := w.rolls(), w.Count, w.Number()
			w.roll()
			if due {
				looked++
				continue
			}
			passed++
			require.Equal(t, before, w.Count, "seed %d", seed)
			require.Equal(t, scheduled+1, w.Number(), "seed %d: it schedules nothing", seed)
			require.NotZero(t, w.rolledAt, "seed %d", seed)
		}
	}
	require.Greater(t, passed, 5*looked)
}
