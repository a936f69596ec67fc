package bound

import "time"

// far is larger than any time that occurs; as a difference it stands for "no limit".
const far = time.Duration(1) << 60

// zone is a set of values that some times can have together. by[i*times+j] is the most by which time i is later than time j. Each
// entry is as small as the other entries imply: by is a closed difference-bound matrix.
type zone struct {
	times int
	by    [blankTimes * blankTimes]time.Duration // the rest is 0; an array can be copied without asking for memory
}

// newZone returns the zone of that many times, numbered from 0, in which they can have any values.
func newZone(times int) zone {
	z := zone{times: times}
	for i := range times * times {
		if i%(times+1) != 0 {
			z.by[i] = far
		}
	}
	return z
}

// later returns the most by which time i can be later than time j; far if there is no limit.
func (z *zone) later(i, j int) time.Duration { return z.by[i*z.times+j] }

// most removes from the zone all values with which time i is later than time j by more than the duration that is given as by. It
// keeps the matrix closed. If no value would remain, it returns false and changes nothing.
func (z *zone) most(i, j int, by time.Duration) bool {
	if z.later(j, i)+by < 0 {
		return false
	}
	if z.later(i, j) <= by {
		return true
	}
	// Where time a is later than time j by no more than this allows, its row stays as it is: the matrix is closed.
	after := z.by[j*z.times : (j+1)*z.times]
	var limited [blankTimes]int // the times that j is later than by a limited time
	n := 0
	for b, more := range after {
		if more < far/2 {
			limited[n] = b
			n++
		}
	}
	for a := range z.times {
		row := z.by[a*z.times : (a+1)*z.times]
		if from := row[i] + by; from < min(row[j], far/2) {
			for _, b := range limited[:n] {
				if sum := from + after[b]; sum < row[b] {
					row[b] = sum
				}
			}
		}
	}
	return true
}

// within removes from the zone all values with which time i is not later than time j by low to high, both included. It returns
// false if no value remains; the caller must not use the zone after that.
func (z *zone) within(i, j int, low, high time.Duration) bool {
	return z.most(j, i, -low) && z.most(i, j, high)
}

// covers tells whether z contains all values of zone o. Both must have the same number of times.
func (z *zone) covers(o *zone) bool {
	for i := range z.times * z.times {
		if z.by[i] < o.by[i] {
			return false
		}
	}
	return true
}

// put copies into z the differences between n times of zone o: o's times from j on become z's times from i on. It does not close
// z.
func (z *zone) put(i int, o *zone, j, n int) {
	for k := range n {
		copy(z.by[(i+k)*z.times+i:][:n], o.by[(j+k)*o.times+j:][:n])
	}
}
