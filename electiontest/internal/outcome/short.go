package outcome

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// wantsSingleWork returns true if the scenario expects that single-work holds.
func (o *Outcome) wantsSingleWork() bool {
	want := o.Scenario.Expect[check.SingleWork]
	return want == "" || want == scenarios.ExpectHeld
}

// cutShort returns why single-work is not shown although it is expected to hold: only one candidate ever worked, it renewed no more after
// a fault on it had begun, another candidate was answered after that, and the horizon came before the other one took over. It returns
// "" otherwise, and if the scenario expects that nobody leads.
func (o *Outcome) cutShort() string {
	worker := o.OnlyWorker()
	if worker == "" || !o.wantsSingleWork() || o.Scenario.Expect[check.Liveness] == scenarios.ExpectViolated {
		return ""
	}
	who := int32(slices.IndexFunc(o.Header.Candidates, func(c trace.Candidate) bool { return c.ID == worker }))
	f := o.lastBlow(who)
	if f == nil || !o.answeredAfter(f.At, who) {
		return ""
	}
	c := &o.Header.Candidates[who]
	soon := time.Duration(f.At) + c.LeaseDuration + 5*c.RetryPeriod // a retry can take 2.2 RetryPeriods
	return fmt.Sprintf("only %s ever worked: faults[%d] met it at %v, it renewed no more, and the horizon (%v) came before another candidate took over, so that "+
		"work of both at once could not have been seen. Want a later horizon, such as %v", worker, f.Fault, time.Duration(f.At), o.Scenario.Horizon,
		max(soon, o.Scenario.Horizon+c.RetryPeriod).Round(time.Second))
}

// lastBlow returns the beginning of the first fault on the candidate since it sent its last write of its name that it was told had
// succeeded; nil if there is none.
func (o *Outcome) lastBlow(who int32) *trace.Event {
	sent, named := map[uint64]int64{}, map[uint64]bool{}
	renewed := int64(0)
	for i := range o.Events {
		switch e := &o.Events[i]; {
		case e.Candidate != who:
		case e.Kind == trace.RequestSent:
			sent[e.Request] = e.At
		case e.Kind == trace.Written && e.Holder != "":
			named[e.Request] = true
		case e.Kind == trace.ResponseHandled && e.Status < http.StatusBadRequest && named[e.Request]:
			renewed = sent[e.Request]
		}
	}
	for i := range o.Events {
		if e := &o.Events[i]; e.Kind == trace.FaultBegan && e.At >= renewed && (len(e.On) == 0 || slices.Contains(e.On, who)) {
			return e
		}
	}
	return nil
}

// answeredAfter returns true if a request on the lock of another candidate than who was sent and answered after the instant at, in ns
// since the run began.
func (o *Outcome) answeredAfter(at int64, who int32) bool {
	sent := map[sender]bool{}
	for i := range o.Events {
		e := &o.Events[i]
		if e.Candidate == who || e.Candidate == trace.Nobody || e.At < at {
			continue
		}
		switch key := (sender{e.Candidate, e.Request}); {
		case e.Kind == trace.RequestSent:
			sent[key] = true
		case e.Kind == trace.ResponseHandled && sent[key]:
			return true
		}
	}
	return false
}
