// Package scenarios reads, writes and runs scenarios: files that describe candidates of leader elections, their network
// and what goes wrong. It has a library of scenarios that ship.
package scenarios

// Scenario is one scenario file.
type Scenario struct {
	// Name is [a-z0-9-]+.
	Name string
	// About says in a sentence what the scenario shows.
	About string
	Plan
	// Expect maps properties to the verdicts that are expected. A property without an entry is expected to be held.
	Expect map[string]Expectation
}

// Expectation is the verdict that is expected of a property, or ExpectAny.
type Expectation string

// The expectations.
const (
	ExpectHeld         Expectation = "held"
	ExpectViolated     Expectation = "violated"
	ExpectInconclusive Expectation = "inconclusive"
	ExpectAny          Expectation = "any"
)
