package adversary

import "time"

// island has a plan that a search changes for the better: at is the present plan, and of is the goal that says what is better.
type island struct {
	at *found
	// best is the best plan that was on the island.
	best *found
	of   goal
	// cold: a change for the worse is never kept.
	cold bool
}

// take makes f the island's present plan if it is better than that, and the island's best plan if it is better than that one,
// by the island's goal. On an empty island f becomes both.
func (i *island) take(f *found) {
	if i.at == nil || i.of(f) > i.of(i.at) {
		i.at = f
	}
	if i.best == nil || i.of(f) > i.of(i.best) {
		i.best = f
	}
}

// climb changes an island's present plan by random changes, in about length runs, and stores the results on the island. At first
// a change for the worse is sometimes kept; this becomes ever less likely, and never happens on a cold island. It ends early if
// the climber's runs are used up, or if it has found enough.
func (k *climber) climb(at *island, length int) {
	at.take(at.at)
	began := k.runs
	for gone := 0; gone < length && k.left(1); gone = k.runs - began {
		heat := 1 - 1.5*float64(gone)/float64(length)
		if at.cold {
			heat = 0
		}
		if k.d.chance(0.25) {
			k.polish(at)
		} else {
			k.change(at, heat)
		}
	}
}

// sweep moves each number of the island's best plan up and down, in random order, as long as that makes the plan better, in about
// length runs. It offers the results to the island. It ends early if no number can be moved for the better.
func (k *climber) sweep(at *island, length int) {
	began := k.runs
	for again := true; again; {
		again = false
		all := k.d.genes(k.c, at.best.g, at.best.o)
		k.d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, x := range all {
			for _, sign := range []time.Duration{1, -1} {
				if k.runs-began >= length {
					return
				}
				before := at.best
				at.take(k.slide(before, at.of, []moving{{x, sign}}, time.Microsecond))
				again = again || at.of(at.best) > at.of(before)+time.Microsecond
			}
		}
	}
}

// refate tries, in the island's best plan, every extreme fate for each request shortly before and after a start of work, in at
// most length runs. It offers the results to the island, and begins anew after each improvement. A plan that is only as good
// sometimes becomes the best one too.
func (k *climber) refate(at *island, length int) {
	began := k.runs
	for again := true; again; {
		again = false
		f := at.best
		for _, q := range f.o.around(about) {
			for _, corner := range k.c.corners() {
				for more := range 3 {
					if k.runs-began >= length || !k.left(1) {
						return
					}
					g := f.g.tidy(f.o)
					g.Parts[q.Candidate].insert(q.Step, corner, more)
					next := k.try(g)
					if at.of(next) == at.of(at.best) && k.d.chance(0.1) {
						at.best = next
					}
					at.take(next)
				}
			}
			if at.of(at.best) > at.of(f)+time.Microsecond {
				again = true
				break
			}
			f = at.best
		}
	}
}

// change makes one to six random changes in a copy of the island's present plan, now and then replaces a candidate of it by one
// of another good plan, and runs it. A better plan becomes the present one, and often one that is as good. With heat, from 0 to
// 1, a plan that is a little worse sometimes becomes it as well.
func (k *climber) change(at *island, heat float64) {
	g := k.d.mutate(k.c, at.at.g.tidy(at.at.o), at.at.o)
	if len(at.at.g.Parts) == 1 {
		g.Parts = g.Parts[:1]
	} else if len(k.all) > 0 && k.d.chance(0.05) {
		other := pick(k.d, k.all...).g
		g.Parts[k.d.IntN(len(g.Parts))] = other.clone().Parts[k.d.IntN(len(other.Parts))]
	}
	f := k.try(g)
	worse := at.of(at.at) - at.of(f)
	limit := time.Duration(max(0, heat) * k.d.ExpFloat64() * 0.2 * float64(k.c.Config.RetryPeriod))
	if worse > 0 && worse < limit || worse == 0 && (g.size() <= at.at.g.size() || k.d.chance(0.5)) {
		at.at = f
	}
	at.take(f)
}

// moving is a gene with the direction in which it is moved.
type moving struct {
	gene
	sign time.Duration
}

// polish draws one or two numbers of the island's present plan, and moves them as long as that makes the plan better. It offers
// the result to the island.
func (k *climber) polish(at *island) {
	all := k.d.genes(k.c, at.at.g, at.at.o)
	var along []moving
	for range pick(k.d, 1, 1, 2) {
		along = append(along, moving{all[k.d.IntN(len(all))], pick[time.Duration](k.d, -1, 1)})
	}
	first := pick(k.d, 1, time.Microsecond, time.Millisecond, k.c.Config.RetryPeriod/16, k.d.between(1, k.c.Config.RetryPeriod))
	at.take(k.slide(at.at, at.of, along, first))
}

// slide moves all the numbers in along at once, in copies of the plan f, as long as that raises its value by that goal. It
// returns the best plan, which is f itself if the first step is no better. The steps grow from first; when a step is too long,
// they shrink, down to a nanosecond.
func (k *climber) slide(f *found, of goal, along []moving, first time.Duration) *found {
	better := func(step time.Duration) bool {
		if !k.left(1) {
			return false
		}
		g := f.g.clone()
		for _, m := range along {
			if !m.move(k.c, g, m.sign*step) {
				return false
			}
		}
		next := k.try(g)
		if of(next) <= of(f) {
			return false
		}
		f = next
		return true
	}
	step := first
	for better(step) {
		step *= 4
	}
	if step == first {
		return f
	}
	for step /= 2; step > 0; step /= 2 {
		for better(step) {
		}
	}
	return f
}

// settle runs a few new random plans, at least one, and offers each to the island at. If alone is true, each plan has a single
// candidate, some of whose first requests are lost or fail; see trouble.
func (k *climber) settle(at *island, alone bool) {
	tries := 6
	if alone {
		tries = max(6, min(60, k.limit/100))
	}
	for n := 0; n == 0 || n < tries && k.left(1); n++ {
		g := k.d.genome(k.c)
		if alone {
			g.Parts = g.Parts[:1]
			k.d.trouble(k.c, &g.Parts[0])
		}
		at.take(k.try(g))
	}
}
