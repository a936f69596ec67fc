package gate

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
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

// Judge tells whether a configuration is safe in an environment. An error that is a files.Problem is one of the input;
// any other is the gate's own fault.
func Judge(t Target, e *bound.Environment) (*Judgement, error) {
	j := &Judgement{Target: t, Environment: *e}
	if t.Own != nil {
		j.Environment = t.Own.Environment
	}
	j.Environment.Drain = max(j.Environment.Drain, t.Drain)
	refused := bound.Refused(&t.Config)
	if refused == nil {
		if err := t.check(); err != nil {
			return nil, err
		}
		if err := j.bound(); err != nil {
			return nil, t.problem("cannot be judged: %v", err)
		}
	} else {
		j.RequestTimeout = j.timeouts(j.RenewDeadline)[0]
	}
	j.strict()
	switch {
	case refused != nil:
		j.Verdict, j.Reason = Refused, refused.Error()
	case j.Result.Safe():
		j.Verdict = Safe
		return j, nil
	default:
		j.Verdict = Unsafe
		if err := j.show(); err != nil {
			return nil, err
		}
	}
	j.change()
	return j, nil
}

// strict computes the result of the same configuration with the profile strict, unless that would be refused.
func (j *Judgement) strict() {
	c := j.Config
	c.Profile = machine.Strict
	if bound.Refused(&c) != nil {
		return
	}
	j.Strict, _ = bound.Of(&c, &j.Environment) // every environment has a bound for strict
}

// Counts tells whether the target is unsafe or refused, and that is not accepted.
func (j *Judgement) Counts() bool { return j.Verdict != Safe && j.Accepted == "" }

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

// about says in a sentence what the witness shows.
func (j *Judgement) about() string {
	text := fmt.Sprintf("Two leaders work at once for %v: the worst of leaseDuration %v, renewDeadline %v and "+
		"retryPeriod %v", FormatDuration(j.Shown.Round(time.Millisecond)), FormatDuration(j.LeaseDuration),
		FormatDuration(j.RenewDeadline), FormatDuration(j.RetryPeriod))
	text += fmt.Sprintf(", profile %s", j.Profile.Name)
	if lock := j.LockWords(); lock != "" {
		text += ", lock " + lock
	}
	if j.Environment.MaxClockOffset > 0 {
		text += fmt.Sprintf(", wall clocks at most %v apart", FormatDuration(j.Environment.MaxClockOffset))
	}
	return text + fmt.Sprintf(", where round trips take at most %v, clocks drift by at most %d ppm, pauses "+
		"last at most %v and the work ends %v after its context.", FormatDuration(j.Environment.MaxRoundTrip),
		j.Environment.MaxDriftPPM, FormatDuration(j.Environment.MaxPause), FormatDuration(j.Environment.Drain))
}

// TypicalReplicas is for how many candidates the load is told.
const TypicalReplicas = 3

// Load is the average number of requests a second of so many candidates.
func (j *Judgement) Load(candidates int) float64 { return bound.Load(&j.Config, candidates) }
