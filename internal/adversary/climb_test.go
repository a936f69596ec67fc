package adversary

import "time"

// climb searches for the plan with the longest overlap, and returns it with its outcome. It ends after about runs runs, or as
// soon as an overlap is longer than enough. The same seed leads to the same result. It begins with plans for one candidate that
// works long after others last saw its record change. Then it adds candidates to such plans, or draws plans for several
// candidates. In the end it changes the best plans.
func climb(c *Case, w world, seed uint64, runs int, enough time.Duration) *found {
	k := &climber{c: c, w: w, d: newDraw(seed, 2), limit: runs, enough: enough}
	length := min(max(runs/20, 50), 2000)
	alone, several := 0.4, 0.8
	if c.Config.ReleaseOnCancel { // then more depends on how several come together
		alone, several = 0.15, 0.5
	}
	for n := 0; n == 0 || k.left(alone); n++ {
		k.alone(n, length)
	}
	for k.left(alone + 0.1) {
		at := &island{at: pick(k.d, k.lone...), of: staleNow, cold: true}
		k.climb(at, length/4)
		k.refate(at, length/4)
		k.sweep(at, length/4)
		k.lone = keep(k.lone, at.best, staleNow)
	}
	for n := 0; k.left(1) && (n == 0 || k.left(several)); n++ {
		at := &island{of: overlap}
		switch {
		case n%4 == 3:
			k.crowd(at, 3+k.d.IntN(3), length/2)
		case n%3 == 2:
			k.settle(at, false)
		case n%3 == 1 && c.Config.ReleaseOnCancel:
			k.third(at, length/2)
		default:
			k.join(at, k.lone[min(len(k.lone)-1, int(k.d.ExpFloat64()))])
		}
		k.climb(at, length)
		k.sweep(at, length/2)
		k.all = keep(k.all, at.best, overlap)
	}
	for n := 0; k.left(1); n++ {
		at := &island{at: k.all[min(len(k.all)-1, int(k.d.ExpFloat64()))], of: overlap, cold: true}
		if n%2 == 1 {
			at.take(at.at)
			k.crowd(at, 3+k.d.IntN(3), length/4)
		}
		k.climb(at, length/4)
		k.sweep(at, length/4)
		k.all = keep(k.all, at.best, overlap)
	}
	return k.best
}

// alone searches for the best plan with a single candidate, with up to about length runs for each part of the search, and adds it
// to k.lone. If n is odd, it first looks for a plan that is stale at the start of the work, and then at the end; if n is even, at
// the end only.
func (k *climber) alone(n, length int) {
	at := &island{of: staleEnd}
	if n%2 == 1 {
		at.of = staleStart
	}
	k.settle(at, true)
	k.climb(at, length)
	if n%2 == 1 { // and then, soon, it hears nothing
		from := at.best
		at = &island{of: staleEnd}
		for number := range 5 {
			g := from.g.clone()
			g.Parts[0].Segments = append(g.Parts[0].Segments, k.d.cut(Step{from.start.phase, 1 + number}))
			at.take(k.try(g))
		}
		k.climb(at, length/4)
	}
	k.refate(at, length/2)
	at.of = staleNow
	k.sweep(at, length/2)
	k.lone = keep(k.lone, at.best, staleNow)
}

// join adds one to three other candidates to copies of a plan with a single candidate, in a few random ways. It runs these plans,
// and offers each to the island at.
func (k *climber) join(at *island, alone *found) {
	for n := 0; n == 0 || n < max(6, min(30, k.limit/100)) && k.left(1); n++ {
		g := alone.g.clone()
		if k.d.chance(0.8) {
			g.Parts[0].Offset = k.onSecond(alone)
		}
		for len(g.Parts) < 2 || k.d.chance(0.2) && len(g.Parts) < 4 {
			g.Parts = append(g.Parts, k.d.follower(k.c, alone))
		}
		at.take(k.try(g))
	}
}

// third first searches, in about length runs, for a plan in which one candidate works long after another one's release. Then it
// adds one more candidate to that plan, in several random ways, and offers each result to the island at.
func (k *climber) third(at *island, length int) {
	two := &island{of: func(f *found) time.Duration { return f.o.wiped(1, f.g.Horizon) }}
	k.settle(two, false)
	k.climb(two, length)
	for n := 0; n == 0 || n < max(6, min(30, k.limit/100)) && k.left(1); n++ {
		g := two.best.g.clone()
		g.Parts = append(g.Parts, k.d.follower(k.c, two.best))
		at.take(k.try(g))
	}
}

// onSecond returns an offset for the wall clock of the only candidate of the plan alone. With that offset the first of the last
// writes that look alike to others has a time at or just after a whole second, so that all these writes are in one second.
func (k *climber) onSecond(alone *found) time.Duration {
	late := alone.end.renewed%time.Second - alone.g.Parts[0].Offset - edge/2
	return ((-late)%time.Second + time.Second) % time.Second
}
