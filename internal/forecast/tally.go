package forecast

import "time"

// metric is what is counted in a window.
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
	metrics
)

// gap is a time in which nobody worked.
type gap struct{ weight, seconds float64 }

// outcome is what a window has shown.
type outcome struct {
	values [metrics]float64
	gaps   []gap
	// branches is how many excursions were run.
	branches int
}

// tally counts in one run what belongs to it: in the run of a window, what begins in the measured time and in no excursion; in a
// branch, what begins in its excursion.
type tally struct {
	values [metrics]float64
	gaps   []float64
	// led: somebody has led. vacant and doubled: nobody works, and two do, since then; counted: it counts.
	led             bool
	vacant, doubled struct {
		on, counted bool
		since       time.Duration
	}
}

// counts tells whether what begins now belongs to the run.
func (t *tally) counts(p *play, at time.Duration) bool {
	if p.branch != nil {
		return p.live && p.on
	}
	return !p.on && p.w.in(at)
}

// open begins the count of a branch: what has begun before belongs to the run of the window.
func (t *tally) open() { t.vacant.counted, t.doubled.counted = false, false }

// request counts a request.
func (t *tally) request(p *play, at time.Duration) {
	if p.branch == nil && p.w.in(at) {
		t.values[requests]++
	}
}

// restart counts a process that has ended and comes back.
func (t *tally) restart(p *play, at time.Duration) {
	if t.counts(p, at) {
		t.values[restarts]++
	}
}

// loss counts a loss of replica i if it belongs to the run: to a branch, the loss in which its excursion ends; to the run of a
// window, each other loss in the measured time.
func (t *tally) loss(p *play, i int, at time.Duration) {
	own := p.on && p.replica == i
	if p.branch != nil && p.live && own || p.branch == nil && !own && p.w.in(at) {
		t.values[losses]++
	}
}

// works is called when a replica has begun or ended to work. It begins and ends the time in which nobody works and the time in
// which the work of two goes on, and counts an overlap when the latter begins.
func (t *tally) works(p *play, at time.Duration) {
	working, busy := p.present()
	t.led = t.led || working > 0
	switch {
	case working == 0 && t.led && !t.vacant.on:
		t.vacant.on, t.vacant.counted, t.vacant.since = true, t.counts(p, at), at
	case working > 0 && t.vacant.on:
		t.fill(at)
	}
	switch {
	case busy > 1 && !t.doubled.on:
		t.doubled.on, t.doubled.counted, t.doubled.since = true, t.counts(p, at), at
		if t.doubled.counted {
			t.values[overlaps]++
		}
	case busy < 2 && t.doubled.on:
		t.part(at)
	}
}

// enter begins the measured time. If nobody has ever led, nobody works from here on.
func (t *tally) enter(at time.Duration) {
	if !t.led {
		t.vacant.on, t.vacant.counted, t.vacant.since = true, true, at
	}
}

// never ends the measured time in which nobody has ever led. It is no gap, which would have an end.
func (t *tally) never(at time.Duration) {
	if t.vacant.counted {
		t.values[leaderless] += (at - t.vacant.since).Seconds()
	}
	t.vacant.on, t.vacant.counted = false, false
}

// fill ends the time in which nobody works.
func (t *tally) fill(at time.Duration) {
	if d := at - t.vacant.since; t.vacant.counted && d > 0 {
		t.values[leaderless] += d.Seconds()
		t.gaps = append(t.gaps, d.Seconds())
	}
	t.vacant.on, t.vacant.counted = false, false
}

// part ends the time in which two work.
func (t *tally) part(at time.Duration) {
	if t.doubled.counted {
		t.values[overlapTime] += (at - t.doubled.since).Seconds()
	}
	t.doubled.on, t.doubled.counted = false, false
}

// waits tells whether something that counts has not ended.
func (t *tally) waits() bool { return t.vacant.counted || t.doubled.counted }

// end ends what the run's end cuts off: it counts for as long as it was seen.
func (t *tally) end(now time.Duration) {
	if t.vacant.on {
		t.fill(now)
	}
	if t.doubled.on {
		t.part(now)
	}
}
