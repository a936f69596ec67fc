package replay

import (
	"slices"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/scenarios/plan"
)

// refusals has, for some causes, the HTTP status with which the scenario refuses a holder's requests.
var refusals = map[investigate.Cause]int{investigate.Throttled: 429, investigate.Conflicts: 409, investigate.Forbidden: 403}

// ends adds the faults by which the holder of the (i-1)-th write writes no longer. Until another process of the holder begins,
// it is cut off from the server; if the logs show with which status its requests were refused, they are refused so instead. If
// the logs show that its process stood still, it is frozen as well.
func (b *builder) ends(i int) {
	holder := b.holder(i - 1)
	if until, still := b.stood(i); still {
		if !b.fresh[i-1] {
			until -= b.deadline // awake, it tries for so long
		}
		b.freeze(i-1, until)
	}
	b.apart(i - 1)
	if status := refusals[b.cause(i)]; status != 0 {
		f := &b.scenario.Faults[b.open[holder]]
		f.Kind, f.Status = plan.FaultError, status
	}
}

// cause returns why the term ended whose last write is the (i-1)-th, Unknown if the story does not say.
func (b *builder) cause(i int) investigate.Cause {
	for k := range b.story.Losses {
		if l := &b.story.Losses[k]; b.story.Terms[l.Term].Last == i-1 {
			return l.Cause
		}
	}
	return investigate.Unknown
}

// stood tells whether the holder of the (i-1)-th write stood still, and until when, since the start. If the story says that its
// work certainly overlapped that of another, until is the end of the work that is certain of it, or a little after the other's
// work had certainly begun, whichever is later. Otherwise until is when, by its own log, it gave up. still is true if a process
// that runs would have given up before until. Without either, it returns 0 and false.
func (b *builder) stood(i int) (until time.Duration, still bool) {
	for k := range b.story.Pairs {
		p := &b.story.Pairs[k]
		if old := &b.story.Terms[p.Old]; p.Worked.Verdict == investigate.Certain && old.Last == i-1 {
			// A term of several processes may have certainly worked later than by its first one.
			until = max(old.Worked.End.Low.Sub(b.start), b.story.Terms[p.New].Worked.Start.High.Sub(b.start)+MaxError)
			return until, until > b.applied+b.period+b.deadline
		}
	}
	k := slices.IndexFunc(b.e.Sayings, func(s evidence.Saying) bool {
		turns := s.Step == evidence.Lost || s.Step == evidence.Tries || s.Step == evidence.Acquired
		return turns && b.by(&s, b.holder(i-1)) && s.At.Add(b.offset(s.Source)).After(b.at(i-1))
	})
	if k < 0 || b.e.Sayings[k].Step != evidence.Lost {
		return 0, false
	}
	s := &b.e.Sayings[k]
	until = s.At.Add(b.offset(s.Source)).Sub(b.start)
	longest := b.deadline
	if b.guessed {
		longest = b.lease // RenewDeadline is shorter
	}
	// Running, it would have given up a deadline after its next attempt had begun.
	return until, until > b.time(i-1)+b.period+longest+time.Second
}

// end sets the horizon, and keeps the last holder from writing again. The horizon is half a RetryPeriod after the last write. If
// a log says later that a process gave up, it is a second after that line instead; a line that comes four leases or more after
// the last write does not count.
func (b *builder) end() {
	last := b.time(b.last)
	b.scenario.Horizon = last + b.period/2 + 2*b.delay
	for k := range b.e.Sayings {
		s := &b.e.Sayings[k]
		at := s.At.Add(b.offset(s.Source)).Sub(b.start)
		if s.Step == evidence.Lost && at > b.scenario.Horizon && at < last+4*b.lease {
			b.scenario.Horizon = at + time.Second
		}
	}
	if b.holder(b.last) != "" {
		b.apart(b.last)
	}
}
