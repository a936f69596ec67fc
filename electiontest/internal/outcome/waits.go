package outcome

import (
	"fmt"
	"time"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// sender identifies a request in the run: candidates number their own requests, so that the number alone does not.
type sender struct {
	candidate int32
	request   uint64
}

// waits returns a remark on the first request on a lock that was lost, or whose answer was lost, and for which the candidate
// waited until the horizon, for plan.LongestStall or longer. It returns "" if there is none. A candidate that waits so does
// nothing more in its election.
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
