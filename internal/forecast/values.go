package forecast

import "time"

// values has what was learned of how likely an excursion ends in a loss, for each state and each sort of the next fate. It only
// guides which fates to try more often: it need not be right.
type values struct {
	sum, count [sorts][states]float64
}

// states is the number of states. A state says how many RetryPeriods have passed since the last success, and which request of an
// attempt comes next.
const states = 64 * int(asks)

// asking is which request of an attempt comes next.
type asking int

// The first write of an attempt, which knows no more than the attempt before; a read; a write that follows an answered read; and
// one that makes the lock, after a read that was answered 404.
const (
	asksFirst asking = iota
	asksRead
	asksKnowing
	asksCreate
	asks
)

// asking returns which request of an attempt replica r sends next in a branch.
func (p *play) asking(r *replica) asking {
	switch {
	case r.reads:
		return asksRead
	case r.creates:
		return asksCreate
	case len(p.steps) > 0 && p.steps[len(p.steps)-1].knows():
		return asksKnowing
	}
	return asksFirst
}

// state returns the state of a leader, 0 to states-1, whose last success was handled the duration since ago, and which sends that
// request next.
func state(since, retryPeriod time.Duration, next asking) int {
	periods := int(min((since+retryPeriod/8)/retryPeriod, time.Duration(states/int(asks)-1)))
	return periods*int(asks) + int(next)
}

// step is one request of an excursion: the sort of its fate, and the state in which it was sent.
type step struct {
	which sortOf
	state int
	// weight is the true probability of the fate divided by the one with which it was drawn.
	weight float64
}

// knows tells whether the request was a read that was answered in time.
func (s *step) knows() bool { return s.which == passing && asking(s.state)%asks == asksRead }

// of returns how likely a loss is after a fate of the sort which in that state. If that was never tried, it returns the mean over
// all sorts in that state; 1 if none was tried.
func (v *values) of(which sortOf, state int) float64 {
	if v.count[which][state] > 0 {
		return v.sum[which][state] / v.count[which][state]
	}
	sum, count := 0.0, 0.0
	for k := range sorts {
		sum += v.sum[k][state]
		count += v.count[k][state]
	}
	if count == 0 {
		return 1
	}
	return sum / count
}

// learn adds the steps of an excursion to the values. lost says whether the excursion ended in a loss. If it did, each step adds
// the product of the weights of all steps after it; otherwise each adds 0.
func (v *values) learn(steps []step, lost bool) {
	ahead := 0.0
	if lost {
		ahead = 1
	}
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		v.sum[s.which][s.state] += ahead
		v.count[s.which][s.state]++
		ahead *= s.weight
	}
}
