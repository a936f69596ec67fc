package world

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/scenarios"
)

// Settings returns what the scenario says of the candidate in this election.
func (p *Part) Settings() scenarios.Candidate { return *p.seat.plan }

// Identity returns the identity of the process.
func (p *Part) Identity() string { return p.process.identity }

// Incarnation returns the number of the process, from 1.
func (p *Part) Incarnation() int { return int(p.process.incarnation) }

// Key returns the namespace and name of the election's lock.
func (p *Part) Key() types.NamespacedName { return p.seat.key }

// Start returns the time at which the run began, on the bubble's clock.
func (p *Part) Start() time.Time { return p.world().start }

// TakesClock returns the time at which the run began, and notes in w.clocked that the code takes the candidate's own clock.
func (p *Part) TakesClock() time.Time {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clocked = true
	return w.start
}

// Elections returns the names of the elections that the process takes part in, nil if the scenario names none.
func (p *Part) Elections() (names []string) {
	if p.seat.plan.Election == "" {
		return nil
	}
	for _, s := range p.seat.node.seats {
		names = append(names, s.plan.Election)
	}
	return names
}

// In returns the process's part in the election of that name, nil if the process takes no part in it.
func (p *Part) In(election string) *Part {
	for _, other := range p.process.parts {
		if other.seat.plan.Election == election {
			return other
		}
	}
	return nil
}
