package adversary

import (
	"cmp"
	"slices"
	"time"
)

// found is a plan with its outcome.
type found struct {
	g     *Genome
	o     *Outcome
	score time.Duration
	// end and start are further values to climb on, set only for a plan with one candidate: see Outcome.staleness.
	end, start stale
}

// goal returns the value of a plan that an island climbs on; higher is better.
type goal func(*found) time.Duration

// overlap returns the longest overlap in a plan's run. It is a goal.
func overlap(f *found) time.Duration { return f.score }

// staleEnd is a goal for a plan with one candidate: the time from the first write that looks to others like the last
// one to the end of the work, plus the hint.
func staleEnd(f *found) time.Duration { return f.end.long + f.end.hint }

// staleNow is a goal for a plan with one candidate: the time from the first write that looks to others like the last
// one to the end of the work.
func staleNow(f *found) time.Duration { return f.end.long }

// staleStart is a goal for a plan with one candidate: the time from the first write that looks to others like the
// last one to the start of the work, plus the hint.
func staleStart(f *found) time.Duration { return f.start.long + f.start.hint }

// elites is how many of the best plans are kept.
const elites = 5

// keep adds the plan f to all, the best plans by the goal of, and returns at most elites of them, the best first. Of
// two plans with hardly different values it keeps one. A nil f adds nothing.
func keep(all []*found, f *found, of goal) []*found {
	if f == nil {
		return all
	}
	for i, other := range all {
		if d := of(f) - of(other); -time.Microsecond < d && d < time.Microsecond {
			if d > 0 || d == 0 && f.g.size() < other.g.size() {
				all[i] = f
			}
			return all
		}
	}
	all = append(all, f)
	slices.SortStableFunc(all, func(a, b *found) int { return cmp.Compare(of(b), of(a)) })
	return all[:min(len(all), elites)]
}
