package adversary

import (
	"cmp"
	"slices"
	"time"
)

// found is a plan with what it came to.
type found struct {
	g     *Genome
	o     *Outcome
	score time.Duration
	// end and start are what else may be climbed on, where there is one candidate: see Outcome.staleness.
	end, start stale
}

// goal is what an island climbs on.
type goal func(*found) time.Duration

// overlap is the goal of a long overlap; staleEnd that of a long time from the first write that looks like the last one to the end of the work, with
// its hint; staleNow is the same as staleEnd without the hint.
func overlap(f *found) time.Duration { return f.score }

func staleEnd(f *found) time.Duration { return f.end.long + f.end.hint }

func staleNow(f *found) time.Duration { return f.end.long }

// staleStart is the goal of a long time from the first write that looks like the last one to the start of the work, with its hint.
func staleStart(f *found) time.Duration { return f.start.long + f.start.hint }

// elites is how many there are.
const elites = 5

// keep puts a plan among the best ones, which it returns sorted. Of two plans with hardly different scores it keeps one.
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
