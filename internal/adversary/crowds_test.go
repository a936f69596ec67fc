package adversary

import "time"

// crowded returns a goal that favours plans with n candidates at once. Its value is the overlap, and a small part of the time for
// which n candidates work at once. If release is true, it adds instead a part of the time for which n-1 candidates still work
// after another one's release. The addition tells plans of the same overlap apart.
func crowded(n int, release bool) goal {
	return func(f *found) time.Duration {
		many := f.o.together(n, f.g.Horizon)
		if release {
			many = f.o.wiped(n-1, f.g.Horizon)
		}
		return f.score + many/64
	}
}

// crowd searches for plans in which 3 candidates work at once, then 4, and so on up to the number given as most, with about
// length runs for each number. It begins with one of k.all or with a new plan, as it draws. It offers the best plan of each number
// to the island at. At the end it takes the last of these plans, pruned, as the island's present plan, even if it is worse.
func (k *climber) crowd(at *island, most, length int) {
	now := &island{of: overlap}
	if len(k.all) > 0 && k.d.chance(0.8) {
		now.take(k.all[min(len(k.all)-1, int(k.d.ExpFloat64()/2))])
	} else {
		k.settle(now, false)
		k.climb(now, length)
	}
	for n := 3; n <= most && k.left(1); n++ {
		from := k.prune(now.best, now.of)
		now = &island{of: crowded(n, k.c.Config.ReleaseOnCancel && k.d.chance(0.7))}
		now.take(from)
		for tries := 0; tries < 40 && k.left(1); tries++ {
			now.take(k.try(k.larger(now.best)))
		}
		k.climb(now, length)
		at.take(now.best)
	}
	at.take(now.best)
	at.at = k.prune(now.best, now.of)
}

// prune returns the plan f without the candidates that it does not need. It drops one candidate at a time, as long as more than
// two remain, and keeps the smaller plan if its value by that goal is no lower. It stops early if the climber's runs are used up
// or it has found enough.
func (k *climber) prune(f *found, of goal) *found {
	for i := len(f.g.Parts) - 1; i >= 0 && len(f.g.Parts) > 2 && k.left(1); i-- {
		g := f.g.tidy(f.o)
		g.drop(i, f.o)
		if less := k.try(g); of(less) >= of(f) {
			f = less
		}
	}
	return f
}

// larger returns a changed copy of a plan: mostly with one or more further candidates, otherwise with a change of who takes part.
// A plan of mostParts candidates loses one first. At random the copy is mutated too. Its horizon is mostly longer.
func (k *climber) larger(from *found) *Genome {
	g, d := from.g.tidy(from.o), k.d
	if len(g.Parts) == mostParts {
		g.drop(d.IntN(mostParts), from.o)
	}
	if d.chance(0.7) {
		for again := true; again && len(g.Parts) < mostParts; again = d.chance(0.3) {
			p := d.follower(k.c, from)
			d.follow(k.c, &p, from.o)
			g.Parts = append(g.Parts, p)
		}
	} else {
		d.reshape(k.c, g, d.IntN(len(g.Parts)), from.o)
	}
	if d.chance(0.5) {
		g = d.mutate(k.c, g, from.o)
	}
	g.Horizon = min(max(g.Horizon, d.period(from.o)+from.g.Horizon), 2*k.c.horizon(d)+g.Horizon/2)
	return g
}
