package sim

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// Header is what consumers of a plan's events need to know of it.
func Header(p *Plan) *trace.Header {
	h := &trace.Header{Seed: p.Seed, Horizon: p.Horizon, Candidates: make([]trace.Candidate, len(p.Candidates))}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		h.Candidates[i] = trace.Candidate{
			ID:              c.ID,
			LeaseDuration:   c.LeaseDuration,
			RenewDeadline:   c.RenewDeadline,
			ComparesSeconds: c.Profile.Compare == machine.CompareSeconds,
			DriftPPM:        c.Clock.DriftPPM,
			Rejoins:         c.Rejoin != nil,
			RetryPeriod:     c.RetryPeriod,
			Offset:          c.Clock.Offset,

			DeadlineFromRenewal: c.Profile.Deadline == machine.FromRenewal,
			StampsRequests:      c.Profile.Stamp == machine.StampRequest,
			WaitsOwnLease:       c.Profile.Expiry == machine.ExpiryOwn,
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
	return h
}

// failover is how long it takes at most, once nothing goes wrong any more, until a leader works: a lease that somebody
// left behind, observed one jittered period late and looked at again one such period after it has run out, four round
// trips, and before all that an attempt that hangs, its message still on the way, work that drains, and a Run that has to
// begin anew. It is in true time, by the slowest clock.
func failover(p *Plan) time.Duration {
	var lease, retry, attempt, drain, rejoin time.Duration
	rate := int64(math.MaxInt64)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		lease = max(lease, c.LeaseDuration+time.Second)
		retry = max(retry, c.RetryPeriod)
		attempt = max(attempt, c.RenewDeadline, c.RequestTimeout)
		drain = max(drain, c.Drain)
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
	local := float64(lease) + 2*(1+machine.JitterFactor)*float64(retry) + float64(attempt)
	bound := local*million/float64(rate) + float64(4*roundTrip+delay+drain+rejoin)
	return time.Duration(min(bound, float64(MaxDuration)))
}
