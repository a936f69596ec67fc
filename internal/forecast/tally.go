package forecast

import "time"

// metric is something that is counted in each window.
type metric int

// The metrics. Times are in seconds.
const (
	losses metric = iota
	leaderless
	requests
	restarts
	overlaps
	overlapTime
	// dangers is the probability of excursions.
	dangers
	// cut is how many gaps had not ended when the run did.
	cut
	metrics
)

// gap is a time in which nobody worked. weight is for how many such gaps it counts.
type gap struct{ weight, seconds float64 }

// outcome is what a window has shown.
type outcome struct {
	values [metrics]float64
	gaps   []gap
	// branches is how many branches the window had.
	branches int
}

// tally counts, in one run, what belongs to that run. To the run of a window belongs what begins in the measured time and in no
// excursion. To a branch belongs what begins in its excursion.
type tally struct {
	values [metrics]float64
	gaps   []float64
	// led: somebody has led. vacant.on: nobody works, since vacant.since. doubled.on: the work of two goes on, since
	// doubled.since. counted: that time belongs to the run.
	led             bool
	vacant, doubled struct {
		on, counted bool
		since       time.Duration
	}
}

// counts tells whether something that begins at the time at belongs to the run. For the run of a window, that is so within its
// measured time and outside excursions. For a branch, it is so in its excursion, once it has branched off.
func (t *tally) counts(p *play, at time.Duration) bool {
	if p.branch != nil {
		return p.live && p.on
	}
	return !p.on && p.w.in(at)
}

// open begins the count of a branch: times that have begun before no longer count, since they belong to the run of the window.
func (t *tally) open() { t.vacant.counted, t.doubled.counted = false, false }

// request counts a request that is sent in the measured time of a window's run. Branches count none.
func (t *tally) request(p *play, at time.Duration) {
	if p.branch == nil && p.w.in(at) {
		t.values[requests] += p.w.lull.times(at)
	}
}

// restart counts a process that has ended and comes back, if this belongs to the run.
func (t *tally) restart(p *play, at time.Duration) {
	if t.counts(p, at) {
		t.values[restarts]++
	}
}

// loss counts a loss of replica i if it belongs to the run. To a branch belongs the loss in which its excursion ends. To the run
// of a window belongs every loss in the measured time that ends no excursion.
func (t *tally) loss(p *play, i int, at time.Duration) {
	own := p.on && p.replica == i
	if p.branch != nil && p.live && own || p.branch == nil && !own && p.w.in(at) {
		t.values[losses]++
	}
}

// works updates the tally at the time at, after a replica has begun or ended to work. It begins or ends the time in which nobody
// works, and the time in which the work of two goes on. It counts an overlap when the latter begins, if that belongs to the run.
func (t *tally) works(p *play, at time.Duration) {
	working, busy := p.present()
	t.led = t.led || working > 0
	switch {
	case working == 0 && t.led && !t.vacant.on:
		t.vacant.on, t.vacant.counted, t.vacant.since = true, t.counts(p, at), at
	case working > 0 && t.vacant.on:
		t.fill(p.w, at)
	}
	switch {
	case busy > 1 && !t.doubled.on:
		t.doubled.on, t.doubled.counted, t.doubled.since = true, t.counts(p, at), at
		if t.doubled.counted {
			t.values[overlaps]++
		}
	case busy < 2 && t.doubled.on:
		t.part(p.w, at)
	}
}

// enter begins the measured time. If nobody has led before, the time in which nobody works counts from here on.
func (t *tally) enter(at time.Duration) {
	if !t.led {
		t.vacant.on, t.vacant.counted, t.vacant.since = true, true, at
	}
}

// never ends the measured time of a window in which nobody has ever led, and counts it as leaderless. It adds no gap, since a gap
// would have an end.
func (t *tally) never(w *window, at time.Duration) {
	if t.vacant.counted {
		t.values[leaderless] += w.lull.passes(t.vacant.since, at).Seconds()
	}
	t.vacant.on, t.vacant.counted = false, false
}

// fill ends the time in which nobody works. If that time counts and is longer than 0, it adds it to leaderless and to the gaps.
func (t *tally) fill(w *window, at time.Duration) {
	if d := w.lull.passes(t.vacant.since, at); t.vacant.counted && d > 0 {
		t.values[leaderless] += d.Seconds()
		t.gaps = append(t.gaps, d.Seconds())
	}
	t.vacant.on, t.vacant.counted = false, false
}

// part ends the time in which the work of two goes on. If that time counts, it adds it to overlapTime.
func (t *tally) part(w *window, at time.Duration) {
	if t.doubled.counted {
		t.values[overlapTime] += w.lull.passes(t.doubled.since, at).Seconds()
	}
	t.doubled.on, t.doubled.counted = false, false
}

// waits tells whether a time that counts has not ended: nobody works, or the work of two goes on.
func (t *tally) waits() bool { return t.vacant.counted || t.doubled.counted }

// end ends, at the time now, the times that the end of the run cuts off: each counts for as long as it was seen.
func (t *tally) end(w *window, now time.Duration) {
	if t.vacant.on {
		if t.vacant.counted {
			t.values[cut]++
		}
		t.fill(w, now)
	}
	if t.doubled.on {
		t.part(w, now)
	}
}
