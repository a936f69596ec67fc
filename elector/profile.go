package elector

import "interregnum/elector/machine"

// Profile names a variant of the algorithm. Candidates of different profiles can share one lock.
type Profile string

const (
	// Strict keeps the promise of one leader at a time, as far as that can be without fencing; see the
	// package comment for its terms.
	Strict Profile = "strict"
	// ClientGo does what k8s.io/client-go does, hazards included, to the nanosecond.
	ClientGo Profile = "client-go"
)

// machine returns the profile in the form that the algorithm takes. Any name but ClientGo is Strict.
func (p Profile) machine() machine.Profile {
	if p == ClientGo {
		return machine.ClientGo
	}
	return machine.Strict
}
