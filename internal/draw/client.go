package draw

import (
	"math"
	"time"

	"interregnum/plan"
)

// mostTraffic is how many entries of other traffic a client has at most.
const mostTraffic = 2

// givenClient is a client and the request timeout that its kind brings.
type givenClient struct {
	client *plan.Client
	// halves: the request timeout is plan.HalfOf the RenewDeadline.
	halves bool
}

// clientsOf tells whether some candidate of the plan has a client, and whether every one has.
func clientsOf(p *plan.Plan) (some, all bool) {
	with := 0
	for i := range p.Candidates {
		if p.Candidates[i].Client != nil {
			with++
		}
	}
	return with > 0, with == len(p.Candidates)
}

// shareClient draws whether all candidates of the plan have the same client, where the limits allow clients. If so it draws
// that client too, and stores it in d.common.
func (d *drawing) shareClient() {
	if d.space.Limits.Clients && d.oneIn(2) {
		d.common, d.shared = d.client(), true
	}
}

// giveClient gives c the client that all candidates have, or one of its own, or sometimes none, and the request timeout that
// comes with it. It does nothing if c can have no client.
func (d *drawing) giveClient(c *plan.Candidate) {
	if c.RefusesClient() != "" {
		return
	}
	given := d.common
	if !d.shared && !d.oneIn(6) {
		given = d.client()
	}
	if c.Client = given.client; given.halves {
		c.RequestTimeout = plan.HalfOf(c.RenewDeadline)
	}
}

// kinds are the kinds of client that have work to do.
var kinds = func() (all []plan.ClientKind) {
	for _, name := range plan.ClientKindNames() {
		if k, _ := plan.ClientKindNamed(name); name != plan.NoClient {
			all = append(all, k)
		}
	}
	return all
}()

// client draws a client: one of the kinds or, in half of the draws, one with limits and retries of its own. If it has a limit it
// can get other traffic, and it can have HTTP/1.1.
func (d *drawing) client() givenClient {
	kind := pick(d, kinds...)
	c := d.sheet.clients.Put(kind.Client)
	if d.oneIn(2) {
		c.Retries = !d.oneIn(4)
		c.QPS, c.Burst = 0, 0
		if !d.oneIn(4) {
			c.QPS, c.Burst = d.rate(), 1+d.IntN(20)
		}
	}
	if c.QPS > 0 && d.oneIn(2) {
		c.Other = d.other()
	}
	c.HTTP1 = d.oneIn(4)
	return givenClient{client: c, halves: kind.Halves}
}

// rate draws a QPS, in requests a second: from a third of a request to some thirty requests in a RetryPeriod.
func (d *drawing) rate() float64 {
	return math.Exp(d.Float64()*math.Log(100)) / 3 / d.timings.RetryPeriod.Seconds()
}

// other draws traffic that shares a client: bursts, and requests that come again and again for a while.
func (d *drawing) other() []plan.Traffic {
	all := d.sheet.traffic.Next()
	n := 1 + d.IntN(mostTraffic)
	for i := range n {
		t := plan.Traffic{At: d.moment(d.calm()), Count: int(d.spread(1, 60))}
		if d.oneIn(2) {
			t.Every, t.Count = d.spread(50*time.Millisecond, 5*time.Second), 1+d.IntN(3)
			t.Until = d.sheet.durations.Put(t.At + d.length())
			t.Drawn = d.oneIn(4)
		}
		all[i] = t
	}
	return all[:n:n]
}

// retryAfter draws how long a client is asked to wait: whole seconds, up to a little more than a RenewDeadline.
func (d *drawing) retryAfter() *time.Duration {
	most := int(d.timings.RenewDeadline/time.Second) + 3
	return d.sheet.durations.Put(time.Duration(d.IntN(most)) * time.Second)
}

// brownout sets at random how slow the service is in the brownout f: messages are slow, or it has few seats, or both.
func (d *drawing) brownout(f *plan.Fault) {
	which := d.IntN(3)
	if which != 0 {
		usual := d.plan.Network.Request.Max + d.plan.Network.Response.Max
		most := max(2, float64(d.most())/float64(max(1, usual)))
		f.Factor = d.sheet.fractions.Put(min(1e6, math.Exp(d.Float64()*math.Log(most))))
	}
	if which == 1 {
		return
	}
	f.Seats, f.Takes = plan.Count(1+d.IntN(4)), d.spread(time.Millisecond, d.timings.RenewDeadline)
	if d.oneIn(2) {
		f.Queue = plan.Count(1 + d.IntN(5))
	}
	if d.oneIn(2) {
		f.Every = max(time.Millisecond, f.Takes/time.Duration(f.Seats)+d.spread(1, f.Takes)-d.spread(1, f.Takes)/2)
	}
}
