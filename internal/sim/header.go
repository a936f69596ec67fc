package sim

import (
	"math"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// Header is what consumers of a plan's events need to know of it.
func Header(p *Plan) *trace.Header {
	h := &trace.Header{
		Seed: p.Seed, Horizon: p.Horizon, Candidates: make([]trace.Candidate, len(p.Candidates)), Service: service(p),
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
			ComparesSeconds: c.comparesSeconds(coarse),
			DriftPPM:        c.Clock.DriftPPM,
			Rejoins:         c.rejoins(),
			RetryPeriod:     c.RetryPeriod,
			Offset:          c.Clock.Offset,

			DeadlineFromRenewal: c.deadlineFromRenewal(),
			StampsRequests:      c.Profile.Stamp == machine.StampRequest,
			WaitsOwnLease:       c.Profile.Expiry == machine.ExpiryOwn,
			Objects:             objectsOf(c.Lock),
			OwnNow:              c.Lock == SQLTTL && c.Now != DatabaseNow,
		}
		h.Calm = max(h.Calm, c.StartAt)
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		switch {
		case f.At >= p.Horizon:
		case !f.Kind.Window():
			h.Calm = max(h.Calm, f.At)
		case f.Until == nil || *f.Until >= p.Horizon:
			h.Endless = true
		default:
			h.Calm = max(h.Calm, *f.Until)
		}
	}
	h.Failover = failover(p)
	if c := p.Coordinator; c != nil {
		h.Candidates = append(h.Candidates, trace.Candidate{
			ID: CoordinatorID, DriftPPM: c.Clock.DriftPPM, Offset: c.Clock.Offset, Coordinator: true,
		})
		h.Calm = max(h.Calm, c.StartAt)
	}
	return h
}

// objectsOf are the objects that such a lock is on, nil for the Lease alone.
func objectsOf(l Lock) (objects []trace.Object) {
	if l == Lease {
		return nil
	}
	for _, o := range l.Objects() {
		objects = append(objects, trace.Object(o))
	}
	return objects
}

func (c *Candidate) deadlineFromRenewal() bool {
	if c.Lock.Expires() {
		return c.Profile.LeaseFrom == machine.FromSend
	}
	return c.Profile.Deadline == machine.FromRenewal
}

// comparesSeconds tells whether a candidate sees an entry in whole seconds. Coarse: two renewals of the record can look alike.
func (c *Candidate) comparesSeconds(coarse bool) bool {
	if c.Lock.Expires() {
		return c.Precision == time.Second
	}
	return c.Profile.Compare == machine.CompareSeconds || coarse && c.Lock.unit() == time.Second
}

// renewsWithinSeconds tells whether two renewals of a candidate can be one record: within a second, in whole seconds,
// not even who compares exactly sees the later one.
func renewsWithinSeconds(p *Plan) bool {
	return slices.ContainsFunc(p.Candidates, func(c Candidate) bool {
		return c.Lock.unit() == time.Second && c.Profile.Stamp == machine.StampAttempt
	})
}

// failover is how long it takes at most, once nothing goes wrong any more, until a leader works: a lease that somebody
// left behind, observed one jittered period late and looked at again one such period after it has run out, four round
// trips, and before all that an attempt that hangs, its message still on the way, work that drains, and a Run that has to
// begin anew. It is in true time, by the slowest clock. An attempt on two objects is five requests and not two; and one
// of them may be missing, whose creation looks to all like a new lease of nobody known, which is to be waited out first.
// Of a lock that expires by itself, who has lost a watch looks again one leaseDuration later; and a row may carry a time
// that is ahead of every clock.
func failover(p *Plan) time.Duration {
	var lease, retry, attempt, drain, rejoin time.Duration
	twice := false
	rate := million + p.Service.DriftPPM
	if service(p) == nil {
		rate = math.MaxInt64
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		lease = max(lease, c.LeaseDuration+time.Second)
		retry = max(retry, c.RetryPeriod)
		attempt = max(attempt, c.RenewDeadline, c.RequestTimeout)
		drain = max(drain, c.Drain)
		twice = twice || len(c.Lock.Objects()) == 2 || c.Lock.Expires()
		rate = min(rate, million+c.Clock.DriftPPM)
		if c.Rejoin != nil {
			rejoin = max(rejoin, *c.Rejoin)
		}
	}
	roundTrip, delay := p.Network.Request.Max+p.Network.Response.Max, time.Duration(0)
	for i := range p.Faults {
		f := &p.Faults[i]
		if f.DriftPPM != nil {
			rate = min(rate, million+*f.DriftPPM)
		}
		for _, d := range []*Delay{f.Request, f.Response} {
			if d != nil {
				delay = max(delay, d.Max)
			}
		}
	}
	leases, retries, trips := time.Duration(1), 2.0, time.Duration(4)
	if twice {
		leases, retries, trips = 2, 3, 10
	}
	local := float64(leases*lease) + retries*(1+machine.JitterFactor)*float64(retry) + float64(attempt)
	bound := local*million/float64(rate) + float64(trips*roundTrip+delay+drain+rejoin) + skew(p) + setback(p)
	return time.Duration(min(bound, float64(MaxDuration)))
}
