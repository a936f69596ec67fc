package investigate

import (
	"net/http"
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// pace has bounds of RetryPeriod and RenewDeadline. They follow from when processes renewed, tried and gave up, if their logs
// are in client-go's words. Of the upper bound of RetryPeriod, late is how long a request and its answer were on their way, by
// the bounds of the clock; it is negative if nothing bounds that. spacings are all bounds of RetryPeriod that were found.
type pace struct {
	period, deadline bounded
	late             time.Duration
	spacings         []time.Duration
	// last is the renewal, as an index into the story's writes, from which the upper bound of RenewDeadline counts, and of is its pod.
	last int
	of   *pod
}

// paceOf returns the pace of the processes of the lock: the bounds, which are dropped where they contradict each other, and the
// likely values. Processes whose words are not client-go's, or whose clock was set, do not count.
func (t *teller) paceOf() *pace {
	x := &pace{}
	for _, p := range t.pods {
		for _, c := range p.courses {
			if saysClientGo(c.acquired) && !p.set {
				t.goesOn(x, c)
				t.gaveUp(x, c, t.renewed(x, c))
			}
		}
	}
	x.period.settle()
	x.deadline.settle()
	if x.period.High != nil {
		x.period.Likely = x.likelyPeriod(usual(*x.period.High))
	}
	period := &t.o.RetryPeriod
	if *period == 0 {
		period = x.period.High
	}
	if period != nil {
		t.guess(x, *period)
	}
	return x
}

// likelyPeriod returns v, a value of RetryPeriod near its upper bound, if nothing shows that the process was later by as much
// as tells such values apart: neither the network, by x.late, nor a pause. For that, it must have waited so long twice.
// Otherwise likelyPeriod returns 0.
func (x *pace) likelyPeriod(v time.Duration) time.Duration {
	as := slices.DeleteFunc(slices.Clone(x.spacings), func(d time.Duration) bool { return d > v+roughly(v) })
	if x.late < 0 || x.late > roughly(v) || len(as) < 2 {
		return 0
	}
	return v
}

// guess sets the likely RenewDeadline (x.deadline.Likely), if RetryPeriod is period. It needs both bounds of RenewDeadline. The
// upper bound exceeds RenewDeadline by a RetryPeriod if the last renewal was answered, and by nothing if it was not. So guess
// tries both: it takes the upper bound with and without period off, and rounds it to a value that people write (see usual). The
// value counts if it is not below the lower bound, and not more than a period, and a hundredth of one, above it: the last
// attempt that is seen was made so shortly before the deadline. If both values count, or neither, none is likely; nor is that with a
// period off, if the renewal perhaps had no answer (see unanswered).
func (t *teller) guess(x *pace, period time.Duration) {
	d := &x.deadline
	if d.Low == nil || d.High == nil {
		return
	}
	answered := usual(*d.High - period)
	for _, v := range []time.Duration{answered, usual(*d.High)} {
		if v < *d.Low || v-period > *d.Low+period/100 {
			continue
		}
		if d.Likely > 0 {
			d.Likely = 0
			return
		}
		d.Likely = v
	}
	if d.Likely == answered && t.unanswered(x.of, x.last, period) {
		d.Likely = 0
	}
}

// unanswered tells whether the renewal with the index i, by pod p, perhaps had no answer, if RetryPeriod is period: much less than that
// after it was stamped the process said that something failed, or its client asked for something about the lock; or a request of that
// client met a conflict before anybody else wrote. A process that had an answer waits for a RetryPeriod, and knows the version of its write.
func (t *teller) unanswered(p *pod, i int, period time.Duration) bool {
	w, soon := &t.s.Writes[i], period*9/10
	if p.failed(w.Record.Renew, w.Record.Renew.Add(soon)) {
		return true
	}
	all := t.clients[clientOf(t.by[i])]
	for k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(w.Received) }); k < len(all); k++ {
		q := all[k]
		if i+1 < len(t.s.Writes) && !q.Received.Before(t.s.Writes[i+1].Received) {
			break
		}
		if q.Received.Before(w.Received.Add(soon)) || q.Status == http.StatusConflict {
			return true
		}
	}
	return false
}

// renewed bounds RetryPeriod of x from above: after a renewal that was answered well, a process waits for a RetryPeriod before
// it begins the next one. So the time counts from the answer, unless the process perhaps did not wait for that (see waited):
// then it counts from when the server received the renewal. x.late is set by how well the offset is bounded: its bounds are
// apart by what a request and an answer took on their way, at least. renewed returns the index of the last renewal which certainly began
// a poll, -1 if there is none. Renewals between which something failed, and those of a client that is perhaps not client-go, do
// not count. Nothing bounds RetryPeriod from below: a process whose answers all come late by the same time writes as seldom.
func (t *teller) renewed(x *pace, c *course) (last int) {
	own := c.pod.writes
	last = -1
	from := sort.Search(len(own), func(k int) bool { return !t.s.Writes[own[k]].Record.Renew.Before(c.after()) })
	for k := from + 1; k < len(own); k++ {
		a, b := &t.s.Writes[own[k-1]], &t.s.Writes[own[k]]
		until := b.Record.Renew.Add(t.stamp)
		if until.After(c.limit) {
			break
		}
		if foreign(a.By) || foreign(b.By) || !b.Record.Renew.After(a.Record.Renew) || c.pod.failed(a.Record.Renew, until) {
			continue
		}
		d := b.Received.Sub(a.Received)
		if t.waited(t.by[own[k-1]]) {
			d = b.Received.Sub(a.Answered)
		}
		why := Link{[]evidence.Place{a.Place, b.Place}, "its own log says that nothing failed between these renewals: once the first was answered, it waited for a RetryPeriod"}
		x.spacings = append(x.spacings, d)
		if x.period.atMost(d+moved(d), why) {
			x.late = -1
			if at := c.pod.instant(a.Record.Renew, 0); !at.Low.IsZero() && !at.High.IsZero() {
				x.late = at.High.Sub(at.Low)
			}
		}
		last = own[k]
	}
	return last
}

// waited tells whether a client waited for the answer to a request, or had none: the server received nothing else about the lock from it until
// then. client-go says nothing of an update that failed, and reads the record at once.
func (t *teller) waited(q *evidence.Request) bool {
	all := t.clients[clientOf(q)]
	k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(q.Received) })
	return k == len(all) || all[k].Received.After(q.Answered)
}

// failed tells whether the pod says that something failed, in a line that was written between from and until, by its clock. A
// line of which the stamp is too coarse to tell counts if it was perhaps written after from, and so does one that names no lock.
func (p *pod) failed(from, until time.Time) bool {
	if p.perhapsFailed(from, until) {
		return true
	}
	k := p.notBefore(from)
	for ; k < len(p.sayings) && p.sayings[k].At.Before(until); k++ {
		if s := p.sayings[k]; s.Step == evidence.Failed && s.At.Add(unit(s)).After(from) {
			return true
		}
	}
	return false
}

// perhapsFailed tells whether the pod says between from and until, by its clock, that something failed which may be about this lock or
// about another one.
func (p *pod) perhapsFailed(from, until time.Time) bool {
	return slices.ContainsFunc(p.nameless, func(s *evidence.Saying) bool { return s.At.Add(unit(s)).After(from) && s.At.Before(until) })
}

// gaveUp bounds RenewDeadline of x from above, if the course ends with a line of client-go that the process gave up at its
// deadline. The write with the index last is a renewal of the course by which a poll began, so that its stamp says when: the poll that
// was given up is that one or a later one, and lasted no longer than from the stamp to the line. If last is -1, gaveUp does nothing.
func (t *teller) gaveUp(x *pace, c *course, last int) {
	if s := c.ends; last >= 0 && s != nil && s.Step == evidence.Lost && saysClientGo(s) && atDeadline(s) {
		w := &t.s.Writes[last]
		d := s.At.Add(unit(s)).Sub(w.Record.Renew)
		if x.deadline.atMost(d+moved(d), Link{[]evidence.Place{w.Place, s.Place}, "it began to renew, and gave up at its deadline so much later"}) {
			x.last, x.of = last, c.pod
		}
	}
}

// goesOn bounds RenewDeadline of x from below, by two attempts of one poll: the first was refused, and the process had no
// success before the second.
func (t *teller) goesOn(x *pace, c *course) {
	var first *evidence.Request
	done := c.after().Add(-t.stamp)
	for _, q := range c.pod.attempts {
		at := q.Wrote.Renew
		if at.Before(c.after()) || at.Add(t.stamp).After(c.limit) || foreign(q.Agent) {
			continue
		}
		if first != nil && t.unbroken(c.pod, first, q) {
			d := at.Sub(first.Wrote.Renew) - t.stamp
			x.deadline.atLeast(d-moved(d), Link{[]evidence.Place{first.Place, q.Place}, "an attempt was refused, and the process still tried so much later"})
		}
		switch {
		case accepted(q):
			first, done = nil, at
		case first == nil && !at.Before(done.Add(t.stamp)):
			first = q
		}
	}
}

// unbroken tells whether the pod had no success between the request first, which was refused, and its later request second. For
// that, the accepted writes around them must follow each other, and the one before must be the pod's own and stamped earlier.
func (t *teller) unbroken(p *pod, first, second *evidence.Request) bool {
	all := t.s.Writes
	i := sort.Search(len(all), func(i int) bool { return all[i].Received.After(first.Received) })
	if i == 0 || i == len(all) || !all[i].Follows || second.Received.Before(first.Received) || all[i].Received.Before(second.Received) {
		return false
	}
	before := &all[i-1].Record
	return t.podOf(before.Holder) == p && t.itself(t.by[i-1]) && !before.Renew.Add(t.stamp).After(first.Wrote.Renew)
}

// bounded is a timing with the bounds found so far; low and high are what its bounds rest on.
type bounded struct {
	Timing
	low, high Link
}

// atMost lowers the upper bound of the timing to d, if d is less, and tells whether it did. It rounds d up to milliseconds.
func (x *bounded) atMost(d time.Duration, why Link) bool {
	d = (d + time.Millisecond - 1).Truncate(time.Millisecond)
	less := x.High == nil || d < *x.High
	if less {
		x.High, x.high = &d, why
	}
	return less
}

// atLeast raises the lower bound of the timing to d, if d is more. It rounds d down to milliseconds.
func (x *bounded) atLeast(d time.Duration, why Link) {
	if d = d.Truncate(time.Millisecond); d > 0 && (x.Low == nil || d > *x.Low) {
		x.Low, x.low = &d, why
	}
}

// settle sets Rests to what the bounds rest on, once all are found. It drops bounds that contradict each other, as those of
// candidates with different timings do.
func (x *bounded) settle() {
	if x.Low != nil && x.High != nil && *x.Low > *x.High {
		x.Timing = Timing{}
	}
	if x.Low != nil {
		x.Rests = append(x.Rests, x.low)
	}
	if x.High != nil {
		x.Rests = append(x.Rests, x.high)
	}
}

// usual returns d rounded down to a time that people write: whole and half seconds or, below one second, tenths. It returns 0 if
// rounding takes off more than roughly allows.
func usual(d time.Duration) time.Duration {
	grid := time.Second / 2
	if d < time.Second {
		grid = time.Second / 10
	}
	v := d.Truncate(grid)
	if d-v > roughly(v) {
		return 0
	}
	return v
}

// roughly returns by how much a bound may exceed the timing v that is likely by it: by a twentieth of v, but by no more than
// a tenth of a second.
func roughly(v time.Duration) time.Duration { return min(v/20, time.Second/10) }
