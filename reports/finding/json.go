// Package finding writes results for programs and code hosts: as JSON, JUnit, Markdown and SARIF.
//
// Functions for the gate take types of packages below internal. They are for the commands of this module.
package finding

import (
	"encoding/json"
	"io"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/plan"
	"interregnum/scenarios"
)

// JSON writes a result as one line of JSON.
func JSON(w io.Writer, r *scenarios.Result) error { return json.NewEncoder(w).Encode(r) }

// listOf returns a list with the results of the function of, which it calls for each element of all. Its JSON form is a list, and
// not null, if there are no elements.
func listOf[T, U any](all []T, of func(*T) U) []U {
	list := make([]U, len(all))
	for i := range all {
		list[i] = of(&all[i])
	}
	return list
}

// environmentJSON is the gate's environment. Sources has, for each number, where it comes from.
type environmentJSON struct {
	MaxRoundTrip time.Duration     `json:"maxRoundTripNs"`
	MaxDriftPPM  int64             `json:"maxDriftPPM"`
	MaxPause     time.Duration     `json:"maxPauseNs"`
	Drain        time.Duration     `json:"drainNs"`
	ClockOffset  time.Duration     `json:"maxClockOffsetNs"`
	Reruns       bool              `json:"reruns"`
	Conflicts    bool              `json:"hiddenConflicts"`
	OtherQPS     float64           `json:"otherQPS,omitempty"`
	OtherBurst   int               `json:"otherBurst,omitempty"`
	RetryAfter   time.Duration     `json:"maxRetryAfterNs,omitempty"`
	Stall        time.Duration     `json:"maxStallNs,omitempty"` // is part of maxRoundTripNs
	Sources      map[string]string `json:"sources"`
}

// environmentToJSON returns the JSON form of the environment, with the source of each number.
func environmentToJSON(e *gate.Environment) environmentJSON {
	out := environmentJSON{e.MaxRoundTrip, e.MaxDriftPPM, e.MaxPause, e.Drain, e.MaxClockOffset, e.Reruns, e.HiddenConflicts,
		e.OtherQPS, e.OtherBurst, e.MaxRetryAfter, e.Stall, map[string]string{}}
	for _, n := range e.Numbers() {
		out.Sources[n.Name] = n.Source
	}
	return out
}

// settingsJSON are the timings of a configuration.
type settingsJSON struct {
	LeaseDuration  time.Duration `json:"leaseDurationNs"`
	RenewDeadline  time.Duration `json:"renewDeadlineNs"`
	RetryPeriod    time.Duration `json:"retryPeriodNs"`
	RequestTimeout time.Duration `json:"requestTimeoutNs"`
}

// settingsOf returns the JSON form of timings.
func settingsOf(t machine.Timings, timeout time.Duration) settingsJSON {
	return settingsJSON{t.LeaseDuration, t.RenewDeadline, t.RetryPeriod, timeout}
}

// unjudgedJSON is what the gate says besides its judgements.
type unjudgedJSON struct {
	Notes    []placedJSON `json:"notes,omitempty"`
	Problems []placedJSON `json:"problems,omitempty"`
	Skipped  int          `json:"skippedFiles,omitempty"`
}

// placedJSON is a note or a problem.
type placedJSON struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Kind string `json:"kind,omitempty"`
	Text string `json:"text"`
}

// unjudgedOf returns the JSON form of what a report says besides its judgements: notes, problems, and how many files were skipped.
func unjudgedOf(r *gate.Report) unjudgedJSON {
	return unjudgedJSON{
		Notes:    listOf(r.Notes, func(n *files.Note) placedJSON { return placed(n.Position, string(n.Kind), n.Text) }),
		Problems: listOf(r.Problems, func(p *files.Problem) placedJSON { return placed(p.Position, "", p.Text) }),
		Skipped:  r.Skipped,
	}
}

// placed returns the JSON form of a note or a problem at a position.
func placed(p files.Position, kind, text string) placedJSON {
	return placedJSON{p.Name(), p.File, p.Line, kind, text}
}

// lockName returns the kind of lock; "" for a Lease, which the JSON forms leave out.
func lockName(l plan.Lock) string {
	if l == plan.Lease {
		return ""
	}
	return string(l)
}
