package outcome

import (
	"fmt"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// idle makes the verdict on liveness inconclusive, and says why in o.Idle, if it is violated by a candidate that leads and has
// nothing to do: it was told that its write of the lock had succeeded, after the faults and within the bound, and pieces of its
// work are guarded one by one. Nobody can tell then whether it would work.
func (o *Outcome) idle() {
	p := check.Named(o.Result.Properties, check.Liveness)
	if p == nil || p.Verdict != check.Violated {
		return
	}
	due := p.Violations[0].FromNs
	who, at := o.leads(int64(o.Header.Calm), due)
	if who == trace.Nobody || o.Whole[who] {
		return
	}
	p.Violations, p.OverlapNs = p.Violations[:0], 0
	o.untold(p)
	o.Idle = fmt.Sprintf("nobody can tell of liveness: %s held the lock at %v, and no guarded work began until %v or later. Work that is guarded piece by piece shows "+
		"nothing while there is nothing to do: guard something that lasts as long as the candidate leads", o.Header.Candidates[who].Name(),
		time.Duration(at), time.Duration(due))
}

// leads returns the first candidate that was told, between those times, that a write of its name into the lock had succeeded, and
// when; trace.Nobody if there is none. Times are in ns since the run began.
func (o *Outcome) leads(from, to int64) (who int32, at int64) {
	for who, at := range o.acknowledged {
		if at >= from && at <= to {
			return who, at
		}
	}
	return trace.Nobody, 0
}

// acknowledged calls yield with each candidate that is told that a write of its name into the lock has succeeded, and when, in ns
// since the run began.
func (o *Outcome) acknowledged(yield func(who int32, at int64) bool) {
	named := map[sender]bool{}
	for i := range o.Events {
		e := &o.Events[i]
		switch key := (sender{e.Candidate, e.Request}); {
		case e.Kind == trace.Written && e.Holder != "":
			named[key] = true
		case e.Kind == trace.ResponseHandled && named[key] && !yield(e.Candidate, e.At):
			return
		}
	}
}
