package forecast

import (
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// fate is what becomes of one request.
type fate struct {
	request uint64
	// tried is when the attempt of the request began, at the latest.
	tried time.Duration
	// takes is the round trip. status is the status of an error, 0 if there is none.
	takes  time.Duration
	status int
	// frees: the request releases the lock, so that its success renews nothing.
	frees bool
}

// unanswered is the fate of a request that is never answered: after plan.LongestStall its connection is closed, and it fails with
// 504. Often the client gives up before that.
var unanswered = fate{takes: plan.LongestStall, status: 504}

// odds are the chances of a request that is sent at a given time.
type odds struct {
	// failed: it is surely answered by an error. stalled: it is surely never answered.
	failed, stalled bool
	failures
	// status is the status of a request that surely fails. exact is the round trip that a recording has for the request; if it is
	// 0, the distribution takes counts.
	status int
	exact  time.Duration
	// takes is the distribution of round trips, which are multiplied by factor.
	takes  *behaviour.Distribution
	factor float64
	known  *known
}

// failures are the errors of single requests. fails is the probability that one is answered by an error, and loses that one is
// lost.
type failures struct {
	faults       []behaviour.Error
	fails, loses float64
}

// failuresOf returns the errors with the sums of their probabilities. An error with status 0 is a request that is lost. It keeps
// all, and does not copy it.
func failuresOf(all []behaviour.Error) failures {
	f := failures{faults: all}
	for _, e := range all {
		if e.Status == 0 {
			f.loses += e.Probability
		} else {
			f.fails += e.Probability
		}
	}
	return f
}

// known is a cache of shares of distributions, since most of them are asked for again and again.
type known [64]struct {
	of    *behaviour.Distribution
	over  time.Duration
	share float64
}

// above returns the share of d that is above over, and stores it in the cache.
func (k *known) above(d *behaviour.Distribution, over time.Duration) float64 {
	e := &k[uint64(over)*0x9e3779b97f4a7c15>>58]
	if e.of != d || e.over != over {
		e.of, e.over, e.share = d, over, d.Above(over)
	}
	return e.share
}

// above returns the share of answered requests whose round trip is longer than over.
func (o *odds) above(over time.Duration) float64 {
	if o.exact > 0 {
		if o.roundTrip(0) > over {
			return 1
		}
		return 0
	}
	return o.known.above(o.takes, time.Duration(float64(over)/o.factor))
}

// certain tells whether it is certain that the request fails or is never answered.
func (o *odds) certain() bool { return o.failed || o.stalled }

// refusedStatus is the status with which requests fail in an outage, as from a server that is not there.
const refusedStatus = 503

// odds returns the chances of a request of a replica that is sent at that time: those of usual times, changed by the window's
// episodes and by the recording, if there is one.
func (p *play) odds(replica int, at time.Duration) odds {
	usual := &p.s.Behaviour.RoundTrip
	o := odds{takes: usual, factor: 1, known: &p.known, status: refusedStatus}
	if p.w.blocks == nil {
		o.failures = p.s.single
	}
	for i := range p.w.episodes {
		h := &p.w.episodes[i]
		if at < h.from || at >= h.until || !p.meets(h, i, replica) {
			continue
		}
		switch h.Kind {
		case behaviour.Outage:
			o.failed = true
		case behaviour.Stall:
			o.stalled = true
		case behaviour.Brownout:
			if h.RoundTrip != nil {
				o.takes = h.RoundTrip
			} else {
				o.factor = max(o.factor, h.Factor)
			}
			if h.Errors != nil {
				o.failures = failuresOf(h.Errors)
			}
		}
	}
	if p.w.blocks != nil {
		o.replay(p.w.blocks.at(at), o.takes == usual)
	}
	return o
}

// replay sets the odds to what x, a request of a recording, met, unless something is certain already. The round trip of x counts
// only if timed is true.
func (o *odds) replay(x *behaviour.Recorded, timed bool) {
	switch {
	case o.certain():
		return
	case x.Status == 0:
		o.stalled = true
	case x.Failed():
		o.failed, o.status = true, x.Status
	}
	if timed {
		o.exact = max(1, x.Took)
	}
}

// meets tells whether h, the i-th episode of the window, affects the requests of that replica.
func (p *play) meets(h *happening, i, replica int) bool {
	switch h.On {
	case behaviour.One:
		return h.whom == replica%p.s.Replicas
	case behaviour.Leader:
		return p.met[i] == replica
	}
	return true
}

// roundTrip returns the round trip at that quantile of takes or, if exact is set, exact itself; both times factor.
func (o *odds) roundTrip(quantile float64) time.Duration {
	if o.exact > 0 {
		return plan.Slowed(o.exact, o.factor)
	}
	return max(1, plan.Slowed(o.takes.At(quantile), o.factor))
}

// longer returns the probability that a request is answered without an error, but only after more than d.
func (o *odds) longer(d time.Duration) float64 {
	return (1 - o.fails - o.loses) * o.above(d)
}

// draw draws what becomes of a request. A higher draw means a longer round trip and, at the end, a lost request; errors come
// first, and take a second draw for their round trip. If the fate is certain, it draws nothing.
func (o *odds) draw(draw func() float64) fate {
	switch {
	case o.stalled:
		return unanswered
	case o.failed:
		return fate{takes: o.roundTrip(0), status: o.status}
	}
	u := draw()
	switch {
	case u < o.fails:
		return o.fail(u/o.fails, draw)
	case u >= 1-o.loses:
		return unanswered
	}
	return fate{takes: o.roundTrip((u - o.fails) / (1 - o.fails - o.loses))}
}

// fail returns a fate that is an error, after a round trip for which it calls draw once. The number which, in [0,1), chooses one
// of the errors by their probabilities.
func (o *odds) fail(which float64, draw func() float64) fate {
	f := fate{takes: o.roundTrip(draw())}
	which *= o.fails
	for i := range o.faults {
		e := &o.faults[i]
		if e.Status == 0 {
			continue
		}
		f.status = e.Status
		if which -= e.Probability; which < 0 {
			break
		}
	}
	return f
}

// slow returns an answer without an error whose round trip is above over and at most under, by one call of draw. An over of -1 is
// no lower limit, and an under of 0 is no upper limit.
func (o *odds) slow(over, under time.Duration, draw func() float64) fate {
	most := 1.0
	if under > 0 {
		most = 1 - o.above(under)
	}
	least := 0.0
	if over >= 0 {
		least = 1 - o.above(over)
	}
	return fate{takes: o.roundTrip(min(least+(most-least)*draw(), 1-1e-16))}
}
