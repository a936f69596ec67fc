package check

import (
	"cmp"
	"time"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// Header returns the header of a trace of a run of the plan, without the name of a scenario.
func Header(p *plan.Plan) *trace.Header {
	h := &trace.Header{}
	SetHeader(h, p)
	return h
}

// SetHeader makes h the header of a trace of a run of the plan p, without the name of a scenario, in h's memory.
func SetHeader(h *trace.Header, p *plan.Plan) {
	*h = trace.Header{
		Seed: p.Seed, Horizon: p.Horizon, Candidates: reuse.Sized(h.Candidates, len(p.Candidates)), Service: service(p, h.Service),
		Elections: p.Elections,
	}
	coarse := renewsWithinSeconds(p)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		h.Candidates[i] = trace.Candidate{
			ID:              c.ID,
			Election:        c.Election,
			LeaseDuration:   c.LeaseDuration,
			RenewDeadline:   c.RenewDeadline,
			ComparesSeconds: seesSeconds(c, coarse),
			DriftPPM:        c.Clock.DriftPPM,
			Rejoins:         c.RunsAgain(),
			StandsWithin:    standsWithin(p, c),
			RetryPeriod:     c.RetryPeriod,
			Offset:          c.Clock.Offset,

			DeadlineFromRenewal: deadlineFromRenewal(c),
			StampsRequests:      c.Profile.StampsRequests(),
			WaitsOwnLease:       c.Profile.WaitsOwnLease(),
			Objects:             objectsOf(c.Lock, h.Candidates[i].Objects[:0]),
			OwnNow:              c.Lock.ByCaller(c.Now),
			ByRenewTime:         c.Profile.ByRenewTime(),
			NoDeadline:          !c.Profile.HasDeadline(),
		}
		h.Calm = max(h.Calm, c.StartAt)
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		switch {
		case f.At >= p.Horizon:
		case f.Kind == plan.FaultRollout:
			h.Rollouts = append(h.Rollouts, trace.Rollout{
				Fault: int32(i), Within: f.Within(), To: f.To, Leading: f.Readiness == plan.ReadyLeading,
			})
			h.Calm = max(h.Calm, f.At+f.Within())
			if f.At+f.Within() >= p.Horizon {
				endless(h, "a rollout need not be over when the run ends")
			}
		case !f.Kind.Window():
			h.Calm = max(h.Calm, f.At)
		case f.Until == nil || *f.Until >= p.Horizon:
			endless(h, "a fault lasts to the end of the run")
		default:
			h.Calm = max(h.Calm, *f.Until)
		}
	}
	if exitsAgain(p) {
		endless(h, "a process that exits on a loss takes part in several elections, and the timings of one leave no time for a renewal")
	}
	if starves(p) {
		endless(h, "the client of a strict candidate has fewer tokens in a renewDeadline than an attempt to acquire has requests")
	}
	h.Failover, h.Waits = failover(p, h.Service != nil)
	if c := p.Coordinator; c != nil {
		h.Candidates = append(h.Candidates, trace.Candidate{
			ID: plan.CoordinatorID, DriftPPM: c.Clock.DriftPPM, Offset: c.Clock.Offset, Coordinator: true,
		})
		h.Calm = max(h.Calm, c.StartAt)
	}
}

// endless sets h.Endless, and h.EndlessBy to the reason unless there is one already.
func endless(h *trace.Header, reason string) {
	h.Endless, h.EndlessBy = true, cmp.Or(h.EndlessBy, reason)
}

// objectsOf returns objects with the objects of the lock appended. For the Lease alone it appends none.
func objectsOf(l plan.Lock, objects []trace.Object) []trace.Object {
	if l == plan.Lease {
		return objects
	}
	for _, o := range l.Objects() {
		objects = append(objects, trace.Object(o))
	}
	return objects
}

// deadlineFromRenewal tells whether a candidate counts its RenewDeadline from when it sent its last renewal, instead of
// from when it begins to renew again or, with a lock that expires by itself, from the answer.
func deadlineFromRenewal(c *plan.Candidate) bool {
	if c.Lock.Expires() {
		return c.Profile.CountsFromSend()
	}
	return c.Profile.CountsFromRenewal()
}

// seesSeconds tells whether a candidate sees changes of the record in whole seconds only. coarse is true if two
// renewals can leave the same record in whole seconds: then, on a lock that keeps whole seconds, this holds for
// candidates that compare exactly too. With a lock that expires by itself, only the row's precision counts.
func seesSeconds(c *plan.Candidate, coarse bool) bool {
	if c.Lock.Expires() {
		return c.Precision == time.Second
	}
	return c.Profile.ComparesSeconds() || coarse && c.Lock.Unit() == time.Second
}

// renewsWithinSeconds tells whether two renewals of some candidate within a second can leave the same record, since its
// lock keeps whole seconds and its requests do not carry the time at which they were sent.
func renewsWithinSeconds(p *plan.Plan) bool {
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Lock.Unit() == time.Second && !c.Profile.StampsRequests() {
			return true
		}
	}
	return false
}

// service returns the header's entry for the service of keys and rows, nil if no lock expires by itself. It uses memory
// unless that is nil.
func service(p *plan.Plan, memory *trace.Service) (s *trace.Service) {
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if !c.Lock.Expires() {
			continue
		}
		if s == nil {
			if s = memory; s == nil {
				s = new(trace.Service)
			}
			*s = trace.Service{Offset: p.Service.Offset, DriftPPM: p.Service.DriftPPM}
		}
		s.Precision = max(s.Precision, c.RowPrecision())
	}
	return s
}
