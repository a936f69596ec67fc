package check

import (
	"slices"
	"time"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// windowFold is safety-window: between the end of a leader's work context and the start of another's work lie
// LeaseDuration - RenewDeadline, less what the clocks' rates take and less a second where the other one compares
// whole seconds. A violation is the part of the window that was missing.
type windowFold struct {
	found
	roster *trace.Roster
	// rates are the slowest and the fastest rate of each candidate's clock so far.
	rates []rates
	// served is the highest rate of the service's clock, 0 where it decides nothing.
	served uint64
	// released tells of each candidate whether it has released the lock since its work started, and latest the place of that
	// work among all works that have started, from 1.
	released []bool
	latest   []uint64
	// coordinated: there is a coordinator. kept is the candidate whose claim it has left as it was when it wrote last, trace.Nobody if it
	// named another holder.
	coordinated bool
	kept        int32
	// windows are those that another's start could still hurt, at most one of each candidate.
	windows []openWindow
}

// openWindow is the window of a candidate whose work was told to end, at the instant from, in nanoseconds of true time. The window was over for
// the candidate after as that began to work, trace.Nobody if it has been over for none.
type openWindow struct {
	candidate, after int32
	from             int64
}

// rates are the lowest and the highest rate that a clock has had, in parts per million.
type rates struct{ slow, fast uint64 }

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// reset begins the judgement of a run: clocks have the rates of the header, and no window is open. It implements fold.
func (f *windowFold) reset(h *trace.Header, r *trace.Roster) {
	*f = windowFold{
		found: f.found.again(h), roster: r, rates: reuse.Sized(f.rates, len(h.Candidates)), kept: trace.Nobody,
		released: reuse.Zeroed(f.released, len(h.Candidates)), latest: reuse.Zeroed(f.latest, len(h.Candidates)), windows: f.windows[:0],
	}
	if h.Service != nil {
		f.served = uint64(million + h.Service.DriftPPM)
	}
	for i := range h.Candidates {
		r := uint64(million + h.Candidates[i].DriftPPM)
		f.rates[i] = rates{r, r}
		f.coordinated = f.coordinated || h.Candidates[i].Coordinator
	}
}

var windowKinds = trace.KindsOf(trace.ClockChanged, trace.ServiceClock, trace.Written, trace.WorkStarted,
	trace.WorkCancelled)

// rate updates the slowest and the fastest rate of a candidate's clock so far by its new drift, in parts per million.
func (f *windowFold) rate(candidate int32, driftPPM int64) {
	r, of := uint64(million+driftPPM), &f.rates[candidate]
	of.slow, of.fast = min(of.slow, r), max(of.fast, r)
}

// observe updates the releases, windows, violations and rates of clocks by an event.
func (f *windowFold) observe(e *trace.Event) {
	switch e.Kind {
	case trace.ClockChanged:
		f.rate(e.Candidate, int64(e.Rate))
	case trace.ServiceClock:
		f.served = max(f.served, uint64(million+int64(e.Rate)))
	case trace.Written:
		f.written(e)
	case trace.WorkStarted:
		f.started(e)
	case trace.WorkCancelled:
		f.cancelled(e)
	}
}

// written handles a write. A candidate that gives up an object which it holds has released the lock, and its window no longer
// counts; of two objects, one is enough. Nor do windows that were over as it began to work: whoever works next need not have waited for the
// leases of the leaders before it, and may have a slower clock. If a coordinator writes the record and leaves its holder, that candidate still holds it.
func (f *windowFold) written(e *trace.Event) {
	if e.Holder != "" && !f.coordinated {
		return
	}
	before := &f.roster.Records[e.Object]
	claimant := before.Claimant
	if f.coordinates(claimant) {
		claimant = f.kept
	}
	if f.coordinates(e.Candidate) {
		f.kept = trace.Nobody
		if before.Exists && e.Holder == before.Holder {
			f.kept = claimant
		}
		return
	}
	if e.Holder != "" || !before.Exists || claimant != e.Candidate {
		return
	}
	f.released[e.Candidate] = true
	f.windows = slices.DeleteFunc(f.windows, func(w openWindow) bool { return w.candidate == e.Candidate || w.after == e.Candidate })
}

// coordinates tells whether a candidate is the coordinator.
func (f *windowFold) coordinates(candidate int32) bool {
	return candidate != trace.Nobody && f.header.Candidates[candidate].Coordinator
}

// started handles the start of a candidate's work. It stores that the candidate has not released the lock since, and that this
// work is the latest of all. It adds a violation for each other candidate's window that is not over, and drops the windows
// that are over. For a candidate that compares whole seconds a window ends a second earlier.
func (f *windowFold) started(e *trace.Event) {
	f.released[e.Candidate] = false
	f.latest[e.Candidate] = f.roster.Started + 1
	kept := f.windows[:0]
	for _, w := range f.windows {
		// Not before now, since a clock may have changed in the window.
		to := w.from + f.promised(w.candidate, e.Candidate)
		if f.header.Candidates[e.Candidate].ComparesSeconds {
			to -= int64(time.Second)
		}
		switch {
		case w.candidate == e.Candidate:
		case e.At < to:
			f.violate(e.At, to, w.candidate, e.Candidate)
		default:
			w.after = e.Candidate
		}
		if e.At < w.from+f.longest(w.candidate) {
			kept = append(kept, w)
		}
	}
	f.windows = kept
}

// cancelled handles the end of a leader's work context. Its window opens there, unless the leader has crashed or released the
// lock, or its LeaseDuration is no longer than its RenewDeadline. It adds a violation for each other candidate that works
// already, or has begun to work since the leader's work began; none if the leader has crashed or released the lock.
func (f *windowFold) cancelled(e *trace.Event) {
	work := f.roster.Work(e)
	if work != nil && work.Crashed || f.released[e.Candidate] {
		return
	}
	for other, latest := range f.latest {
		began := work != nil && latest > work.Order
		if other := int32(other); other != e.Candidate && (began || f.works(other)) {
			f.violate(e.At, e.At+max(f.promised(e.Candidate, other), 0), e.Candidate, other)
		}
	}
	if f.longest(e.Candidate) > 0 {
		// That of earlier work of the candidate ends before this one.
		f.windows = slices.DeleteFunc(f.windows, func(w openWindow) bool { return w.candidate == e.Candidate })
		f.windows = append(f.windows, openWindow{candidate: e.Candidate, after: trace.Nobody, from: e.At})
	}
}

// works tells whether any work of a candidate goes on.
func (f *windowFold) works(candidate int32) bool {
	_, found := slices.BinarySearch(f.roster.Workers, candidate)
	return found
}

// longest returns the length of a candidate's window where clocks are right, in nanoseconds. It can be negative.
func (f *windowFold) longest(candidate int32) int64 {
	c := &f.header.Candidates[candidate]
	return int64(c.LeaseDuration - c.RenewDeadline)
}

// promised returns how long, after a candidate's work was told to end, the other one must not work: nanoseconds of true time.
// It is the LeaseDuration by the fastest clock that can find the lease run out, less the RenewDeadline by the candidate's own
// clock at its slowest; where clocks are slow it is not more than the difference of both. It can be negative.
func (f *windowFold) promised(candidate, other int32) int64 {
	c := &f.header.Candidates[candidate]
	fast := f.rates[other].fast
	for i := range f.header.Candidates {
		if f.header.Candidates[i].Coordinator {
			fast = max(fast, f.rates[i].fast)
		}
	}
	if c.Expires() && !c.OwnNow {
		fast = f.served
	}
	window := trace.TrueTime(int64(c.LeaseDuration), fast, false) - trace.TrueTime(int64(c.RenewDeadline), f.rates[candidate].slow, true)
	return min(window, f.longest(candidate))
}
