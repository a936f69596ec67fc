package outcome

import (
	"fmt"
	"net/http"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// idle turns a violated liveness into an inconclusive one if a candidate was told in time that its write of the lock had
// succeeded, and its work is guarded piece by piece. Nobody can tell then whether it leads and merely has nothing to do. idle
// then says why in o.Idle, and clears the violations.
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

// leads returns the first candidate that was told, between from and to (both included), that a write of its name into the lock
// had succeeded, and when. It returns trace.Nobody if there is none. Times are in ns since the run began.
func (o *Outcome) leads(from, to int64) (who int32, at int64) {
	for who, at := range o.acknowledged {
		if at >= from && at <= to {
			return who, at
		}
	}
	return trace.Nobody, 0
}

// acknowledged calls yield for each answer that tells a candidate that a write of its name into the lock has succeeded: with the
// candidate's index and the time, in ns since the run began. It stops when yield returns false.
func (o *Outcome) acknowledged(yield func(who int32, at int64) bool) {
	named := map[sender]bool{}
	for i := range o.Events {
		e := &o.Events[i]
		switch key := (sender{e.Candidate, e.Request}); {
		case e.Kind == trace.Written && e.Holder != "":
			named[key] = true
		case e.Kind == trace.ResponseHandled && e.Status < http.StatusBadRequest && named[key] && !yield(e.Candidate, e.At):
			return
		}
	}
}
