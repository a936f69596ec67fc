// Package finding writes results for programs and code hosts: as JSON, JUnit, Markdown and SARIF.
//
// Functions for the gate take types of packages below internal. They are for the commands of this module.
package finding

import (
	"encoding/json"
	"io"
	"time"

	"interregnum/internal/gate"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// JSON writes a result as one line of JSON.
func JSON(w io.Writer, r *scenarios.Result) error { return writeLine(w, r) }

// writeLine writes the JSON form of a value as one line.
func writeLine(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

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
	Sources      map[string]string `json:"sources"`
}

// environmentToJSON returns the JSON form of the environment, with the source of each number.
func environmentToJSON(e *gate.Environment) environmentJSON {
	out := environmentJSON{e.MaxRoundTrip, e.MaxDriftPPM, e.MaxPause, e.Drain, e.MaxClockOffset, e.Reruns, e.HiddenConflicts,
		e.OtherQPS, e.OtherBurst, e.MaxRetryAfter, map[string]string{}}
	for _, n := range e.Numbers() {
		out.Sources[n.Name] = n.Source
	}
	return out
}

// lockName returns the kind of lock; "" for a Lease, which the JSON forms leave out.
func lockName(l plan.Lock) string {
	if l == plan.Lease {
		return ""
	}
	return string(l)
}
