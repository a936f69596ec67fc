package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// crashedAt20 returns which of a (the leader), b and c crash by a fault of 20 s that comes after the given ones.
func crashedAt20(t *testing.T, roles []string, before ...plan.Fault) map[string]int {
	p := play(t, with(with(aPlan(21*sec, who("a", 0), who("b", sec), who("c", 1500*ms)), before...), fault(plan.FaultCrash, 20*sec, roles...)))
	out := map[string]int{}
	for _, id := range []string{"a", "b", "c"} {
		for _, at := range p.at(id, trace.Crashed) {
			if at == 20*sec {
				out[id]++
			}
		}
	}
	for _, at := range p.at("-", trace.FaultVoid) {
		if at == 20*sec {
			out["void"]++
		}
	}
	return out
}

// TestRoles: the leader is the record's holder if it runs, the followers all others that run.
func TestRoles(t *testing.T) {
	leader, follower := []string{plan.RoleLeader}, []string{plan.RoleFollower}
	type who = map[string]int
	for name, c := range map[string]struct {
		on     []string
		before []plan.Fault
		want   who
	}{
		"leader":              {leader, nil, who{"a": 1}},
		"follower":            {follower, nil, who{"b": 1, "c": 1}},
		"both":                {[]string{plan.RoleFollower, plan.RoleLeader}, nil, who{"a": 1, "b": 1, "c": 1}},
		"by role and by name": {[]string{plan.RoleLeader, "a", "b"}, nil, who{"a": 1, "b": 1}},
		"no leader":           {leader, []plan.Fault{fault(plan.FaultCrash, 19*sec, "a")}, who{"void": 1}},
		"followers of none":   {follower, []plan.Fault{fault(plan.FaultCrash, 19*sec, "a")}, who{"b": 1, "c": 1}},
		"it has left":         {leader, []plan.Fault{fault(plan.FaultCancel, 19*sec, "a")}, who{"void": 1}},
		"no lock":             {leader, []plan.Fault{fault(plan.FaultDelete, 19600*ms)}, who{"void": 1}},
		"all follow where no lock": {follower, []plan.Fault{fault(plan.FaultDelete, 19600*ms)},
			who{"a": 1, "b": 1, "c": 1}},
		"frozen, it runs": {leader, []plan.Fault{fault(plan.FaultPause, 19*sec, "a")}, who{"a": 1}},
		"it came back":    {leader, []plan.Fault{fault(plan.FaultRestart, 19*sec, "a")}, who{"a": 1}},
		"it came back as another": {leader, []plan.Fault{but(fault(plan.FaultRestart, 19*sec, "a"), named(plan.NewIdentity))},
			who{"void": 1}},
		"and follows": {follower, []plan.Fault{but(fault(plan.FaultRestart, 19*sec, "a"), named(plan.NewIdentity))},
			who{"a": 1, "b": 1, "c": 1}},
		// who saw the write of 2 s at 3 s: 19 s, after 18
		"it is another now": {leader, []plan.Fault{fault(plan.FaultPartition, 2500*ms, "a")}, who{"b": 1}},
		"no followers":      {follower, []plan.Fault{fault(plan.FaultCrash, 19*sec, "b", "c")}, who{"void": 1}},
	} {
		assert.Equal(t, c.want, crashedAt20(t, c.on, c.before...), name)
	}
}

// TestRoleIsResolvedOnce, when the fault begins: it stays with whom it found.
func TestRoleIsResolvedOnce(t *testing.T) {
	// a is cut off from 2.5 s on, for good; b, leader from 19 s on, is not.
	p := play(t, with(aPlan(40*sec, who("a", 0), who("b", sec)), fault(plan.FaultPartition, 2500*ms, plan.RoleLeader)))
	assert.Equal(t, []time.Duration{19 * sec}, p.at("b", trace.WorkStarted))
	assert.Empty(t, p.at("b", trace.RequestLost))
	assert.Equal(t, []time.Duration{14 * sec}, p.at("a", trace.WorkEnded)) // 4 s, and 10 s without an answer

	// Void at its beginning, it is at its end, too; and it is not somebody else's afterwards.
	p = play(t, with(aPlan(10*sec, who("a", 5*sec)), window(plan.FaultPause, sec, 7*sec, plan.RoleLeader)))
	assert.Equal(t, lines("1s - faultVoid fault 0"), p.story(0, 4*sec))
	assert.Empty(t, p.at("-", trace.FaultEnded))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.WorkStarted))
}

// TestRoleFaultOfEachKind finds the leader.
func TestRoleFaultOfEachKind(t *testing.T) {
	for _, f := range []plan.Fault{
		but(fault(plan.FaultDelay, 5*sec, plan.RoleLeader), request(sec)), fault(plan.FaultPartition, 5*sec, plan.RoleLeader),
		fault(plan.FaultLose, 5*sec, plan.RoleLeader), but(fault(plan.FaultError, 5*sec, plan.RoleLeader), answers(500)),
		fault(plan.FaultPause, 5*sec, plan.RoleLeader), fault(plan.FaultCrash, 5*sec, plan.RoleLeader),
		fault(plan.FaultRestart, 5*sec, plan.RoleLeader), fault(plan.FaultCancel, 5*sec, plan.RoleLeader),
		but(fault(plan.FaultClock, 5*sec, plan.RoleLeader), drifts(twice)),
	} {
		p := play(t, with(aPlan(7*sec, who("a", 0), who("b", sec)), f))
		assert.Equal(t, []time.Duration{5 * sec}, p.at("-", trace.FaultBegan), f.Kind)
		assert.Equal(t, []int32{0}, p.on(0), f.Kind)
		assert.NotEqual(t, play(t, aPlan(7*sec, who("a", 0), who("b", sec))).at("a", trace.ResponseHandled),
			p.at("a", trace.ResponseHandled), "%s is felt", f.Kind)
		void := play(t, with(aPlan(7*sec, who("a", 6*sec), who("b", 6*sec)), f))
		assert.Equal(t, []time.Duration{5 * sec}, void.at("-", trace.FaultVoid), f.Kind)
		assert.Empty(t, void.at("-", trace.FaultBegan), f.Kind)
	}
}

// TestFaultsSayWhom: each candidate that is named, in all of its elections where a fault is on processes; nobody in particular
// where it is on everybody, the record or the service.
func TestFaultsSayWhom(t *testing.T) {
	pair := func(id string) []plan.Candidate {
		x, y := who(id, 0), who(id, 0)
		x.Election, y.Election = "x", "y"
		return []plan.Candidate{x, y}
	}
	set := aPlan(9*sec, append(pair("a"), pair("b")...)...)
	set.Elections = []string{"x", "y"}
	p := play(t, with(set,
		fault(plan.FaultPartition, sec, "b"),
		but(fault(plan.FaultPartition, 2*sec, "b"), in("y")),
		but(fault(plan.FaultPause, 3*sec, plan.RoleLeader), in("y")),
		but(fault(plan.FaultPartition, 4*sec), in("x")),
		fault(plan.FaultOutage, 5*sec),
		fault(plan.FaultDelete, 6*sec),
	))
	for i, want := range [][]int32{{2, 3}, {3}, {0, 1}, {0, 2}, nil, nil} {
		assert.Equal(t, want, p.on(int32(i)), "fault %d", i)
	}
	row := func(c *plan.Candidate) { c.Lock = plan.SQLTTL }
	p = play(t, with(aPlan(9*sec, who("a", 0, row)), but(fault(plan.FaultClock, sec, plan.ServiceName), jumps(sec))))
	assert.Nil(t, p.on(0))
}

// TestDelete: a new lock is made, with a new life and a version that goes on.
func TestDelete(t *testing.T) {
	p := play(t, with(aPlan(5*sec, who("a", 0), who("b", sec)), fault(plan.FaultDelete, 500*ms)))
	opens(t, p, 500*ms,
		"500ms - faultBegan fault 0",
		"500ms - deleted fault 0",
		"1s b runStarted b",
		"1s b requestSent get",
		"1s b requestApplied get 404",
		"1s b responseHandled get 404",
		"1s b requestSent create",
		"1s b written create 201 v3 b", // the deletion took v2
		"1s b responseHandled create 201",
		"1s b workStarted term 1")
	// a hears of it at 2 s: 409, as for any object that is not the one it knows.
	assert.Contains(t, p.story(2*sec, 2*sec), "2s a requestApplied update 409\n")

	p = play(t, with(aPlan(5*sec, who("a", 0)), fault(plan.FaultDelete, sec), fault(plan.FaultDelete, 1500*ms)))
	assert.Equal(t, []time.Duration{1500 * ms}, p.at("-", trace.FaultVoid))
	assert.Equal(t, []time.Duration{sec, 1500 * ms}, p.at("-", trace.FaultBegan))
	assert.Len(t, p.at("-", trace.Deleted), 1)
}
