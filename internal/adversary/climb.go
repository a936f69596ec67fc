package adversary

import "time"

// climb looks for the longest overlap in so many runs, or until it finds one that is longer than enough; the same seed
// leads to the same result. First it looks at one candidate alone, for the longest time that it works since others last
// saw its record change. Then other candidates join, or plans for several are drawn. In the end it changes the best
// plans of all.
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

// alone makes one climb with a single candidate, and keeps its best plan among those of one candidate.
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

// join adds other candidates to a plan of a single one, in a few ways, and puts the best result on the island.
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

// third looks for a plan in which one candidate's release wipes another one's lease, adds further candidates that can take the lock then, and puts
// the best on the island.
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

// onSecond returns the offset of the only candidate's wall clock with which the first of the writes that look the same
// carries a whole second, or hardly more. All of them are then in one second.
func (k *climber) onSecond(alone *found) time.Duration {
	late := alone.end.renewed%time.Second - alone.g.Parts[0].Offset - edge/2
	return ((-late)%time.Second + time.Second) % time.Second
}
