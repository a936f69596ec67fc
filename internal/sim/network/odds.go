package network

import (
	"math/rand/v2"
	"time"

	"interregnum/internal/fate"
	"interregnum/plan"
)

// Odds are what the network and the faults that a message meets on one leg leave to chance: whether it is lost, and how long it takes.
type Odds struct {
	leg   plan.Leg
	loss  float64
	cut   bool
	delay *plan.Delay
	// factor is by how much the delay is multiplied; 0 is 1.
	factor float64
}

// NewOdds returns the odds of a message on that leg which meets no fault.
func NewOdds(way *plan.Network, leg plan.Leg) Odds { return Odds{leg: leg, delay: usual(way, leg)} }

// usual returns the network's own delay on that leg, without faults.
func usual(way *plan.Network, leg plan.Leg) *plan.Delay {
	if leg == plan.RequestLeg {
		return &way.Request
	}
	return &way.Response
}

// Meet changes the odds of a message by the fault f. It returns true if f says something about loss or delay on the message's
// leg, and false otherwise. Faults must come in the order of the file. The last loss, the last delay and the last factor count; a
// partition or an outage always does.
func (o *Odds) Meet(f *plan.Fault) bool {
	switch f.Kind {
	case plan.FaultPartition, plan.FaultOutage:
		o.cut = true
		return true
	case plan.FaultLose:
		if f.Leg != plan.BothLegs && f.Leg != o.leg {
			return false
		}
		o.loss = 1
		if f.Probability != nil {
			o.loss = *f.Probability
		}
		return true
	case plan.FaultDelay:
		other := f.Response
		if o.leg == plan.RequestLeg {
			other = f.Request
		}
		if other != nil {
			o.delay = other
		}
		return other != nil
	case plan.FaultBrownout:
		if f.Factor != nil {
			o.factor = *f.Factor
		}
		return f.Factor != nil
	}
	return false
}

// drawn draws a delay from d.Min to d.Max, both included. d.Max must be more than d.Min.
func drawn(d *plan.Delay, from *rand.Rand) time.Duration {
	return d.Min + time.Duration(from.Int64N(int64(d.Max-d.Min)+1))
}

// Never tells whether the message is lost for certain.
func (o *Odds) Never() bool { return o.cut || o.loss >= 1 }

// Lost tells whether the message is lost. Only if chance decides that, it calls the function from for the source of random
// numbers, and draws one.
func (o *Odds) Lost(from func() *rand.Rand) bool {
	return o.Never() || o.loss > 0 && from().Float64() < o.loss
}

// Takes returns how long the message takes. Only if chance decides that, it calls the function from for the source of random
// numbers, and draws one.
func (o *Odds) Takes(from func() *rand.Rand) time.Duration {
	d := o.delay.Min
	if o.delay.Max > d {
		d = drawn(o.delay, from())
	}
	if o.factor == 0 {
		return d
	}
	return plan.Slowed(d, o.factor)
}

// Draw draws what becomes of the message: from the function losses whether it is lost, as Lost does, and only if it is not, from
// delays how long it takes, as Takes does.
func (o *Odds) Draw(losses, delays func() *rand.Rand) fate.Way {
	if o.Lost(losses) {
		return fate.Way{Lost: true}
	}
	return fate.Way{Delay: o.Takes(delays)}
}
