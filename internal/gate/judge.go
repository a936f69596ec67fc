// Package gate judges the timings of leader elections: it tells whether the guarded work of two leaders can overlap in an
// environment, runs the scenario that shows the longest overlap, and finds the smallest changes that make timings safe. Tune
// looks for the best timings.
package gate

import (
	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// Judge returns the judgement whether target t is safe in environment e, or in the target's own environment if it has one. Of the
// drains of target and environment the longer one counts. The judgement has the result for the profile strict as well. If the
// verdict is not Safe, it also has the changes that would make it so; if it is Unsafe, also a witness, where one can be shown. An
// error that is a files.Problem is about the input; any other error is the gate's own fault.
func Judge(t Target, e *bound.Environment) (*Judgement, error) {
	j, err := unchanged(t, e)
	if err == nil && j.Verdict != Safe && !j.resets(&j.Environment) { // with resets nothing is known to be safe
		j.change()
	}
	return j, err
}

// unchanged returns what Judge returns, without the changes that would make the target safe.
func unchanged(t Target, e *bound.Environment) (*Judgement, error) {
	j := &Judgement{Target: t, Environment: *e}
	if t.Own != nil {
		j.Environment = t.Own.Environment
	}
	j.Environment.Drain = max(j.Environment.Drain, t.Drain)
	t.endStalls(&j.Environment)
	refused := bound.Refused(&t.Config)
	if refused == nil {
		if err := t.check(); err != nil {
			return nil, err
		}
		if err := CheckClient(t.Client, &j.Environment); err != nil {
			return nil, t.problem("%v", err)
		}
		if err := t.withTraffic(&j.Environment); err != nil {
			return nil, err
		}
		if err := j.bound(); err != nil {
			return nil, t.problem("cannot be judged: %v", err)
		}
		if err := j.withResets(); err != nil {
			return nil, err
		}
	} else if err := t.unfit(refused); err != nil {
		return nil, err
	} else {
		j.RequestTimeout = j.timeouts(j.RenewDeadline)[0]
	}
	j.strict()
	switch {
	case refused != nil:
		j.Verdict, j.Reason = Refused, refused.Error()
	case j.Result.Safe():
		j.Verdict = Safe
	default:
		j.Verdict = Unsafe
		if err := j.show(); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// strict stores in j.Strict the result of the same configuration with the profile strict. It leaves j.Strict nil if that
// configuration would be refused. It leaves out the client, since the overlap of strict does not depend on how long requests take.
func (j *Judgement) strict() {
	c := j.Config
	c.Profile, c.Client = machine.Strict, nil
	if bound.Refused(&c) != nil {
		return
	}
	j.Strict, _ = bound.Of(&c, &j.Environment) // every environment has a bound for strict
}
