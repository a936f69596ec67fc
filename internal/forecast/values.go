package forecast

import "time"

// values has, for each state of an excursion and each sort of fate, how likely the excursion then ends in a loss. It was
// learned from runs of its own, and says only what to try more often: what it says need not be right.
type values struct {
	sum, count [sorts][states]float64
}

// states is how many states are told apart: how many retry periods have passed since the last success, and which request of an
// attempt comes next.
const states = 192

// state returns the state in which a leader is whose last success is that long ago. The next request is a read, or a write that
// follows a read, or the first write of an attempt.
func state(since, retryPeriod time.Duration, reads, follows bool) int {
	x := 3 * int(min((since+retryPeriod/8)/retryPeriod, states/3-1))
	switch {
	case reads:
		return x + 1
	case follows:
		return x + 2
	}
	return x
}

// step is one request of an excursion.
type step struct {
	which sortOf
	state int
	// weight is by what its probability was multiplied.
	weight float64
}

// knows tells whether it was a read that was answered in time.
func (s *step) knows() bool { return s.which == passing && s.state%3 == 1 }

// of returns the value of a sort of fate in a state. Where nothing is known it is that of other sorts.
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

// learn adds the steps of an excursion to the values. lost tells whether the excursion ended in a loss.
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
