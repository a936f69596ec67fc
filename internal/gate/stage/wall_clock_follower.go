package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// wallFollower is the successor b in a worst case of the clients for Java and C#. It begins to look before the leader does,
// gets errors for answers, and then sees the record at a given instant. From then on it looks until the lease has run out for it.
// All durations are on its clock.
type wallFollower struct {
	*actor
	// round is how long a round trip takes without a fault.
	round time.Duration
	// early is how many attempts come before it sees the record. Each is answered by an error, which is late by late. waits is
	// how long it waits after each attempt. looks is how many attempts find the record and leave it as it is.
	early, looks int
	late, waits  time.Duration
	// lost is how many attempts get no answer after it has seen the record. lateLast is by how much the answer to the last Get
	// is late.
	lost     int
	lateLast time.Duration
	jitter   float64
}

// The lengths to which a follower in Java keeps, on its clock.
const (
	// looksAfter is how long after it has acquired the lock the follower's program is told so.
	looksAfter = 50 * time.Microsecond
	// loose is by how much, at most, the overlap is made shorter so that the follower's program is told in time.
	loose = 500 * time.Microsecond
	// mostEarly bounds wallFollower.early.
	mostEarly = 1 << 20
)

// follow returns the follower that the worst case p needs, with its attempts planned. It adds nothing to the stage; takeOver
// does.
func (s *stage) follow(p *bound.Plan) *wallFollower {
	f := &wallFollower{actor: &actor{stage: s, id: "b", driftPPM: s.env.MaxDriftPPM}}
	f.round = bound.Local(2*s.leg, f.driftPPM)
	switch offset := s.env.MaxClockOffset; {
	case p.Kind == bound.ToldLate:
		f.early, f.waits = 1, 2*s.cfg.RetryPeriod-looksAfter-3*f.round
		f.jitter = jitterFor(s.cfg.RetryPeriod, f.waits)
	case s.cfg.Profile.LooksLater():
		f.inJava(s.cfg.LeaseDuration.Truncate(time.Millisecond) - time.Millisecond - offset + 2*slack)
	default:
		f.inCSharp(s.cfg.LeaseDuration - offset + slack)
	}
	return f
}

// inJava plans the attempts of a follower in Java: it sets looks, early, late, waits and jitter. The attempts after it has seen
// the record are so far apart that one begins just as the lease has run out. The attempts before delay the follower, all
// together, by as much as it takes for its program to be told soon.
func (f *wallFollower) inJava(lease time.Duration) {
	period := f.cfg.RetryPeriod
	f.looks = int((lease + period*21/10 - 1) / (period * 21 / 10))
	longest := max(0, bound.Local(min(f.answer(), bound.True(period, f.driftPPM)-2*f.leg), f.driftPPM)-f.round-slack)
	looks := time.Duration(f.looks)
	each := (lease + f.round + looks - 1) / looks // from one attempt to the next
	for f.early = 0; f.early < mostEarly; f.early++ {
		early := time.Duration(f.early)
		rounded := 4 * (early + looks) // nanoseconds that attempts may take longer in all
		short := period - (looksAfter+rounded+(early+looks)*each+2*f.round)%period
		f.late = 0
		if f.early > 0 {
			f.late = min(longest, short/early)
			short -= early * f.late
		}
		if more := short / (early + looks); more*looks <= loose {
			f.waits = each + more - f.round
			break
		}
	}
	f.jitter = jitterFor(period, f.waits)
}

// inCSharp plans the attempts of a follower in C#: it sets looks, waits, lost, lateLast and jitter. The attempts that get no
// answer last as long as it takes to find the lease run out at once. If a lease is short, one late answer takes their place.
func (f *wallFollower) inCSharp(lease time.Duration) {
	period := f.cfg.RetryPeriod
	f.waits, f.looks = period, 1
	more := lease - period - f.round
	late := max(0, bound.Local(f.answer(), f.driftPPM)-f.round-slack)
	switch shortest := period * 6 / 5; {
	case more >= shortest:
		f.lost = int(more / shortest)
		f.jitter = jitterFor(period, (more+time.Duration(f.lost)-1)/time.Duration(f.lost)-period/5)
	case more <= late:
		f.lateLast = max(0, more)
	case more <= period:
		f.looks = 2
	case more-period <= late:
		f.looks, f.lateLast = 2, max(0, more-period)
	default:
		f.lost = 1
	}
}

// before returns how long all attempts take together that come before the follower sees the record, in true time.
func (f *wallFollower) before() time.Duration {
	return bound.True(time.Duration(f.early)*(f.round+f.late+f.waits), f.driftPPM)
}

// takes returns the shortest true time from when the follower sees the record until its write is applied.
func (f *wallFollower) takes() time.Duration {
	wait := time.Duration(f.looks) * f.waits
	if f.lost > 0 {
		wait += time.Duration(f.lost) * (f.cfg.RetryPeriod/5 + machine.Jittered(f.cfg.RetryPeriod, f.jitter))
	}
	return bound.True(wait+f.lateLast, f.driftPPM) + 2*f.leg
}

// takeOver adds the follower as candidate b, with its faults up to its attempt to take the lock. The follower reads the record at
// the true time seen, or just after it. If b starts before the leader, takeOver exchanges the two in the scenario.
func (f *wallFollower) takeOver(seen time.Duration) {
	f.pass(max(0, seen-f.leg-f.before()) + time.Duration(2*f.early))
	begins := f.now
	for i := range f.early {
		last := f.now + f.leg
		f.pass(f.trip() + bound.True(f.late, f.driftPPM))
		f.wait(machine.Jittered(f.cfg.RetryPeriod, f.jitter))
		if i == f.early-1 {
			f.refuse(begins, last)
		}
	}
	f.pass(f.trip())
	unit := f.cfg.Profile.WallUnit()
	f.candidate("b", begins, f.jitter, scenarios.Clock{DriftPPM: f.driftPPM, Offset: unit - slack - f.local%unit})
	if c := f.s.Candidates; begins < c[0].StartAt {
		c[0], c[1] = c[1], c[0] // in the order in which they start
	}
	if offset := f.env.MaxClockOffset; offset > 0 && f.looks > 0 {
		f.s.Faults = append(f.s.Faults, scenarios.Fault{Kind: plan.FaultClock, At: f.now + 1, On: []string{"b"}, Jump: offset})
	}
	for i := range f.looks {
		if i > 0 {
			f.pass(f.trip())
		}
		f.wait(f.cfg.RetryPeriod) // longer with jitter, but then nothing more is done to it
	}
	for begun, i := f.now, 1; i <= f.lost; i++ {
		if i == f.lost {
			f.cutOff("b", begun, f.now)
		}
		f.wait(f.cfg.RetryPeriod/5 + machine.Jittered(f.cfg.RetryPeriod, f.jitter))
	}
	if f.lateLast > 0 {
		f.request(machine.Get, answered, bound.True(f.lateLast, f.driftPPM)+f.trip())
	}
}

// refuse adds the faults that answer the follower's Gets by an error, from one true time to the other. The answers are late by
// f.late, on the follower's clock.
func (f *wallFollower) refuse(from, to time.Duration) {
	f.fault(errorOn(machine.Get, false), "b", from, to)
	if f.late > 0 {
		back := always(f.leg + bound.True(f.late, f.driftPPM))
		f.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, "b", from, to)
	}
}
