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

// overlap is the goal of a long overlap.
func overlap(f *found) time.Duration { return f.score }

// staleEnd is the goal of a long time from the first write that looks like the last one to the end of the work, with
// its hint.
func staleEnd(f *found) time.Duration { return f.end.long + f.end.hint }

// staleNow is staleEnd without the hint.
func staleNow(f *found) time.Duration { return f.end.long }

// staleStart is the goal of a long time from the first write that looks like the last one to the start of the work, with its hint.
func staleStart(f *found) time.Duration { return f.start.long + f.start.hint }

// elites is how many of the best plans are kept.
const elites = 5

// keep puts a plan among the best ones, and returns these, the best first. Of two plans with hardly different values it
// keeps one.
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
