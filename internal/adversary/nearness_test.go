package adversary

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// report is what attacks came to.
type report struct {
	refuted, asked, seen int
	// byKind is how near plans from nothing came to overlaps that are claimed to be exact, and fromWorst how near those of the worst case
	// did. apart is the same of work that never overlaps, and how near it comes to that.
	byKind           map[string]*nearness
	fromWorst, apart nearness
}

// reached is how near to a bound an overlap comes that shows it to be exact.
const reached = time.Millisecond

// add takes in what was found of a case whose bound claims to be exact. One that is not reached is too large, or should not claim
// that, or its worst case is more than what a plan shows.
func (r *report) add(t *testing.T, c *Case, most time.Duration, own, from *found, seed uint64) {
	if own != nil && most > 0 {
		kind := fmt.Sprint(c.Config.Profile.Name, " ", c.Config.Lock, " release ", c.Config.ReleaseOnCancel)
		if r.byKind[kind] == nil {
			r.byKind[kind] = &nearness{}
		}
		r.byKind[kind].add(most-own.score, most)
	}
	if from == nil {
		return
	}
	shown := from.score
	if own != nil {
		shown = max(shown, own.score)
	}
	if most > 0 {
		r.fromWorst.add(most-from.score, most)
	} else {
		r.apart.add(most-from.score, -most)
	}
	if !isReached(most, shown) {
		t.Errorf("NOT REACHED seed %d: %v: an overlap of %v is claimed to be exact, and %v is shown", seed, c, most, shown)
	}
}

func isReached(most, shown time.Duration) bool { return most-shown <= reached }

func (r *report) print() {
	all := &nearness{}
	for _, kind := range slices.Sorted(maps.Keys(r.byKind)) {
		fmt.Println(kind, r.byKind[kind])
		all.join(r.byKind[kind])
	}
	if all.cases > 0 {
		fmt.Println("from nothing:", all)
	}
	if r.fromWorst.cases > 0 {
		fmt.Println("from the worst case that was derived:", &r.fromWorst)
	}
	if r.apart.cases > 0 {
		fmt.Println("work that never overlaps, from the nearest that was derived:", &r.apart)
	}
	if *onSim {
		fmt.Printf("%d of %d overlaps shown on the library, too\n", r.seen, r.asked)
	}
}

// nearness is how near to exact bounds the longest overlaps came.
type nearness struct {
	cases, ms, ms10, percent, tenth int
	worst                           time.Duration
}

func (n *nearness) add(short, of time.Duration) {
	n.cases++
	for _, x := range []struct {
		count *int
		limit time.Duration
	}{{&n.ms, time.Millisecond}, {&n.ms10, 10 * time.Millisecond}, {&n.percent, of / 100}, {&n.tenth, of / 10}} {
		if short <= x.limit {
			*x.count++
		}
	}
	n.worst = max(n.worst, short)
}

func (n *nearness) join(o *nearness) {
	n.cases, n.ms, n.ms10, n.percent, n.tenth = n.cases+o.cases, n.ms+o.ms, n.ms10+o.ms10, n.percent+o.percent, n.tenth+o.tenth
	n.worst = max(n.worst, o.worst)
}

func (n *nearness) String() string {
	return fmt.Sprintf("%d exact cases: %d within 1ms, %d within 10ms, %d within 1%%, %d within a tenth, worst short by %v",
		n.cases, n.ms, n.ms10, n.percent, n.tenth, n.worst)
}
