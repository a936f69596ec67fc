package stage

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

var (
	exactCases = flag.Int("exact.cases", few.Else(2, 8), "how many configurations in environments of each profile are attacked")
	exactSteps = flag.Int("exact.steps", 180, "how many scenarios an attack tries")
	exactFirst = flag.Int("exact.first", 1, "the seed of the first")
)

// attacked is a configuration in an environment.
type attacked struct {
	c *bound.Config
	e *bound.Environment
}

func attackedOf(p machine.Profile, lock plan.Lock) *rapid.Generator[attacked] {
	return rapid.Custom(func(t *rapid.T) attacked {
		if lock != plan.Lease {
			c, e := gatetest.DrawLocked(t, p, lock)
			return attacked{c, e}
		}
		c := gatetest.DrawConfig(t, p)
		c.ReleaseOnCancel = c.ReleaseOnCancel || rapid.Bool().Draw(t, "release")
		return attacked{c, gatetest.DrawEnvironment(t, c)}
	})
}

// TestAdversary: whatever goes wrong within the environment, no overlap is longer than predicted, and no gap shorter.
func TestAdversary(t *testing.T) {
	for _, lock := range plan.Locks() {
		t.Run(string(lock), func(t *testing.T) {
			for _, p := range gatetest.Profiles {
				adversaries(t, p, lock)
			}
		})
	}
}

// adversaries attacks configurations of a profile with a kind of lock; fewer of those that differ little from others.
func adversaries(t *testing.T, p machine.Profile, lock plan.Lock) {
	count := *exactCases
	if lock != plan.Lease {
		count = max(1, count/2)
	}
	t.Run(p.Name, func(t *testing.T) {
		t.Parallel()
		cases, tried, runs, most := attackedOf(p, lock), 0, 0, -time.Hour
		for seed := *exactFirst; seed < *exactFirst+count; seed++ {
			a := cases.Example(seed)
			if bound.Refused(a.c) != nil || bound.Unknown(a.c) != nil {
				continue
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			if _, known := r.AtMost(); !known {
				continue // there is no limit to exceed
			}
			x := attack(t, a.c, a.e, r, uint64(seed))
			tried, runs, most = tried+1, runs+x.runs, max(most, x.best-x.limit+time.Millisecond)
			if x.best > x.limit {
				x.report(t, seed, a, r)
			}
		}
		t.Logf("%d attacked, by %d scenarios: at most %v above the prediction", tried, runs, most)
	})
}

// limit is what no scenario may exceed: the longest overlap or, negative, the shortest gap between two candidates' work.
func limit(c *bound.Config, r *bound.Result) time.Duration {
	most := r.Overlap + r.Slack
	if c.ReleaseOnCancel {
		most = max(most, 0) // a release lets another start at once
	}
	return most + time.Millisecond
}

// found is the worst that an attack has found, by so many runs.
type found struct {
	runs        int
	best, limit time.Duration
	g           *genome
}

// elite is the best scenario of those that take one course.
type elite struct {
	g      *genome
	course string
	score  time.Duration
}

// islands is on how many an attack goes on, each for itself.
const islands = 6

// attack varies scenarios. It starts from the witness, from plans that the computation may have thought impossible, from
// witnesses of worse environments pressed into this one, and from anywhere.
func attack(t require.TestingT, c *bound.Config, e *bound.Environment, r *bound.Result, seed uint64) (x found) {
	m := mutator{rand.New(rand.NewPCG(seed, 1))}
	own := m.pressed(t, Witness(c, e, r), c, e)
	own.horizon += c.LeaseDuration
	x.best, x.limit = -own.horizon, limit(c, r)
	for i := range islands {
		start := own
		switch i {
		case 1:
			start = m.random(c, e, own.horizon)
		case 2, 3:
			start = m.pressed(t, m.worse(t, c, e), c, e)
		case 4, 5:
			start = m.pressed(t, Witness(c, e, otherPlan(t, c, e, bound.Kind(2*i-8))), c, e)
		}
		start.horizon = own.horizon
		m.climb(t, start, &x)
	}
	return x
}

// otherPlan is a result with the plan of a kind, be it possible or not.
func otherPlan(t require.TestingT, c *bound.Config, e *bound.Environment, kind bound.Kind) *bound.Result {
	unreleased := *c
	unreleased.ReleaseOnCancel = false
	r, err := bound.Of(&unreleased, e)
	require.NoError(t, err)
	r.Plan.Kind, r.Plan.Release = kind, bound.True(c.RenewDeadline, -e.MaxDriftPPM)
	return r
}

// climb keeps the best scenario of each course that the lock takes.
func (r mutator) climb(t require.TestingT, start *genome, x *found) {
	_, seen := start.play(t)
	elites := []elite{{start, seen.Course, seen.Score()}}
	for range start.steps() {
		parent := r.best(elites)
		if r.IntN(4) > 0 {
			parent = elites[r.IntN(len(elites))].g
		}
		child := r.mutated(parent)
		s, seen := child.play(t)
		x.runs++
		if seen.Outside(s, child.env) != "" {
			continue
		}
		score := seen.Score()
		i := slices.IndexFunc(elites, func(o elite) bool { return o.course == seen.Course })
		switch {
		case i < 0:
			elites = append(elites, elite{child, seen.Course, score})
		case score >= elites[i].score:
			elites[i] = elite{child, seen.Course, score}
		}
		if score > x.best {
			x.best, x.g = score, child
		}
		if score > x.limit {
			return
		}
	}
}

// steps is for how long to climb: less where a run is long.
func (g *genome) steps() int {
	polls := int(g.horizon / g.cfg.RetryPeriod)
	return max(1, *exactSteps/islands*100/(100+polls))
}

// best is the one of the highest score.
func (r mutator) best(elites []elite) *genome {
	return slices.MaxFunc(elites, func(a, b elite) int { return cmp.Compare(a.score, b.score) }).g
}

func (x *found) report(t *testing.T, seed int, a attacked, r *bound.Result) {
	s, w := minimal(t, x.g, x.limit).play(t)
	var text strings.Builder
	require.NoError(t, s.WriteYAML(&text))
	t.Errorf("-exact.first %d: %s %s %v: %v and release %v, timeout %v in %+v:\n%v is predicted, of %v\n%v is shown by\n%s", seed,
		a.c.Lock, a.c.Now, a.c.Precision, a.c.Timings, a.c.ReleaseOnCancel, a.c.RequestTimeout, *a.e, r.Overlap, r.Terms, w.Score(), text.String())
}

// minimal leaves out moves as long as the score stays above a limit.
func minimal(t require.TestingT, g *genome, limit time.Duration) *genome {
	for i := 0; i < len(g.moves); i++ {
		child := *g
		child.moves = append(append([]move{}, g.moves[:i]...), g.moves[i+1:]...)
		if g.moves[i].kind == moveStart {
			continue
		}
		s, w := child.play(t)
		if w.Outside(s, g.env) == "" && w.Score() > limit {
			g = &child
			i--
		}
	}
	return g
}
