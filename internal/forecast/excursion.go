package forecast

import "time"

// excursion is the time from a leader's request that is not answered in time until its next success or, if there is none, until
// somebody leads again and nobody else works.
type excursion struct {
	on bool
	// replica is the leader; lost: its term has ended.
	replica int
	lost    bool
}

// sortOf is a sort of fates that may cost a leader the lock.
type sortOf int

// The sorts. A failed request is followed by another; a hanging one is not answered before the client gives up or the leader does.
// A late one is answered so late that it may be too late. A passing one is answered in time, but it was a read, after which a write
// has to succeed, or a write that may meet an earlier one which the leader had given up.
const (
	failing sortOf = iota
	hanging
	late
	passing
	sorts
)

// danger has the probabilities of those fates of a leader's request.
type danger struct {
	chance [sorts]float64
	// limit is beyond which an answer is hanging, and doubt beyond which it is late.
	limit, doubt time.Duration
}

// all returns the sum of the chances: how likely any of these fates is.
func (d *danger) all() (sum float64) {
	for _, p := range d.chance {
		sum += p
	}
	return sum
}

// tick is the least difference of times that matters.
const tick = time.Microsecond

// danger returns the chances of the fates that threaten a leader's request which is sent now. ok is false if they are not known:
// the replica does not lead, another one works beside it, or its term has to be over by now.
func (p *play) danger(replica int, o *odds, at time.Duration) (d danger, ok bool) {
	r := &p.replicas[replica]
	if p.s.lasts == 0 || !r.working || p.rivals(replica) {
		return d, false
	}
	// An answer in time is a success for certain only while the lease holds, so that nobody else can have taken it.
	d.limit = r.success + p.s.lasts - at
	d.doubt = min(d.limit, r.success+p.s.Candidate.RenewDeadline-at, r.sent+p.s.Candidate.LeaseDuration-at)
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

// through adds the sort passing to the chances: requests that are answered in time. All chances then add up to 1.
func (d *danger) through() { d.chance[passing] = max(0, 1-d.all()) }

// rivals tells whether any other replica works.
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

// choose returns how likely each sort is chosen in that state, by what was learned, as shares of their sum n.
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

// evenly returns what choose does, with each sort that is possible as likely as any other.
func (d *danger) evenly() (chosen [sorts]float64, n float64) {
	for k, p := range d.chance {
		if p > 0 {
			chosen[k] = 1
			n++
		}
	}
	return chosen, n
}

// draw draws one of the fates that d has, with other probabilities than they have: those that v has learned for their sorts or,
// if v is nil, all sorts alike. weight is the true probability of the sort divided by the one with which it was drawn.
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
