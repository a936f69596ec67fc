package bound

import "time"

// far is more than any time.
const far = time.Duration(1) << 60

// zone is a set of values that a number of times can have: by[i*times+j] is by how much time i is later than time j at most. It
// has all that follows from other entries: a difference-bound matrix that is closed.
type zone struct {
	times int
	by    [allTimes * allTimes]time.Duration // the rest is 0; an array can be copied without asking for memory
}

// newZone returns the zone in which that many times can have any values.
func newZone(times int) zone {
	z := zone{times: times}
	for i := range times * times {
		if i%(times+1) != 0 {
			z.by[i] = far
		}
	}
	return z
}

// later returns by how much time i is later than time j, at most.
func (z *zone) later(i, j int) time.Duration { return z.by[i*z.times+j] }

// most leaves in the zone what has time i later than time j by no more than by. It returns false, and changes nothing, where
// nothing has.
func (z *zone) most(i, j int, by time.Duration) bool {
	if z.later(j, i)+by < 0 {
		return false
	}
	if z.later(i, j) <= by {
		return true
	}
	after := z.by[j*z.times : (j+1)*z.times]
	for a := range z.times {
		if from := z.later(a, i) + by; from < far/2 {
			row := z.by[a*z.times : (a+1)*z.times]
			for b, more := range after {
				row[b] = min(row[b], from+more)
			}
		}
	}
	return true
}

// within leaves in the zone what has time i later than time j by low to high. It returns false where nothing has, and the zone
// is then of no use.
func (z *zone) within(i, j int, low, high time.Duration) bool {
	return z.most(j, i, -low) && z.most(i, j, high)
}

// covers tells whether all of another zone is in z.
func (z *zone) covers(o *zone) bool {
	for i := range z.times * z.times {
		if z.by[i] < o.by[i] {
			return false
		}
	}
	return true
}

// put stores in z, from time i on, n times of another zone from time j on.
func (z *zone) put(i int, o *zone, j, n int) {
	for k := range n {
		copy(z.by[(i+k)*z.times+i:][:n], o.by[(j+k)*o.times+j:][:n])
	}
}
