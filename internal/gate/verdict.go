package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// Verdict is what the gate says of a target.
type Verdict string

// The verdicts, from good to bad. Three are of a run alone: Nothing was there to judge; what is not safe is Accepted; or
// something is Unknown, since it could not be read, and the rest is safe.
const (
	Nothing  Verdict = "nothing"
	Safe     Verdict = "safe"
	Accepted Verdict = "accepted"
	Unknown  Verdict = "unknown"
	Refused  Verdict = "refused"
	Unsafe   Verdict = "unsafe"
)

// Judgement is a verdict and all that is behind it.
type Judgement struct {
	Target
	// Environment is what counted: the target's own drain included.
	Environment bound.Environment
	Verdict     Verdict
	// Reason is why the library or a server would not take it; "" where both do.
	Reason string
	// Result is nil where it is refused.
	Result *bound.Result
	// Witness was run, and Shown is the overlap that it showed; nil where it is not unsafe.
	Witness *scenarios.Scenario
	Shown   time.Duration
	// Changes are the smallest ones, each for itself, that make it safe; None are the parameters that have none.
	Changes []Change
	None    []string
	// Strict is the same configuration with the profile strict; nil where that refuses it.
	Strict *bound.Result
	// Accepted is why a verdict that is not safe does not count: AcceptedOverlap or AcceptedBefore; "" where it does.
	Accepted string
}

// Margin is what is left before two leaders can work at once; negative is for how long they can.
func (j *Judgement) Margin() time.Duration { return -j.Result.Overlap }

// Worst is the worst of two verdicts.
func (v Verdict) Worst(other Verdict) Verdict {
	order := map[Verdict]int{Nothing: 0, Safe: 1, Accepted: 2, Unknown: 3, Refused: 4, Unsafe: 5}
	if order[other] > order[v] {
		return other
	}
	return v
}

// TypicalReplicas is for how many candidates the load is told.
const TypicalReplicas = 3

// Load is the average number of requests a second of so many candidates.
func (j *Judgement) Load(candidates int) float64 { return bound.Load(&j.Config, candidates) }

// Change is another value of one parameter, with which a configuration is safe.
type Change struct {
	// Parameter is the flag's name; From and To are values that it takes.
	Parameter, From, To string
}
