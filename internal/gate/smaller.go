package gate

import (
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/stage"
)

// This file shows worst cases of environments that allow less. What happens there can happen in each one that allows more, whose own worst case
// perhaps cannot be shown.

// smaller returns the environments that allow less than e in one way, and after them the one that allows nothing but lost messages. It leaves
// out those that are as e is.
func smaller(e *bound.Environment) (all []*bound.Environment) {
	for _, allowLess := range []func(*bound.Environment){
		func(e *bound.Environment) { e.OtherQPS, e.OtherBurst = 0, 0 },
		func(e *bound.Environment) { e.MaxRetryAfter = 0 },
		func(e *bound.Environment) { e.MaxDriftPPM = 0 },
		func(e *bound.Environment) { e.MaxPause = 0 },
		func(e *bound.Environment) { e.Reruns = false },
		func(e *bound.Environment) { e.HiddenConflicts = false },
		func(e *bound.Environment) { e.MaxRoundTrip /= 2 },
		func(e *bound.Environment) { e.MaxRoundTrip = 0 },
		func(e *bound.Environment) { *e = bound.Environment{Drain: e.Drain} },
	} {
		less := *e
		if allowLess(&less); less != *e {
			all = append(all, &less)
		}
	}
	return all
}

// showSmaller looks for an overlap in smaller environments that is longer than j.Shown, and in those that are smaller than the one that showed the
// longest, as long as that helps. It stores the longest overlap in j.Shown and its scenario in j.Witness. It returns the errors of showIn.
func (j *Judgement) showSmaller() (err error) {
	for e := &j.Environment; e != nil && err == nil; {
		e, err = j.showIn(smaller(e))
	}
	return err
}

// showIn stores the longest overlap that is shown in one of these environments in j.Shown, and its scenario in j.Witness, and returns that
// environment; it stores nothing and returns nil if none is longer than j.Shown. An environment in which no run shows what is computed there
// counts for nothing. It returns an error if a scenario shows more than the bound; see exceeds.
func (j *Judgement) showIn(all []*bound.Environment) (longest *bound.Environment, err error) {
	for _, e := range all {
		o := &Judgement{Target: j.Target, Environment: *e}
		o.Timeout = programs.Timeout{} // j.RequestTimeout counts, whichever others there may be
		if o.bound() != nil || o.showOwn() != nil || o.Shown <= j.Shown {
			continue
		}
		more, err := j.exceeds(o.Witness, o.Shown)
		if err != nil {
			return nil, err
		}
		if !more {
			j.tell(o.Witness, o.Shown)
			longest = e
		}
	}
	return longest, nil
}

// show runs scenarios that show the overlap of an unsafe result, and stores the one with the longest in j.Witness and the overlap that its run
// shows in j.Shown. Where that is shorter than a computed upper bound, it tries smaller environments, too; if it is as long, the bound is exact,
// and show clears j.Result.Upper. It returns the errors of showOwn and showSmaller.
func (j *Judgement) show() error {
	err := j.showOwn()
	if err == nil && j.Result.Upper && j.Result.Overlap-j.Shown >= stage.Agree {
		err = j.showSmaller()
	}
	if j.Result.Overlap-j.Shown < stage.Agree {
		j.Result.Upper = false
	}
	return err
}
