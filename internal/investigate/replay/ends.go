package replay

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
)

// refusals has, for some causes, the HTTP status with which the scenario refuses a holder's requests.
var refusals = map[investigate.Cause]int{investigate.Throttled: 429, investigate.Forbidden: 403, investigate.Rejected: 401}

// stops makes the work of the term whose last write is the i-th end when the story says (see endOf), and keeps the holder
// from writing again until another process of it begins. It is cut off from the server; if the logs show with which status
// its requests were refused, they are refused so instead. If a write that is replayed releases the holder's lock, its
// requests fail (503) from the end of its work on. So its work ends at its RenewDeadline. If that is too early, the holder
// stands still before; if it is too late, see sooner.
func (b *builder) stops(i int) {
	own := b.applied + b.delay + b.deadline
	if !b.fresh[i] {
		own += b.period
	}
	until := b.endOf(i, own)
	switch {
	case until > own && b.fresh[i]:
		b.freeze(i, until)
	case until > own:
		b.freeze(i, until-b.deadline) // awake, it tries for so long
	case until < own:
		b.sooner(i, until)
	}
	b.apart(i)
	f := &b.scenario.Faults[b.open[b.holder(i)]]
	if status := refusals[b.cause(i)]; status != 0 {
		f.Kind, f.Status = plan.FaultError, status
	} else if b.releases(b.holder(i)) { // it would work until it knows that it cannot release the lock either
		f.Until = new(until - b.delay/2)
		b.open[b.holder(i)] = len(b.scenario.Faults)
		b.fault(plan.Fault{Kind: plan.FaultError, At: *f.Until, On: f.On, Status: http.StatusServiceUnavailable})
	}
}

// sooner makes the work of the term whose last write is the i-th end at until, before a RenewDeadline since the next attempt is
// over. If the holder gave up by its own log, the answer to its last write is lost, so that RenewDeadline counts from then; it
// stands still at the end if that is still too early. Otherwise, or if it is too late, its process ends or, unless the logs
// show that, is told to stop.
func (b *builder) sooner(i int, until time.Duration) {
	on := []string{b.id(b.holder(i))}
	kind := plan.FaultCancel
	over := b.polled + b.deadline
	switch c := b.cause(i); {
	case c == investigate.ShutDown:
	case c == investigate.Ended || c == investigate.Silent:
		kind = plan.FaultCrash
	case (b.quick[i] || b.retried[i]) && over <= b.limitsOf(i).most && i < b.last && b.says(i+1, b.holder(i), evidence.Lost):
		answered := b.applied + b.delay/2
		b.fault(plan.Fault{Kind: plan.FaultLose, At: b.applied - b.delay/2, Until: &answered, On: on, Leg: plan.ResponseLeg})
		if until > over {
			b.fault(plan.Fault{Kind: plan.FaultPause, At: max(answered, over-b.delay), Until: &until, On: on})
		}
		return
	}
	b.told[i] = kind == plan.FaultCancel && b.atDeadline(i)
	b.fault(plan.Fault{Kind: kind, At: until, On: on})
}

// turn returns the first line of the holder of the i-th write, after that write, that it gave up, stands for election or has acquired the
// lock; nil if there is none.
func (b *builder) turn(i int) *evidence.Saying {
	k := slices.IndexFunc(b.e.Sayings, func(s evidence.Saying) bool {
		turns := s.Step == evidence.Lost || s.Step == evidence.Tries || s.Step == evidence.Acquired
		return turns && b.by(&s, b.holder(i)) && s.At.Add(b.offset(s.Source)).After(b.at(i))
	})
	if k < 0 {
		return nil
	}
	return &b.e.Sayings[k]
}

// atDeadline tells whether the holder of the i-th write, the last of its term, gave up at its deadline by its own log.
func (b *builder) atDeadline(i int) bool {
	s := b.turn(i)
	return s != nil && s.Step == evidence.Lost && strings.Contains(strings.ToLower(s.Text), "deadline exceeded")
}

// releasesLate makes the holder of the (i-1)-th write give up at its deadline, and then release the lock by the i-th write:
// it is cut off until it gives up. If that would be more than MaxError from when its log says so, the answer to its last
// write is lost. releasesLate returns false, and adds no fault, if it would still give up more than MaxError before or after
// its log says so, or if no delay makes the release come when it is logged. atDeadline must be true of the (i-1)-th write.
func (b *builder) releasesLate(i int) bool {
	s := b.turn(i - 1)
	line := s.At.Add(b.offset(s.Source)).Sub(b.start)
	gives, over := b.applied+b.delay+b.period+b.deadline, b.polled+b.deadline
	if b.fresh[i-1] {
		gives -= b.period
	}
	lost := (line-gives).Abs() > MaxError && b.quick[i-1]
	if lost {
		gives = over
	}
	late := b.time(i) - 3*b.delay - gives
	if (line-gives).Abs() > MaxError || late < -near || late >= b.deadline*9/10 {
		return false
	}
	on, answered, until := []string{b.id(b.holder(i - 1))}, b.applied+b.delay/2, gives-b.delay/2
	if lost {
		b.fault(plan.Fault{Kind: plan.FaultLose, At: b.applied - b.delay/2, Until: &answered, On: on, Leg: plan.ResponseLeg})
	}
	b.fault(plan.Fault{Kind: plan.FaultPartition, At: answered, Until: &until, On: on})
	b.applied = gives + 3*b.delay
	b.delays(i-1, gives, late)
	return true
}

// cause returns why the term ended whose last write is the i-th, Unknown if the story does not say.
func (b *builder) cause(i int) investigate.Cause {
	for k := range b.story.Losses {
		if l := &b.story.Losses[k]; b.story.Terms[l.Term].Last == i {
			return l.Cause
		}
	}
	return investigate.Unknown
}

// gaveUpLate returns when, by its own log, the holder of the i-th write gave up, as a time since the start. It returns 0 if the log does not
// say, or if a process that runs would not have given up later.
func (b *builder) gaveUpLate(i int) time.Duration {
	s := b.turn(i)
	if s == nil || s.Step != evidence.Lost {
		return 0
	}
	until := s.At.Add(b.offset(s.Source)).Sub(b.start)
	longest := b.deadline
	if b.guessed {
		longest = b.lease // RenewDeadline is shorter
	}
	// Running, it would have given up a deadline after its next attempt had begun.
	if until > b.time(i)+b.period+longest+time.Second {
		return until
	}
	return 0
}

// end sets the horizon, and keeps the last holder from writing again. The horizon is half a RetryPeriod after the last write.
// If a log says later that a process gave up, or if the last term's work certainly went on for longer, it is a second after
// that instead; what comes four leases or more after the last write does not count.
func (b *builder) end() {
	last := b.time(b.last)
	b.scenario.Horizon = last + b.period/2 + 2*b.delay
	later := func(at time.Duration) {
		if at > b.scenario.Horizon && at < last+4*b.lease {
			b.scenario.Horizon = at + time.Second
		}
	}
	for k := range b.e.Sayings {
		if s := &b.e.Sayings[k]; s.Step == evidence.Lost {
			later(s.At.Add(b.offset(s.Source)).Sub(b.start))
		}
	}
	if b.holder(b.last) != "" {
		later(b.limitsOf(b.last).least)
		b.stops(b.last)
	}
}
