// Package mutants plants bugs, to prove that the checkers find them.
//
// A mutant is data: a place in a source file, told by its text, and what stands there instead. Patched copies of the
// files, with every mutant behind a switch, are compiled into one test binary by means of go's -overlay. The sources
// themselves know nothing of it.
package mutants

import "slices"

// Mutant is a planted bug.
type Mutant struct {
	// Name is the name of the bug's switch.
	Name string
	// About says what the bug is.
	About string
	// Edits are the changes that make it up.
	Edits []Edit
	// Killer is the name of the check that must find the bug; "" if any check will do.
	Killer string
	// Scenario is the shipped scenario that shows the bug, "" if random ones do.
	Scenario string
	// Ground says in which random scenarios the bug is to show.
	Ground Ground
}

// Ground is a kind of random scenarios, in which a bug has to be found.
type Ground uint8

const (
	// Leases has one Lease for all candidates.
	Leases Ground = iota
	// Expiring has locks that expire by themselves.
	Expiring
	// Elections has several elections in each process, and liveness probes.
	Elections
	// Objects has locks on other objects than a Lease, and on two.
	Objects
	// Coordinated has elections in which the coordinator says who leads.
	Coordinated
	// Shortcut has plans of all sorts, each of them run with the simulator's short cut and without.
	Shortcut
	// Client has plans in which clients wait for tokens and repeat requests, each of them run on client-go too.
	Client
	// Rollouts has a rollout in each scenario, and what is to become of it by the plan.
	Rollouts
	// Claims has logs of random runs, from which investigate draws its conclusions.
	Claims
)

// Edit is one change of a source file.
type Edit struct {
	// File is a path from the root of the repository.
	File string
	Form Form
	// Old is text that must occur exactly once in the file.
	Old string
	// New stands in its place.
	New string
}

// Form says what kind of text an edit replaces, and so how Patch puts the switch around it.
type Form uint8

const (
	// Condition replaces a boolean expression.
	Condition Form = iota
	// Statements replaces whole statements that declare nothing.
	Statements
	// Always is no bug but a change that a bug needs. It is in force whatever is switched on.
	Always
)

// All returns every mutant, in the order in which they are reported.
func All() []Mutant {
	return slices.Concat(algorithm(), store(), input(), on(Expiring, expiring()), on(Elections, elections()), on(Objects, objects()),
		on(Coordinated, coordinated()), on(Shortcut, shortcut()), on(Client, client()), on(Rollouts, rollouts()),
		on(Claims, claims()))
}

// on sets the Ground of all mutants in all to ground, in the slice itself, and returns the slice.
func on(ground Ground, all []Mutant) []Mutant {
	for i := range all {
		all[i].Ground = ground
	}
	return all
}
