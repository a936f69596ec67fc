package forecast

import "time"

// excursion is the time from a leader's request that is not answered in time until the leader's next success. If there is none,
// it lasts until somebody leads again and nobody else works.
type excursion struct {
	// on: an excursion is under way. Otherwise the other fields have no meaning.
	on bool
	// replica is the index of the leader. lost: its term has ended.
	replica int
	lost    bool
}

// sortOf is a sort of fates that can cost a leader the lock.
type sortOf int

// The sorts. failing: the request is answered by an error, and another request follows. hanging: it is not answered before the
// client or the leader gives up. late: it is answered so late that this is perhaps too late. passing: it is answered in time, but
// that alone does not save the leader: it was a read, after which a write must succeed, a write that makes the lock, which is there,
// or a write that can meet an earlier one which the leader had given up.
const (
	failing sortOf = iota
	hanging
	late
	passing
	sorts
)

// danger has, for each sort, the probability that a leader's request has a fate of that sort.
type danger struct {
	chance [sorts]float64
	// limit is the round trip from which on an answer is hanging, and doubt the round trip from which on it is late.
	limit, doubt time.Duration
}

// all returns the sum of the chances: how likely the request has one of these fates.
func (d *danger) all() (sum float64) {
	for _, p := range d.chance {
		sum += p
	}
	return sum
}

// tick is the smallest difference of times that matters here.
const tick = time.Microsecond

// danger returns the chances of the fates that threaten a replica's request which is sent at the time at with the odds o, and the
// round trips from which on an answer is hanging and late. The chance of the sort passing stays 0. ok is false if the chances are
// not known: the replica does not lead, another one works beside it, its term has to be over by that time, or nobody has led when
// the setting was learned.
func (p *play) danger(replica int, o *odds, at time.Duration) (d danger, ok bool) {
	r := &p.replicas[replica]
	if p.s.lasts == 0 || !r.working || p.rivals(replica) {
		return d, false
	}
	d.limit = r.success + p.s.lasts - at
	// An answer in time is a success for certain only if the request, which takes half of the round trip, was there before anybody else
	// could take the lock.
	d.doubt = min(d.limit, r.success+p.s.Candidate.RenewDeadline-at, 2*(r.tried+p.s.soonest-at))
	if f := p.s.Candidate.RequestTimeout; f > 0 {
		d.limit, d.doubt = min(d.limit, f), min(d.doubt, f)
	}
	d.doubt = max(0, d.doubt-tick)
	if d.limit <= 0 {
		return d, false
	}
	switch {
	case o.stalled:
		d.chance[hanging] = 1
	case o.failed:
		d.chance[failing] = 1
	default:
		hangs := o.longer(d.limit)
		d.chance = [sorts]float64{failing: o.fails, hanging: o.loses + hangs, late: max(0, o.longer(d.doubt)-hangs)}
	}
	return d, true
}

// through sets the chance of the sort passing to that of a request that is answered in time. All chances then add up to 1.
func (d *danger) through() { d.chance[passing] = max(0, 1-d.all()) }

// rivals tells whether any replica but this one works.
func (p *play) rivals(replica int) bool {
	for i := range p.replicas {
		if i != replica && p.replicas[i].working {
			return true
		}
	}
	return false
}

// bad tells whether a fate is an error, or an answer that is late or hanging.
func (d *danger) bad(f *fate) bool { return f.status != 0 || f.takes > d.doubt }

// choose returns how likely each sort is to be chosen in that state, as shares of their sum n. They follow the chances and what v
// has learned, but each possible sort keeps a small share.
func (d *danger) choose(v *values, state int) (chosen [sorts]float64, n float64) {
	all, sum := d.all(), 0.0
	for k, p := range d.chance {
		if p > 0 {
			chosen[k] = p * v.of(sortOf(k), state)
			sum += chosen[k]
		}
	}
	for k, p := range d.chance {
		if p > 0 {
			// Each sort keeps a chance of a tenth of its share, and of a hundredth in all.
			even := 0.01 + 0.09*p/all
			if sum > 0 {
				even += 0.9 * chosen[k] / sum
			}
			chosen[k] = even
			n += even
		}
	}
	return chosen, n
}

// evenly returns for each sort how likely it is to be chosen, as a share of the sum n: 1 for each sort that is possible, and 0
// for the others.
func (d *danger) evenly() (chosen [sorts]float64, n float64) {
	for k, p := range d.chance {
		if p > 0 {
			chosen[k] = 1
			n++
		}
	}
	return chosen, n
}

// draw draws one of the fates in d, with other probabilities than their true ones: those that v has learned for that state or, if
// v is nil, the same for all sorts. The function draw returns random numbers in [0,1). It also returns the sort, in which, and a
// weight: the true probability of the sort divided by the one with which it was drawn.
func (d *danger) draw(o *odds, v *values, state int, draw func() float64) (f fate, weight float64, which sortOf) {
	var chosen [sorts]float64
	var n float64
	if v == nil {
		chosen, n = d.evenly()
	} else {
		chosen, n = d.choose(v, state)
	}
	u := draw() * n
	for k := range chosen {
		if chosen[k] == 0 {
			continue
		}
		which = sortOf(k)
		if u -= chosen[k]; u < 0 {
			break
		}
	}
	weight = d.chance[which] / (chosen[which] / n)
	switch {
	case o.certain():
		return o.draw(draw), weight, which
	case which == failing:
		return o.fail(draw(), draw), weight, which
	case which == passing:
		return o.slow(-1, d.doubt, draw), weight, which
	case which == late:
		return o.slow(d.doubt, d.limit, draw), weight, which
	case draw()*d.chance[hanging] < o.loses:
		return unanswered, weight, which
	}
	return o.slow(d.limit, 0, draw), weight, which
}
