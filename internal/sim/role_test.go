package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
)

// crashedAt20 is who crashes of a (the leader), b and c, by a fault of 20 s after those given.
func crashedAt20(t *testing.T, roles []string, before ...Fault) map[string]int {
	p := play(t, aPlan(21*sec, who("a", 0), who("b", sec), who("c", 1500*ms)).
		with(before...).with(fault(FaultCrash, 20*sec, roles...)))
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
	leader, follower := []string{RoleLeader}, []string{RoleFollower}
	type who = map[string]int
	for name, c := range map[string]struct {
		on     []string
		before []Fault
		want   who
	}{
		"leader":              {leader, nil, who{"a": 1}},
		"follower":            {follower, nil, who{"b": 1, "c": 1}},
		"both":                {[]string{RoleFollower, RoleLeader}, nil, who{"a": 1, "b": 1, "c": 1}},
		"by role and by name": {[]string{RoleLeader, "a", "b"}, nil, who{"a": 1, "b": 1}},
		"no leader":           {leader, []Fault{fault(FaultCrash, 19*sec, "a")}, who{"void": 1}},
		"followers of none":   {follower, []Fault{fault(FaultCrash, 19*sec, "a")}, who{"b": 1, "c": 1}},
		"it has left":         {leader, []Fault{fault(FaultCancel, 19*sec, "a")}, who{"void": 1}},
		"no lock":             {leader, []Fault{fault(FaultDelete, 19600*ms)}, who{"void": 1}},
		"all follow where no lock": {follower, []Fault{fault(FaultDelete, 19600*ms)},
			who{"a": 1, "b": 1, "c": 1}},
		"frozen, it runs": {leader, []Fault{fault(FaultPause, 19*sec, "a")}, who{"a": 1}},
		"it came back":    {leader, []Fault{fault(FaultRestart, 19*sec, "a")}, who{"a": 1}},
		"it came back as another": {leader, []Fault{fault(FaultRestart, 19*sec, "a").named(NewIdentity)},
			who{"void": 1}},
		"and follows": {follower, []Fault{fault(FaultRestart, 19*sec, "a").named(NewIdentity)},
			who{"a": 1, "b": 1, "c": 1}},
		// who saw the write of 2 s at 3 s: 19 s, after 18
		"it is another now": {leader, []Fault{fault(FaultPartition, 2500*ms, "a")}, who{"b": 1}},
		"no followers":      {follower, []Fault{fault(FaultCrash, 19*sec, "b", "c")}, who{"void": 1}},
	} {
		assert.Equal(t, c.want, crashedAt20(t, c.on, c.before...), name)
	}
}

// TestRoleIsResolvedOnce, when the fault begins: it stays with whom it found.
func TestRoleIsResolvedOnce(t *testing.T) {
	// a is cut off from 2.5 s on, for good; b, leader from 19 s on, is not.
	p := play(t, aPlan(40*sec, who("a", 0), who("b", sec)).with(fault(FaultPartition, 2500*ms, RoleLeader)))
	assert.Equal(t, []time.Duration{19 * sec}, p.at("b", trace.WorkStarted))
	assert.Empty(t, p.at("b", trace.RequestLost))
	assert.Equal(t, []time.Duration{14 * sec}, p.at("a", trace.WorkEnded)) // 4 s, and 10 s without an answer

	// Void at its beginning, it is at its end, too; and it is not somebody else's afterwards.
	p = play(t, aPlan(10*sec, who("a", 5*sec)).with(window(FaultPause, sec, 7*sec, RoleLeader)))
	assert.Equal(t, lines("1s - faultVoid fault 0"), p.story(0, 4*sec))
	assert.Empty(t, p.at("-", trace.FaultEnded))
	assert.Equal(t, []time.Duration{5 * sec}, p.at("a", trace.WorkStarted))
}

// TestRoleFaultOfEachKind finds the leader.
func TestRoleFaultOfEachKind(t *testing.T) {
	for _, f := range []Fault{
		fault(FaultDelay, 5*sec, RoleLeader).request(sec), fault(FaultPartition, 5*sec, RoleLeader),
		fault(FaultLose, 5*sec, RoleLeader), fault(FaultError, 5*sec, RoleLeader).answers(500),
		fault(FaultPause, 5*sec, RoleLeader), fault(FaultCrash, 5*sec, RoleLeader),
		fault(FaultRestart, 5*sec, RoleLeader), fault(FaultCancel, 5*sec, RoleLeader),
		fault(FaultClock, 5*sec, RoleLeader).drifts(twice),
	} {
		p := play(t, aPlan(7*sec, who("a", 0), who("b", sec)).with(f))
		assert.Equal(t, []time.Duration{5 * sec}, p.at("-", trace.FaultBegan), f.Kind)
		assert.NotEqual(t, play(t, aPlan(7*sec, who("a", 0), who("b", sec))).at("a", trace.ResponseHandled),
			p.at("a", trace.ResponseHandled), "%s is felt", f.Kind)
		void := play(t, aPlan(7*sec, who("a", 6*sec), who("b", 6*sec)).with(f))
		assert.Equal(t, []time.Duration{5 * sec}, void.at("-", trace.FaultVoid), f.Kind)
		assert.Empty(t, void.at("-", trace.FaultBegan), f.Kind)
	}
}

// TestDelete: a new lock is made, with a new life and a version that goes on.
func TestDelete(t *testing.T) {
	p := play(t, aPlan(5*sec, who("a", 0), who("b", sec)).with(fault(FaultDelete, 500*ms)))
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

	p = play(t, aPlan(5*sec, who("a", 0)).with(fault(FaultDelete, sec), fault(FaultDelete, 1500*ms)))
	assert.Equal(t, []time.Duration{1500 * ms}, p.at("-", trace.FaultVoid))
	assert.Equal(t, []time.Duration{sec, 1500 * ms}, p.at("-", trace.FaultBegan))
	assert.Len(t, p.at("-", trace.Deleted), 1)
}
