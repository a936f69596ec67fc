// Package scenarios is the worlds that Interregnum simulates, as people write them: the scenario file and
// its strict reader, the library that ships, and Run.
package scenarios

// Scenario is one scenario file.
type Scenario struct {
	// Name is [a-z0-9-]+.
	Name string
	// About says in a sentence what it shows.
	About string
	Plan
	// Expect is the verdict each property is expected to give; one without an entry is expected to be held.
	Expect map[string]Expectation
}

// Expectation is a verdict, or any.
type Expectation string

// What can be expected of a property.
const (
	ExpectHeld         Expectation = "held"
	ExpectViolated     Expectation = "violated"
	ExpectInconclusive Expectation = "inconclusive"
	ExpectAny          Expectation = "any"
)
