// Package reports shows people what a run did. It knows nothing of the simulator but its events and
// results.
//
// Most of what it shows, as the gate's verdicts and a search's numbers, is made by packages below internal, and it is for the
// commands of this module. A program that runs scenarios by itself has Text, Table, JSON, JUnit and Markdown for the results, and
// NewTimeline, NewPage and NewPerfetto, which take a Scenario's Header and are Sinks of its run.
package reports

import (
	"encoding/json"
	"io"

	"interregnum/internal/check"
	"interregnum/scenarios"
)

// Run is what became of a scenario.
type Run struct {
	Scenario *scenarios.Scenario
	// Result is nil where the run itself failed, with Err.
	Result *scenarios.Result
	Err    error
	// Command is the one that runs it again.
	Command string
}

// JSON writes a result as one line.
func JSON(w io.Writer, r *scenarios.Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// Overlap is the longest time, in nanoseconds, for which two candidates worked at once.
func (r *Run) Overlap() int64 {
	if r.Result == nil {
		return 0
	}
	for i := range r.Result.Properties {
		if r.Result.Properties[i].Name == check.SingleWork {
			return r.Result.Properties[i].OverlapNs
		}
	}
	return 0
}

// fine tells whether the run is as expected.
func (r *Run) fine() bool { return r.Result != nil && r.Result.AsExpected }

// expected is the verdict that the scenario expects of a property.
func (r *Run) expected(property string) scenarios.Expectation {
	if want, ok := r.Scenario.Expect[property]; ok {
		return want
	}
	return scenarios.ExpectHeld
}
