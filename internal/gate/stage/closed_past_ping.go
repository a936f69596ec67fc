package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// closedPastPing completes the scenario with a candidate whose Get is sent just before a ping, and answered by an error just after it. The ping
// is not answered, so that the connection is closed plan.PingWait later: in the candidate's next attempt, which begins RetryPeriod after the
// error. If the waits do not allow that, the stage stays without candidates.
func (s *stage) closedPastPing() {
	f, shift := s.cfg.RequestTimeout, s.margin()
	takes, next := min(s.env.MaxRoundTrip, f)-shift, s.cfg.RetryPeriod
	if takes < 3*shift || next+f > plan.PingWait-shift || next+2*f < plan.PingWait+plan.RepeatAfter+shift {
		return
	}
	for _, answered := range []bool{true, false} {
		// The Update after its own name is answered by an error or not. What begins at c.begins is the attempt of the Get. Its Update is lost.
		c, ok := s.attempts(answered, plan.ReadIdle+3*shift-f-takes, s.cfg.Lease()-f-takes-next-shift)
		if !ok {
			continue
		}
		waits := []time.Duration{s.cfg.RetryPeriod}
		for range c.failed + 1 {
			waits = append(waits, c.wait)
		}
		a := s.closer(next, waits...)
		s.readsOwnName(a, 0)
		closed := a.local + c.begins + f + takes - shift + plan.PingWait
		s.frame(a, closed)
		s.failed(a, &c)
		a.request(machine.Update, lost, 0)
		silent := a.now + 2*a.leg // as the error has left the service
		a.request(machine.Get, refused, bound.True(takes, a.driftPPM))
		a.wait(next)
		s.s.Candidates[0].Clock.Offset = a.newSecond()
		first, last := s.read(a, silent, closed, noLimit)
		s.succeeded(a, first, last, 0)
		return
	}
}
