package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// Verdict is what the gate says of a target, or of a whole run.
type Verdict string

// The verdicts, from good to bad. Three are only of a run as a whole. Nothing: there was nothing to judge. Accepted: all that is
// not safe is accepted. Unknown: something could not be judged, and all else is safe or accepted.
const (
	Nothing  Verdict = "nothing"
	Safe     Verdict = "safe"
	Accepted Verdict = "accepted"
	Unknown  Verdict = "unknown"
	Refused  Verdict = "refused"
	Unsafe   Verdict = "unsafe"
)

// Judgement is a verdict with its reasons.
type Judgement struct {
	Target
	// Environment is the one that counted; its drain is the target's own where that is longer.
	Environment bound.Environment
	Verdict     Verdict
	// Reason says why the library or a server would refuse the configuration; "" where neither does.
	Reason string
	// Result is nil where the configuration is refused.
	Result *bound.Result
	// Closing is how long a request is under way whose connection the client closes, if such a closing is part of the worst case;
	// otherwise 0. In the witness a request timeout of that length stands for the closing.
	Closing time.Duration
	// Covered: closings, or the time that a new connection takes, make an overlap possible that is longer than what any plan shows.
	// Result.Overlap is an upper bound of it.
	Covered bool
	// Witness is the scenario that was run, and Shown is the overlap that it showed. They are nil and 0 if the target is not
	// unsafe, and if the simulated world cannot show an overlap. If Result.Upper is set, Shown can be shorter than the computed
	// overlap, and a nil Witness means that none was found.
	Witness *scenarios.Scenario
	Shown   time.Duration
	// Changes are the smallest changes, each of one parameter, that make the configuration safe. None are the parameters of which
	// no value makes it safe.
	Changes []Change
	None    []string
	// Strict is the result of the same configuration with the profile strict; nil where that profile refuses it.
	Strict *bound.Result
	// Accepted is AcceptedOverlap or AcceptedBefore if the verdict is not safe and does not count; otherwise "".
	Accepted string
}

// Counts tells whether the verdict counts against the run: the target is unsafe or refused, and not accepted.
func (j *Judgement) Counts() bool { return j.Verdict != Safe && j.Accepted == "" }

// Margin returns the time that remains, in the worst case, before two leaders work at once. If it is negative, they overlap for
// that long. It must not be called for a configuration that is Refused: it would panic.
func (j *Judgement) Margin() time.Duration { return -j.Result.Overlap }

// Worst returns the worse of two verdicts. Nothing is the best verdict, and Unsafe is the worst.
func (v Verdict) Worst(other Verdict) Verdict {
	order := map[Verdict]int{Nothing: 0, Safe: 1, Accepted: 2, Unknown: 3, Refused: 4, Unsafe: 5}
	if order[other] > order[v] {
		return other
	}
	return v
}

// TypicalReplicas is the number of candidates for which reports give the load.
const TypicalReplicas = 3

// Load returns the average number of requests per second that so many healthy candidates make together; see bound.Load.
func (j *Judgement) Load(candidates int) float64 { return bound.Load(&j.Config, candidates) }

// Change is another value of one parameter, with which the configuration is safe.
type Change struct {
	// Parameter is the flag's name; From and To are values that it takes.
	Parameter string `json:"parameter"`
	From      string `json:"from"`
	To        string `json:"to"`
}

// Passes tells whether the verdict lets a run pass, and something nobody says could still make it worse: it is safe, or it is accepted
// and its overlap has an end.
func (j *Judgement) Passes() bool {
	return j.Verdict == Safe || j.Verdict == Unsafe && j.Accepted != "" && !j.Result.Unbounded
}

// Longer returns an overlap that is possible if something is otherwise than the verdict has it; of is a method that computes it, such as
// IfClosed. It returns 0 if that overlap is not longer than the verdict's own (see longer). If the verdict does not pass, it computes
// nothing, and returns 0.
func (j *Judgement) Longer(of func() time.Duration) time.Duration {
	if !j.Passes() {
		return 0
	}
	if overlap := of(); j.longer(overlap) {
		return overlap
	}
	return 0
}

// longer tells whether an overlap is longer than that of a verdict that passes, by more than the pause of IfPaused adds to any overlap.
func (j *Judgement) longer(overlap time.Duration) bool {
	return overlap > 0 && (j.Verdict == Safe || overlap > j.Result.Overlap+2)
}
