// Package fate says what becomes of one request and its answer, and turns that into faults of a scenario, to the nanosecond.
package fate

import (
	"time"

	"interregnum/plan"
)

// Way is what becomes of a message on its way: it is lost, or it takes Delay.
type Way struct {
	Delay time.Duration
	Lost  bool
}

// Refusal is an answer by which the service refuses a request.
type Refusal struct {
	// Status is that of the error, 0 for none. Applied: the service carries out the request nevertheless.
	Status  int
	Applied bool
	// RetryAfter is how long the answer asks the client to wait before it sends the request again; nil is not at all.
	RetryAfter *time.Duration
}

// Fate is what becomes of a request.
type Fate struct {
	// Hold is how long the client's rate limiter keeps the request back, before the timeout starts. It is part of the
	// round trip.
	Hold time.Duration
	// Out is the request's way to the service, Back that of the answer.
	Out, Back Way
	Refusal
}

// Times are when a candidate's client was called for a request, when that left, and when it arrived, in true time;
// negative for what did not happen.
type Times struct{ Called, Sent, Arrived time.Duration }

// Faults returns the faults that give one request the fate f. on is the ID of the candidate that sends the request, and at holds
// the request's times. Each fault lasts for the one nanosecond in which it decides. Of what has not happened (a negative time)
// there is no fault. Hold is measured on the candidate's clock.
func (f *Fate) Faults(on string, at Times) (faults []plan.Fault) {
	add := func(now time.Duration, fault plan.Fault) {
		until := now + 1
		fault.At, fault.Until, fault.On = now, &until, []string{on}
		faults = append(faults, fault)
	}
	if f.Hold > 0 {
		add(at.Called, plan.Fault{Kind: plan.FaultDelay, Limiter: f.Hold})
	}
	switch {
	case at.Sent < 0:
		return faults
	case f.Out.Lost:
		add(at.Sent, plan.Fault{Kind: plan.FaultLose, Leg: plan.RequestLeg})
		return faults
	}
	add(at.Sent, plan.Fault{Kind: plan.FaultDelay, Request: &plan.Delay{Min: f.Out.Delay, Max: f.Out.Delay}})
	if at.Arrived < 0 {
		return faults
	}
	if f.Status != 0 {
		add(at.Arrived, plan.Fault{Kind: plan.FaultError, Status: f.Status, Applied: f.Applied, RetryAfter: f.RetryAfter})
	}
	if f.Back.Lost {
		add(at.Arrived, plan.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg})
		return faults
	}
	add(at.Arrived, plan.Fault{Kind: plan.FaultDelay, Response: &plan.Delay{Min: f.Back.Delay, Max: f.Back.Delay}})
	return faults
}
