// Package fate turns what becomes of one request into faults of a scenario, to the nanosecond.
package fate

import (
	"time"

	"interregnum/scenarios/plan"
)

// Fate is what becomes of a request.
type Fate struct {
	// Hold is how long the client's rate limiter keeps the request back, before the timeout starts. It is part of the
	// round trip.
	Hold time.Duration
	// Out is how long the request takes to the service, Back how long the answer takes.
	Out, Back         time.Duration
	LostOut, LostBack bool
	// Status is the error that takes the place of the answer, 0 for none. Applied says whether the operation is carried
	// out nevertheless.
	Status  int
	Applied bool
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
	case f.LostOut:
		add(at.Sent, plan.Fault{Kind: plan.FaultLose, Leg: plan.RequestLeg})
		return faults
	}
	add(at.Sent, plan.Fault{Kind: plan.FaultDelay, Request: &plan.Delay{Min: f.Out, Max: f.Out}})
	if at.Arrived < 0 {
		return faults
	}
	if f.Status != 0 {
		add(at.Arrived, plan.Fault{Kind: plan.FaultError, Status: f.Status, Applied: f.Applied})
	}
	if f.LostBack {
		add(at.Arrived, plan.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg})
		return faults
	}
	add(at.Arrived, plan.Fault{Kind: plan.FaultDelay, Response: &plan.Delay{Min: f.Back, Max: f.Back}})
	return faults
}
