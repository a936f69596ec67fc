package stage

import (
	"math/rand/v2"
	"slices"
	"time"
)

// The numbers of a search for the longest overlap among courses.
const (
	// bestTried is how many courses it goes on from, and triedSteps how many changes of each it tries.
	bestTried  = 12
	triedSteps = 1000
	// everyOther is more other traffic than there ever is.
	everyOther = 1 << 30
)

// rated is a course and the overlap that it shows.
type rated struct {
	course
	overlap time.Duration
}

// longestCourse returns the course with the longest overlap that it finds. It tries courses of which all is common but how long their
// attempts take, and before which call other traffic begins to come, and then changes the best of them step by step. The same trial has the
// same answer.
func (t *trial) longestCourse() rated {
	var best []rated
	t.common(func(o *course) {
		score := t.play(o)
		if len(best) == bestTried && score <= best[bestTried-1].overlap {
			return
		}
		at, _ := slices.BinarySearchFunc(best, score, func(r rated, d time.Duration) int { return int(d - r.overlap) })
		best = slices.Insert(best, at, rated{*o, score})
		best = best[:min(len(best), bestTried)]
	})
	r := courseMutator{rand.New(rand.NewPCG(1, 1)), t}
	for i := range best {
		best[i] = r.climb(best[i])
	}
	return slices.MaxFunc(best, func(a, b rated) int { return int(a.overlap - b.overlap) })
}

// quick is an attempt that fails at once, though its first write is applied.
var quick = triedAttempt{{ends: triedFails}, {ends: triedSucceeds}, {ends: triedFails}}

// slowAttempts are attempts that fail, and perhaps outlast a tick.
var slowAttempts = [...]triedAttempt{
	quick,
	{{ends: triedFails}, {ends: triedSucceeds}, {ends: triedFails, upTo: triedOutlast}},
	{{ends: triedFails}, {ends: triedSucceeds}, {ends: triedFails, upTo: triedNext}},
	{{ends: triedFails, upTo: triedLongest}, {ends: triedSucceeds, upTo: triedLongest}, {ends: triedFails, upTo: triedLongest}},
	{{ends: triedLost}, {ends: triedSucceeds}, {ends: triedFails}},
	{{ends: triedLost}, {ends: triedSucceeds, upTo: triedTick}, {ends: triedFails}},
	{{ends: triedLost}, {ends: triedSucceeds}, {ends: triedLost}},
	{{ends: triedLost}, {ends: triedSucceeds}, {ends: triedFails, upTo: triedNext}},
}

// lastAttempts are attempts that succeed as late as they can.
var lastAttempts = [...]triedAttempt{
	{{ends: triedFails, upTo: triedLongest}, {ends: triedSucceeds, upTo: triedLongest}, {ends: triedSucceeds, upTo: triedLongest}},
	{{ends: triedLost}, {ends: triedSucceeds, upTo: triedLongest}, {ends: triedSucceeds, upTo: triedLongest}},
}

// common calls try with each common course: a candidate acquires the lock, and perhaps renews it; up to two slow attempts follow, perhaps one
// whose write counts, and the last attempt.
func (t *trial) common(try func(*course)) {
	created := triedAttempt{{}, {ends: triedSucceeds}, {ends: triedSucceeds}}
	named := []triedAttempt{quick, quick}
	late := triedAttempt{{ends: triedFails}, {ends: triedSucceeds}, {ends: triedSucceeds, upTo: triedOwn}}
	lostLate := late
	lostLate[theFirst].ends = triedLost
	starts := [][]triedAttempt{{created}, {created, {{ends: triedSucceeds}}}, append(slices.Clone(named), late), append(slices.Clone(named), lostLate)}
	middles := [][]triedAttempt{nil}
	for i := range slowAttempts {
		middles = append(middles, slowAttempts[i:i+1])
		for j := range slowAttempts {
			middles = append(middles, []triedAttempt{slowAttempts[i], slowAttempts[j]},
				[]triedAttempt{slowAttempts[i], slowAttempts[j], quick})
		}
	}
	for _, last := range lastAttempts {
		for _, start := range starts {
			for _, middle := range middles {
				t.crowded(slices.Concat(start, middle, []triedAttempt{last}), try)
			}
		}
	}
}

// crowded calls try with the course of all attempts, and other traffic from each of its last calls on.
func (t *trial) crowded(all []triedAttempt, try func(*course)) {
	o := course{n: len(all)}
	copy(o.all[:], all)
	try(&o)
	for i := range min(len(all), 3) {
		for call := range perAttempt {
			o.all[o.n-1-i][perAttempt-1-call].count = everyOther
			try(&o)
		}
	}
}

// courseMutator changes courses.
type courseMutator struct {
	*rand.Rand
	t *trial
}

// climb goes on from a course as long as its overlap does not get shorter.
func (r courseMutator) climb(from rated) rated {
	for range triedSteps {
		o := from.course
		for range 1 + r.IntN(3) {
			r.change(&o)
		}
		if score := r.t.play(&o); score >= from.overlap {
			from = rated{o, score}
		}
	}
	return from
}

// change changes a course in one way.
func (r courseMutator) change(o *course) {
	i := r.IntN(o.n)
	switch r.IntN(24) {
	case 0:
		if o.n < mostTried {
			copy(o.all[i+1:], o.all[i:o.n])
			o.all[i] = slowAttempts[r.IntN(len(slowAttempts))]
			o.n++
		}
	case 1:
		if o.n > 1 {
			copy(o.all[i:], o.all[i+1:o.n])
			o.n--
		}
	default:
		f := &o.all[i][r.IntN(perAttempt)]
		r.vary(f)
		if r.IntN(4) == 0 {
			g := &o.all[r.IntN(o.n)][r.IntN(perAttempt)]
			f.count, g.count = g.count, f.count
		}
	}
}

// vary changes what becomes of a call.
func (r courseMutator) vary(f *triedCall) {
	switch r.IntN(7) {
	case 0:
		f.count = 0
	case 1:
		f.count = everyOther
	case 2:
		f.count = r.IntN(r.t.e.MostAtOnce() + 2)
	case 3:
		if f.count == everyOther {
			f.count = r.t.e.MostAtOnce()
		}
		f.count = max(0, f.count+r.IntN(5)-2)
	case 4:
		f.early = 0
		if len(r.t.lacks) > 0 && r.IntN(3) > 0 {
			f.early = max(0, r.t.lacks[r.IntN(len(r.t.lacks))]+r.t.margin)
		}
	case 5:
		f.ends = triedEnd(r.IntN(int(triedEnds)))
	case 6:
		f.upTo = triedUpTo(r.IntN(int(triedUpTos)))
	}
}
