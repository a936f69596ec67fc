package forecast_test

import (
	"math"
	"time"
)

// This file has the arithmetic of polls: what becomes of a leader's attempts to renew, as a sum over all their courses. It uses
// nothing of the simulator.

// fate is what may become of one request: with that probability its answer comes after that time, as a success or as an error.
type fate struct {
	probability float64
	takes       time.Duration
	succeeds    bool
}

// never is how long a request takes that is not answered.
const never = time.Duration(math.MaxInt64 / 4)

// pollOf is a leader's poll: attempts on a grid of a RetryPeriod, which the deadline cuts off. The lease is longer than a RetryPeriod and
// the deadline together, so that each attempt begins with a write.
type pollOf struct {
	lease, deadline, retry time.Duration
	// timeout is how long a request waits for its answer, 0 is for ever.
	timeout time.Duration
	fates   []fate
}

// polled is a poll's end: how likely it fails, and the mean of how long it takes and of how many requests it sends.
type polled struct{ fails, takes, sends float64 }

// sum returns the sum over all courses of a poll.
func (p *pollOf) sum() polled {
	var all polled
	p.attempt(&all, 1, 0, 0)
	return all
}

// attempt adds the courses that begin with an attempt at that time, each with its probability.
func (p *pollOf) attempt(all *polled, probability float64, at time.Duration, sent int) {
	p.request(all, probability, at, at, sent, update)
}

// step is the request of an attempt: an update on the version seen last; if that fails a read; if that succeeds another update.
type step int

const (
	update step = iota
	read
	updateRead
)

// request adds the courses of the attempt that began at began and sends its next request at at.
func (p *pollOf) request(all *polled, probability float64, began, at time.Duration, sent int, s step) {
	if probability < 1e-18 {
		return
	}
	for _, f := range p.fates {
		share, end, succeeds := probability*f.probability, at+f.takes, f.succeeds
		if p.timeout > 0 && f.takes > p.timeout {
			end, succeeds = at+p.timeout, false
		}
		switch {
		case end >= p.deadline:
			p.over(all, share, p.deadline, sent+1, true)
		case succeeds && s == read:
			p.request(all, share, began, end, sent+1, updateRead)
		case succeeds:
			p.over(all, share, end, sent+1, false)
		case s == update:
			p.request(all, share, began, end, sent+1, read)
		default:
			p.again(all, share, began, end, sent+1)
		}
	}
}

// again adds the courses after an attempt that has failed. The next one begins at once if a tick came during the last one, and
// otherwise at the next tick. At the deadline none begins: its timer is older than the ticker.
func (p *pollOf) again(all *polled, probability float64, began, ended time.Duration, sent int) {
	next := began - began%p.retry + p.retry
	next = max(next, ended)
	if next >= p.deadline {
		p.over(all, probability, p.deadline, sent, true)
		return
	}
	p.attempt(all, probability, next, sent)
}

// over adds a course that ends.
func (p *pollOf) over(all *polled, probability float64, at time.Duration, sent int, fails bool) {
	if fails {
		all.fails += probability
	}
	all.takes += probability * at.Seconds()
	all.sends += probability * float64(sent)
}

// exchange is a request of the acquiring sort, whose answer has no deadline: how likely it succeeds, and the means of how long
// it takes if it does and if it does not.
type exchange struct{ succeeds, takes, failing float64 }

// exchange returns what becomes of a request that nothing but the timeout ends.
func (p *pollOf) exchange() exchange {
	var x exchange
	for _, f := range p.fates {
		if f.succeeds && (p.timeout == 0 || f.takes <= p.timeout) {
			x.succeeds += f.probability
			x.takes += f.probability * f.takes.Seconds()
			continue
		}
		takes := f.takes
		if p.timeout > 0 {
			takes = min(takes, p.timeout)
		}
		x.failing += f.probability * takes.Seconds()
	}
	x.takes /= x.succeeds
	if x.succeeds < 1 {
		x.failing /= 1 - x.succeeds
	}
	return x
}

// reacquired returns the mean time until a candidate leads which begins to acquire a lock whose record has its own name: it
// reads and writes. If the write fails it knows the record, and tries to write before it reads; but a lease after it has read the
// record it again reads and writes.
func (p *pollOf) reacquired() float64 {
	x := p.exchange()
	ok, fail := x.succeeds, 1-x.succeeds
	wait := (1 + jitterFactor/2) * p.retry.Seconds()
	// mean is the mean time of one request, whatever becomes of it.
	mean := ok*x.takes + fail*x.failing
	// valid is the mean time from an attempt on that writes first, if the lease lasted for ever: up to three requests, and a failure if
	// the read fails or the second update. expired is that from an attempt on that reads first.
	failsValid, failsExpired := fail*(1-ok*ok), 1-ok*ok
	valid := (mean + fail*(mean+ok*mean) + failsValid*wait) / (1 - failsValid)
	expired := (mean + ok*mean + failsExpired*wait) / (1 - failsExpired)
	// known is the mean time from when the record is known until the candidate leads.
	inVain := firstAfterFailures(p.lease, p.retry, time.Duration(mean*1e9), failsValid).sum()
	known := wait + valid + inVain*(expired-valid)
	// At first: E = mean + ok (mean + fail known) + fail (wait + E).
	return (mean + ok*(mean+fail*known) + fail*wait) / (1 - fail)
}

// usual is the truth of one candidate that stands again at once, in usual times.
type usual struct{ losses, leaderless float64 }

// usual returns it. A term is polls with a wait between them, the last of which fails; then comes a gap.
func (p *pollOf) usual() usual {
	one := p.sum()
	polls := 1 / one.fails
	gap := p.reacquired()
	cycle := polls*one.takes + (polls-1)*p.retry.Seconds() + gap
	return usual{losses: 1 / cycle, leaderless: gap / cycle}
}
