package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/plan"
	"interregnum/scenarios"
)

// This file shows what the closing of a connection can do: docs/method/derivation.md, "Closings". A leader's last attempt begins with a write
// whose answer is lost, the connection is closed under the read after it, and that is sent again and answered. Times are on the
// clock of the candidate unless something else is said.

// closedCourses are the courses of events in which a connection is closed under a read, each as what completes a new stage with it. A
// course that does not come about, since the waits do not allow it, leaves its stage without candidates.
var closedCourses = [...]func(*stage){
	(*stage).closedAfterPing, (*stage).closedPastPing, (*stage).closedAcquiring, (*stage).closedFirstPoll, (*stage).closedJoined,
	(*stage).closedPoll, (*stage).closedTwice, (*stage).closedEarly,
}

// closable tells whether the closed courses are of c. They are not where closings do not count, of a client that does not send such a
// read again, without a request timeout, of a profile that reads first, and on two objects.
func closable(c *bound.Config) bool {
	return closing.Counts(c) && c.RepeatsReads() && !c.Profile.ReadsFirst() && len(c.Lock.Objects()) <= 1 && c.RequestTimeout > 0
}

// margin is by how much a course keeps away from an instant at which something else would come first.
func (s *stage) margin() time.Duration { return 8 * s.leg }

// waits returns the shortest and the longest time that a candidate can wait between two attempts to acquire, by its jitter.
func (s *stage) waits() (shortest, longest time.Duration) {
	return s.cfg.RetryPeriod, s.cfg.RetryPeriod*11/5 - time.Microsecond
}

// noLimit is when something must be over at the latest that nothing limits.
const noLimit = plan.MaxDuration

// closes returns when a connection is closed under the read of an attempt that begins at the given time with a write, so that the read
// takes as long as possible. The connection is closed at the soonest at the time given as earliest, and the attempt must be over by
// limit. It returns false if there is no such time.
func (s *stage) closes(begins, earliest, limit time.Duration) (closed time.Duration, ok bool) {
	f := s.cfg.RequestTimeout
	ends := min(begins+2*f, limit) - s.margin()
	takes := s.env.MaxRoundTrip
	if s.cfg.Client.Limits() { // the later the token that it takes again, the longer the next call waits
		takes = 2 * s.margin()
	}
	closed = max(earliest, begins+f+s.margin(), ends-plan.RepeatAfter-takes)
	return closed, closed+plan.RepeatAfter+s.margin() < ends
}

// chained are attempts of a candidate that has read its own name, up to one that begins so long after that answer. refused tells
// whether the update after it is answered by an error; otherwise it is lost. failed is how many attempts follow of which nothing is
// answered, and wait is each wait.
type chained struct {
	refused      bool
	failed       int
	begins, wait time.Duration
}

// mostFailed is how many attempts without an answer are tried: more outlast any lease that a course needs.
const mostFailed = 3

// attempts returns the chained attempts with which one begins as soon as possible, but not before least, after the answer
// with the candidate's own name. refused says how the first of them ends; see chained. ok is false if none begins by most.
func (s *stage) attempts(refused bool, least, most time.Duration) (best chained, ok bool) {
	shortest, longest := s.waits()
	for failed := range mostFailed + 1 {
		fixed := time.Duration(2*failed) * s.cfg.RequestTimeout
		if !refused {
			fixed += s.cfg.RequestTimeout
		}
		n := time.Duration(failed + 1)
		wait := max(shortest, (least-fixed)/n+1)
		begins := fixed + n*wait
		if wait <= longest && begins <= most && (!ok || begins < best.begins) {
			best, ok = chained{refused, failed, begins, wait}, true
		}
	}
	return best, ok
}

// failed adds the faults of the attempts of c that fail, before the one that counts, and advances a to the beginning of that
// one.
func (s *stage) failed(a *actor, c *chained) {
	if c.refused {
		a.request(machine.Update, refused, 0)
	} else {
		a.request(machine.Update, lost, 0)
	}
	for range c.failed {
		a.wait(c.wait)
		a.request(machine.Update, lost, 0)
		a.request(machine.Get, lost, 0)
	}
	a.wait(c.wait)
}

// closer adds the leader of a course, and returns its actor. The leader's first waits are those in first, and each wait after
// them is as long as the parameter wait. It has a client whose connection can be closed, also if nothing is said of its
// client.
func (s *stage) closer(wait time.Duration, first ...time.Duration) *actor {
	if s.own == nil {
		s.own = &plan.Client{Retries: true}
	}
	s.expects()
	a := s.leader(jitterFor(s.cfg.RetryPeriod, wait))
	for _, d := range first {
		s.s.Candidates[0].FirstJitters = append(s.s.Candidates[0].FirstJitters, jitterFor(s.cfg.RetryPeriod, d))
	}
	return a
}

// read adds the faults of an attempt that begins now: its update is applied and not answered, its read is sent again once the
// connection was closed, and its second update succeeds by limit, after a wait for a token if it can have one. From the true time silent on
// nothing is answered until then. It advances a to that success, and returns when the first and the last write are applied, in true time. If
// tokens make the read too late for that, or the read is over before it is sent again, the stage stays without candidates.
func (s *stage) read(a *actor, silent, closed, limit time.Duration) (first, last time.Duration) {
	begun := a.local
	first = a.request(machine.Update, unheard, 0)
	a.token(0)
	if a.local >= closed {
		s.s.Candidates = nil
		return 0, 0
	}
	a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, a.now, a.now+a.leg) // the read, before the connection falls silent
	a.wait(closed + plan.RepeatAfter - a.local)
	if a.local >= min(limit, begun+2*s.cfg.RequestTimeout) {
		s.s.Candidates = nil
		return 0, 0
	}
	s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, silent, a.now-2*s.near)
	left := func(until time.Duration) time.Duration { return bound.True(max(0, until-a.local), a.driftPPM) - slack }
	a.request(machine.Get, answered, min(left(begun+2*s.cfg.RequestTimeout), left(limit)-2*a.trip(), a.direct()))
	return first, a.request(machine.Update, answered, min(left(limit), a.answer()))
}

// succeeded completes the scenario after the leader's last success, of which first and last were the writes, in true time: the leader is
// cut off from now on, and its last poll begins after the given wait. It does nothing if the stage has no candidates.
func (s *stage) succeeded(a *actor, first, last, wait time.Duration) {
	if len(s.s.Candidates) == 0 {
		return
	}
	a.wait(wait)
	polled := a.now
	a.wait(s.cfg.RenewDeadline)
	s.takenOver(a, polled, first, last, s.env.MaxPause)
	s.round()
}

// frame has the candidate of a read something that is no answer (plan.FaultFrame), plan.LongestStall before its connection is
// to be closed. The time closed is on the candidate's clock. It returns from when on nothing must be read, in true time.
func (s *stage) frame(a *actor, closed time.Duration) (silent time.Duration) {
	at := bound.True(closed-plan.LongestStall, a.driftPPM) // its clock has had that rate from the start
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultFrame, At: at, On: []string{a.id}})
	return at + 2*a.leg
}

// closedAcquiring completes the scenario with a candidate that has read its own name, and whose connection is closed plan.LongestStall
// after that or later. If the waits do not allow that, the stage stays without candidates.
func (s *stage) closedAcquiring() {
	f, shift := s.cfg.RequestTimeout, s.margin()
	least := plan.LongestStall + plan.RepeatAfter + 3*shift - 2*f
	for _, refused := range []bool{true, false} {
		c, ok := s.attempts(refused, max(least, 0), s.cfg.Lease()-shift)
		closed, also := s.closes(c.begins, plan.LongestStall+shift, noLimit)
		if !ok || !also {
			continue
		}
		a := s.closer(c.wait, s.cfg.RetryPeriod)
		s.readsOwnName(a, 0)
		closed += a.local
		silent := s.frame(a, closed)
		s.failed(a, &c)
		s.s.Candidates[0].Clock.Offset = a.newSecond()
		first, last := s.read(a, silent, closed, noLimit)
		s.succeeded(a, first, last, 0)
		return
	}
}

// closedFirstPoll completes the scenario with a leader whose acquiring was answered just after a ping was sent, and whose connection is
// closed in its first poll, whose write is in the same second. If the waits do not allow that, the stage stays without candidates.
func (s *stage) closedFirstPoll() {
	f, shift := s.cfg.RequestTimeout, s.margin()
	takes := min(s.env.MaxRoundTrip, f-shift, time.Second-shift)
	if f >= plan.PingWait-2*shift || plan.PingWait+plan.RepeatAfter >= min(2*f, s.cfg.RenewDeadline) {
		return
	}
	for _, refused := range []bool{true, false} {
		c, ok := s.attempts(refused, plan.ReadIdle+3*shift-takes, s.cfg.Lease()-shift)
		if !ok {
			continue
		}
		a := s.closer(c.wait, s.cfg.RetryPeriod)
		s.readsOwnName(a, 0)
		closed := a.local + c.begins + takes - shift + plan.PingWait
		s.frame(a, closed)
		s.failed(a, &c)
		s.s.Candidates[0].Clock.Offset = a.newSecond()
		silent := a.now + 2*a.leg
		first := a.request(machine.Update, answered, bound.True(takes, a.driftPPM))
		_, last := s.read(a, silent, closed, a.local+s.cfg.RenewDeadline)
		s.succeeded(a, first, last, s.cfg.RetryPeriod)
		return
	}
}

// closedJoined completes the scenario with a leader whose connection is closed in its first poll, plan.LongestStall after its acquiring or
// later. The acquiring takes so long that it writes in the same second. If the waits do not allow that, the stage stays without
// candidates.
func (s *stage) closedJoined() {
	closed, ok := s.closes(0, plan.LongestStall+s.margin(), s.cfg.RenewDeadline)
	if !ok {
		return
	}
	a := s.closer(s.cfg.RetryPeriod)
	first, offset := s.acquireSlowly(a, &bound.Chain{Gap: min(time.Second, 3*s.env.MaxRoundTrip)})
	s.s.Candidates[0].Clock.Offset = offset
	closed += a.local
	_, last := s.read(a, s.frame(a, closed), closed, a.local+s.cfg.RenewDeadline)
	s.succeeded(a, first, last, s.cfg.RetryPeriod)
}

// acquiredEarly adds a leader that acquires the lock in an attempt whose write is applied and not answered. Its connection is closed so early
// that the attempt is over in the same second, but just before that second is over. It returns the leader's actor, and when that write is
// applied, in true time. If the waits do not allow that, it returns nil, and the stage stays without candidates.
func (s *stage) acquiredEarly() (a *actor, first time.Duration) {
	shift := s.margin()
	open := time.Second - 2*shift
	var c chained
	var closed, silent time.Duration
	early, fits := s.beforePing()
	pinged, ok := s.attempts(false, plan.PingWait-open+shift, min(s.cfg.Lease(), plan.PingWait)-shift)
	later, also := s.attempts(true, plan.LongestStall-open+shift, s.cfg.Lease()-shift)
	if !also {
		later, also = s.attempts(false, plan.LongestStall-open+shift, s.cfg.Lease()-shift)
	}
	switch {
	case fits && ok:
		c = pinged
		a = s.closer(c.wait, early.waits()...)
		closed, silent = early.play(a)
		closed += plan.PingWait
	case also:
		c = later
		a = s.closer(c.wait, s.cfg.RetryPeriod)
		s.readsOwnName(a, 0)
		closed = a.local + c.begins + open
		silent = s.frame(a, closed)
	default:
		return nil, 0
	}
	s.failed(a, &c)
	s.s.Candidates[0].Clock.Offset = a.newSecond()
	a.token(0)
	if a.local >= closed {
		s.s.Candidates = nil
		return nil, 0
	}
	first = a.now + a.leg
	a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, a.now, first)
	a.wait(closed - a.local)
	s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, silent, a.now-2*s.near)
	a.plain(2)
	return a, first
}

// closedEarly completes the scenario with such a leader, whose first poll begins with a write that is lost. If the waits do not allow that, the
// stage stays without candidates.
func (s *stage) closedEarly() {
	if a, first := s.acquiredEarly(); a != nil {
		a.polled = a.local
		last := a.last(&bound.Chain{Last: bound.True(s.cfg.RequestTimeout, a.driftPPM) + 2*a.answer(), FirstLost: true})
		s.succeeded(a, first, last, s.cfg.RetryPeriod)
	}
}

// closedTwice completes the scenario with such a leader, whose next connection is closed under a read of its first poll. If the waits do not
// allow that, the stage stays without candidates.
func (s *stage) closedTwice() {
	closed, ok := s.closes(0, plan.LongestStall+s.margin(), s.cfg.RenewDeadline)
	if !ok {
		return
	}
	if a, first := s.acquiredEarly(); a != nil {
		closed += a.local
		_, last := s.read(a, s.frame(a, closed), closed, a.local+s.cfg.RenewDeadline)
		s.succeeded(a, first, last, s.cfg.RetryPeriod)
	}
}

// closedPoll completes the scenario with a leader whose connection is closed in a poll, plan.LongestStall after its last renewal or later.
// If the waits do not allow that, the stage stays without candidates.
func (s *stage) closedPoll() {
	closed, ok := s.closes(s.cfg.RetryPeriod, plan.LongestStall+s.margin(), s.cfg.RetryPeriod+s.cfg.RenewDeadline)
	if !ok {
		return
	}
	a := s.closer(s.cfg.RetryPeriod)
	a.acquire()
	a.renew()
	closed += a.observed
	s.s.Candidates[0].Clock.Offset = a.newSecond()
	first, last := s.read(a, s.frame(a, closed), closed, a.local+s.cfg.RenewDeadline)
	s.succeeded(a, first, last, s.cfg.RetryPeriod)
}

// closedAfterPing completes the scenario with a candidate that reads its own name just after a ping was sent, and whose connection is
// closed plan.PingWait after the ping. If the waits do not allow that, the stage stays without candidates.
func (s *stage) closedAfterPing() {
	f, shift := s.cfg.RequestTimeout, s.margin()
	closed := plan.PingWait - 2*s.leg
	c, ok := s.attempts(false, closed+plan.RepeatAfter+shift-2*f, s.cfg.Lease()-shift)
	early, fits := s.beforePing()
	if !ok || !fits || c.begins+f > closed-shift {
		return
	}
	a := s.closer(c.wait, early.waits()...)
	pinged, silent := early.play(a)
	s.failed(a, &c)
	s.s.Candidates[0].Clock.Offset = a.newSecond()
	first, last := s.read(a, silent, pinged+plan.PingWait, noLimit)
	s.succeeded(a, first, last, 0)
}

// beforePing is what comes before a ping: for plan.ReadIdle nothing is answered, and a Get is sent just before the ping, and answered
// just after it. heard tells whether the candidate's Create was answered before that, by an error; otherwise the Get before the Create
// was. lost is how many Gets are lost before the one that counts, and wait is each wait.
type beforePing struct {
	heard bool
	lost  int
	wait  time.Duration
}

// waits returns the waits up to the Get that counts.
func (e beforePing) waits() (all []time.Duration) {
	for range e.lost + 1 {
		all = append(all, e.wait)
	}
	return all
}

// beforePing returns what comes before a ping. It returns false if the waits allow no Get just before it.
func (s *stage) beforePing() (e beforePing, ok bool) {
	f := s.cfg.RequestTimeout
	shortest, longest := s.waits()
	for _, e.heard = range []bool{false, true} {
		for n := time.Duration(1); n*shortest < plan.ReadIdle; n++ {
			silent := n * f // of the Create and of the Gets before the one that counts
			if e.heard {
				silent -= f
			}
			e.lost, e.wait = int(n)-1, min(longest, (plan.ReadIdle-s.margin()-silent)/n)
			if e.wait >= shortest && silent+n*e.wait > plan.ReadIdle-s.env.MaxRoundTrip+s.margin() {
				return e, true
			}
		}
	}
	return e, false
}

// play adds the faults of what comes before a ping, and advances a to the answer of the Get. It returns when the ping is sent, on the
// candidate's clock, and from when on nothing must be answered, in true time.
func (e beforePing) play(a *actor) (pinged, silent time.Duration) {
	a.plain(1)
	if e.heard {
		a.request(machine.Create, hidden, 0)
	}
	from := a.now
	pinged = a.local + plan.ReadIdle
	if !e.heard {
		a.wait(a.cfg.RequestTimeout)
	}
	a.wait(e.wait)
	for range e.lost {
		a.wait(a.cfg.RequestTimeout)
		a.wait(e.wait)
	}
	a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, a.id, from, a.now-2*a.near)
	silent = a.now + 2*a.leg // as its answer has left the service
	a.request(machine.Get, answered, bound.True(pinged-a.local, a.driftPPM)+2*a.leg)
	return pinged, silent
}
