package outcome

import (
	"fmt"
	"time"

	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// sender is a request of one candidate: candidates number their own.
type sender struct {
	candidate int32
	request   uint64
}

// waits returns a remark on the first request on a lock that had no answer, since that or the request itself was lost, and that waited for it until
// the run was over, and for longer than a real client would; "" if there is none. Of such a candidate nothing more is seen.
func (o *Outcome) waits() string {
	sent := map[sender]*trace.Event{}
	var lost []*trace.Event
	over := map[sender]bool{}
	for i := range o.Events {
		e := &o.Events[i]
		key := sender{e.Candidate, e.Request}
		switch e.Kind {
		case trace.RequestSent:
			sent[key] = e
		case trace.RequestLost, trace.ResponseLost:
			lost = append(lost, sent[key])
		case trace.GaveUp:
			over[key] = true
		case trace.Crashed:
			for _, q := range lost {
				if q.Candidate == e.Candidate {
					over[sender{q.Candidate, q.Request}] = true
				}
			}
		}
	}
	for _, q := range lost {
		if over[sender{q.Candidate, q.Request}] || o.Scenario.Horizon-time.Duration(q.At) < plan.LongestStall {
			continue
		}
		return fmt.Sprintf("candidate %s waited until the end for the answer to its %s of the lock from %v, which was lost, and did nothing else "+
			"about its election: a request without a timeout waits for ever here, where client-go gives up a silent connection after %v. "+
			"Give the client a timeout (rest.Config.Timeout) that is shorter than RenewDeadline",
			o.Header.Candidates[q.Candidate].Name(), q.Verb, time.Duration(q.At), plan.LongestStall)
	}
	return ""
}
