package explore

import (
	"bytes"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
)

// small are worlds that can be searched without any reduction.
func small() map[string]Config {
	more := 1
	if *all {
		more = 2
	}
	return map[string]Config{
		"plain":      {Config: bound.Config{Timings: timings(4, 3, 2)}, Candidates: 2, Faults: 1},
		"round trip": {Config: bound.Config{Timings: timings(4, 2, 1)}, Candidates: 2, Faults: 1, MaxRoundTrip: time.Second},
		"far": {
			Config: bound.Config{Timings: timings(4, 2, 1)}, Candidates: 2, Faults: more, MaxRoundTrip: 2 * time.Second, Waits: 1,
		},
		"release": {
			Config: bound.Config{Timings: timings(4, 2, 1), ReleaseOnCancel: true}, Candidates: 2, Faults: 2, Waits: 1,
		},
		"far release": {
			Config:     bound.Config{Timings: timings(4, 2, 1), ReleaseOnCancel: true},
			Candidates: 2, Faults: more, MaxRoundTrip: time.Second, Waits: 1,
		},
		"timeout": {
			Config:     bound.Config{Timings: timings(4, 2, 1), RequestTimeout: time.Second},
			Candidates: 2, Faults: more, MaxRoundTrip: 2 * time.Second, Waits: 1,
		},
		"three": {Config: bound.Config{Timings: timings(3, 2, 1)}, Candidates: 3, Faults: 1, Waits: 1},
	}
}

// TestReducedAgreesWithUnreduced compares, for each length of work at once, whether there is any that lasts longer, and
// with how few faults.
func TestReducedAgreesWithUnreduced(t *testing.T) {
	for _, p := range []machine.Profile{machine.ClientGo, machine.Strict} {
		for name, c := range small() {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				if name == "three" && !*all {
					t.Skip("half a minute: -explore.all")
				}
				t.Parallel()
				require.Positive(t, agrees(t, c, p))
			})
		}
	}
}

// TestReducedAgreesWithUnreducedInAnyWorld does the same in worlds that are drawn, as far as they are small.
func TestReducedAgreesWithUnreducedInAnyWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("ten seconds")
	}
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawn(t)
		c.MaxStates = 10_000
		compared += agrees(t, c, c.Profile)
	})
	require.Positive(t, compared)
}

// agrees compares, for each length of work at once, a search that is reduced with one that is not. It returns for how
// many lengths it did. A search that comes to MaxStates ends it, and so does work at once without an end.
func agrees(t rapid.TB, c Config, p machine.Profile) (compared int) {
	t.Helper()
	for ; c.Exceeds <= c.limit(); compared++ {
		whole := c
		whole.Unreduced = true
		all := explored(t, whole, p)
		if c.MaxStates > 0 && all.States >= c.MaxStates {
			return compared
		}
		reduced := explored(t, c, p)
		require.Less(t, reduced.States, all.States)
		require.Equal(t, all.Found == nil && all.Unshown == 0, reduced.Found == nil && reduced.Unshown == 0)
		if all.Found == nil || reduced.Found == nil {
			return compared + 1
		}
		require.Equal(t, all.Found.Faults, reduced.Found.Faults, "work at once for more than %v", c.Exceeds)
		c.Exceeds += c.RetryPeriod
	}
	return compared
}

// TestStatesOfOneDigestDoTheSame goes on from every state that is met again, and looks whether it leads to the same as
// when it was met first.
func TestStatesOfOneDigestDoTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute, on one goroutine")
	}
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict} {
		for name, c := range small() {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				c.Grid, c.Profile, c.Exceeds = time.Second, p, time.Second
				// What it leads to must not depend on what is known.
				e := newExplorer(&c)
				e.faults, e.workers = 1, e.workers[:1]
				// And which candidate's events go first depends on their order.
				e.workers[0].canon.orders = e.workers[0].canon.orders[:1]
				e.roots()
				leads, visits := map[digest][]way{}, map[digest]int{}
				again := 0
				for todo := firsts(e.here); len(todo) > 0 && again < few.Else(1_500, 6_000); {
					from := todo[0]
					todo = todo[1:]
					if visits[from.digest]++; visits[from.digest] > 4 {
						continue
					}
					x := expansion{}
					e.workers[0].follow(from.world.clone(), &x)
					slices.SortFunc(x.ways, compareWays)
					// What only shows later must be met in all of them.
					for _, w := range x.ways {
						w.cost += from.cost
						if w.overlap == 0 && w.cost <= c.Faults {
							todo = append(todo, w)
						}
					}
					if visits[from.digest] == 1 {
						leads[from.digest] = outlines(x.ways)
						continue
					}
					again++
					require.Equal(t, leads[from.digest], outlines(x.ways), "at %v, met before", from.world.now)
				}
				require.Greater(t, again, 100)
			})
		}
	}
}

// TestReducedGoesWhereUnreducedGoes compares all states in which nobody waits for an answer, and with how few faults they
// come about, but for whether the last request was lost: what is open counts as that.
func TestReducedGoesWhereUnreducedGoes(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute, on one goroutine")
	}
	for k, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict} {
		worlds := small()
		for i, name := range slices.Sorted(maps.Keys(worlds)) {
			if !few.All() && (i+k)%2 > 0 {
				continue // go test looks at each world with one or two of the profiles
			}
			c := worlds[name]
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				if name == "three" && !*all {
					t.Skip("long: -explore.all")
				}
				t.Parallel()
				c.Grid, c.Profile, c.Exceeds, c.Faults = time.Second, p, time.Second, 1
				reduced := rests(&c)
				whole := c
				whole.Unreduced = true
				require.True(t, maps.Equal(rests(&whole), reduced))
			})
		}
	}
}

// rests are the states in which time has passed to a timer, nobody waits and nobody was cancelled in vain, with 1 more
// than the fewest faults.
func rests(c *Config) map[digest]int {
	e := newExplorer(c)
	plain := *c
	plain.Unreduced = false
	canon := newCanon(&plain)
	found := map[digest]int{}
	e.workers = e.workers[:1]
	e.roots()
	// The search itself must not know anything, or it would not tell how else a state comes about.
	known := map[digest]bool{}
	for used := 0; used <= c.Faults; used++ {
		e.faults = c.Faults - used
		for len(e.here) > 0 {
			some := slices.DeleteFunc(e.takeChunk(), func(s state) bool {
				met := known[s.digest]
				known[s.digest] = true
				return met
			})
			var at []time.Duration
			for _, s := range some {
				at = append(at, s.world.now)
			}
			for i, x := range expand(e.workers, some) {
				for _, w := range x.ways {
					if w.overlap > 0 || w.world.cancelledInVain() {
						continue
					}
					if world, rests := atRest(w.world); rests && w.cost == 0 && w.world.now > at[i] {
						if d := canon.digest(world); found[d] == 0 {
							found[d] = used + 1
						}
					}
					if w.cost > 0 {
						e.next = append(e.next, w.state)
					} else if !known[w.digest] {
						e.here = append(e.here, w.state)
					}
				}
			}
		}
		e.here, e.next = e.next, nil
	}
	return found
}

// atRest is a world as it is when what is open is lost, if nobody waits in it and a timer is due.
func atRest(w *world) (*world, bool) {
	for _, n := range w.all() { // most worlds are not at rest: they need no clone
		if n.waiting || slices.ContainsFunc(n.messages, func(m message) bool { return m.fate.kind != open || m.awaited }) {
			return nil, false
		}
	}
	c, due := w.clone(), false
	for i := range c.all() {
		n := c.own(i)
		n.cut = false
		n.messages = slices.DeleteFunc(n.messages, func(m message) bool { return m.fate.kind == open && !m.awaited })
		for _, timer := range n.timers {
			due = due || timer.armed && timer.at == c.now
		}
	}
	return c, due
}

// cancelledInVain tells whether the last that happened is that one was cancelled that had nothing to release.
func (w *world) cancelledInVain() bool {
	return w.trail != nil && w.trail.event == cancelled && !w.nodes[w.trail.node].running
}

func firsts(states []state) []way {
	var all []way
	for _, s := range states {
		all = append(all, way{state: s})
	}
	return all
}

// outlines are what ways lead to, without the worlds.
func outlines(ways []way) []way {
	var all []way
	for _, w := range ways {
		all = append(all, way{state: state{digest: w.digest}, cost: w.cost, overlap: min(w.overlap, 1)})
	}
	return slices.Compact(all)
}

func compareWays(a, b way) int {
	if a.cost != b.cost {
		return a.cost - b.cost
	}
	return bytes.Compare(a.digest[:], b.digest[:])
}

// TestWhoIsCancelled keeps the one cancel that a loss cannot stand for.
func TestWhoIsCancelled(t *testing.T) {
	for _, phase := range []machine.Phase{machine.Acquiring, machine.Renewing, machine.Releasing} {
		c := Config{}
		require.False(t, c.worthCancelling(phase))
		c.ReleaseOnCancel = true
		require.Equal(t, phase == machine.Renewing, c.worthCancelling(phase))
		c.Unreduced = true
		require.Equal(t, phase != machine.Releasing, c.worthCancelling(phase))
	}
}

// TestAgeIsThatOfTheLast keeps the one age of work that decides for how long two have worked at once.
func TestAgeIsThatOfTheLast(t *testing.T) {
	c := Config{Candidates: 2, Grid: time.Second, Exceeds: 5 * time.Second}
	w := newWorld(&c, &start{})
	w.now = 6 * time.Second
	first, last := w.nodes[0], w.nodes[1]
	first.working, first.since = true, time.Second
	require.Zero(t, w.age(0))
	last.working, last.since = true, 3*time.Second
	require.Zero(t, w.age(0))
	require.Equal(t, 3*time.Second, w.age(1))
}

func TestWorkersDecideNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, h := range hazards()[:few.Else(1, 2)] {
		h.config.Faults = 2
		for _, p := range []machine.Profile{machine.ClientGo, machine.Strict} {
			runtime.GOMAXPROCS(1)
			one := explored(t, h.config, p)
			runtime.GOMAXPROCS(3)
			require.Equal(t, one, explored(t, h.config, p))
		}
	}
}
