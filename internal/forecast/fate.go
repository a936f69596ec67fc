package forecast

import (
	"time"

	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// fate is what becomes of a request.
type fate struct {
	request uint64
	sent    time.Duration
	// takes is the round trip. status is that of an error, 0 for none.
	takes  time.Duration
	status int
	// frees: it releases the lock, so that its success renews nothing.
	frees bool
}

// unanswered is the fate of a request that is never answered, unless its client gives up before: the client's connection is given
// up (plan.LongestStall).
var unanswered = fate{takes: plan.LongestStall, status: 504}

// odds are the chances of a request that is sent now.
type odds struct {
	// failed: it is answered by an error at once; stalled: it is never answered. Both are certain.
	failed, stalled bool
	failures
	// status is that of a request that fails for certain. exact is how long the request takes that a recording has; 0: takes says it.
	status int
	exact  time.Duration
	// takes is the distribution of round trips, to be multiplied with factor.
	takes  *behaviour.Distribution
	factor float64
	known  *known
}

// failures are the errors of single requests. fails and loses are the probabilities that one fails, or is lost.
type failures struct {
	faults       []behaviour.Error
	fails, loses float64
}

// failuresOf adds up the probabilities of errors. One with status 0 is a request that is lost.
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

// known remembers shares of distributions that were asked for before: most are asked for again and again.
type known [64]struct {
	of    *behaviour.Distribution
	over  time.Duration
	share float64
}

// above returns the share of d that is more than over.
func (k *known) above(d *behaviour.Distribution, over time.Duration) float64 {
	e := &k[uint64(over)*0x9e3779b97f4a7c15>>58]
	if e.of != d || e.over != over {
		e.of, e.over, e.share = d, over, d.Above(over)
	}
	return e.share
}

// above returns the share of round trips that take more than over.
func (o *odds) above(over time.Duration) float64 {
	if o.exact > 0 {
		if o.roundTrip(0) > over {
			return 1
		}
		return 0
	}
	return o.known.above(o.takes, time.Duration(float64(over)/o.factor))
}

// certain tells whether nothing is left to chance.
func (o *odds) certain() bool { return o.failed || o.stalled }

// refusedStatus is the status by which an outage fails requests: that of a server which is not there.
const refusedStatus = 503

// odds returns the chances of a request of a replica that is sent at that time.
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

// replay makes the odds those of a request of a recording, unless something is certain already. Its round trip counts if timed is true.
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

// meets tells whether the i-th episode is on the messages of a replica.
func (p *play) meets(h *happening, i, replica int) bool {
	switch h.On {
	case behaviour.One:
		return h.whom == replica%p.s.Replicas
	case behaviour.Leader:
		return p.met[i] == replica
	}
	return true
}

// roundTrip returns the round trip at that quantile.
func (o *odds) roundTrip(quantile float64) time.Duration {
	if o.exact > 0 {
		return time.Duration(float64(o.exact) * o.factor)
	}
	return max(1, time.Duration(float64(o.takes.At(quantile))*o.factor))
}

// longer returns the probability that a request is answered by no error, but only after more than d.
func (o *odds) longer(d time.Duration) float64 {
	return (1 - o.fails - o.loses) * o.above(d)
}

// draw draws what becomes of a request. How bad it is grows with the draw, except that errors come first.
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

// fail returns a fate that is an error, after a round trip that is drawn. which, in [0,1), chooses among the errors by their
// probabilities.
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

// slow draws an answer that takes more than over, which is -1 for no limit, and not more than under, which is 0 for none.
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
