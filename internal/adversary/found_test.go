package adversary

import (
	"cmp"
	"slices"
	"time"
)

// found is a plan that was run, with its outcome. score is the longest overlap in that run; see Outcome.overlap.
type found struct {
	g *Genome
	o *Outcome
	// score is the longest overlap in the run.
	score time.Duration
	// end and start are further values on which a search can climb: see Outcome.staleness. They are set only for a plan with one
	// candidate.
	end, start stale
}

// goal returns the value of a plan, by which an island compares plans; higher is better.
type goal func(*found) time.Duration

// overlap is a goal: it returns the longest overlap in the plan's run, which is 0 or negative if there is none.
func overlap(f *found) time.Duration { return f.score }

// staleEnd is a goal for a plan with one candidate. It returns the time from the first write that looks to others like the last
// one to the end of the work, plus f.end.hint.
func staleEnd(f *found) time.Duration { return f.end.long + f.end.hint }

// staleNow is a goal for a plan with one candidate. It returns the time from the first write that looks to others like the last
// one to the end of the work.
func staleNow(f *found) time.Duration { return f.end.long }

// staleStart is a goal for a plan with one candidate. It returns the time from the first write that looks to others like the last
// one to the start of the work, plus f.start.hint.
func staleStart(f *found) time.Duration { return f.start.long + f.start.hint }

// elites is how many of the best plans a list keeps.
const elites = 5

// keep adds the plan f to all, a list of the best plans by that goal, and returns the best of them, at most elites, the best
// first. If f's value differs by less than a microsecond from that of a plan in all, it keeps only one of the two: the better or,
// if they are equal, the smaller. It changes all in place. If f is nil, it returns all as it is.
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
