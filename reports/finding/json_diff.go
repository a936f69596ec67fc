package finding

import (
	"encoding/json"
	"io"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports"
)

// diffJSON is a comparison of two runs. First is nil if they have the same events.
type diffJSON struct {
	Equal bool      `json:"equal"`
	A     sideJSON  `json:"a"`
	B     sideJSON  `json:"b"`
	First *partJSON `json:"first,omitempty"`
}

// sideJSON is one of the two runs.
type sideJSON struct {
	Name       string           `json:"name"`
	Scenario   string           `json:"scenario"`
	Seed       uint64           `json:"seed"`
	Events     int              `json:"events"`
	TraceHash  string           `json:"traceHash"`
	Properties []check.Property `json:"properties"`
}

// partJSON is the first event that differs. It is null for a side that has no further event.
type partJSON struct {
	// Shared is how many events come before, the same in both.
	Shared int             `json:"shared"`
	A      json.RawMessage `json:"a"`
	B      json.RawMessage `json:"b"`
}

// DiffJSON writes a comparison of two runs as one line of JSON: both sides, and the first event that differs
// or, if none does, that the runs are equal.
func DiffJSON(w io.Writer, a, b *reports.Side) error {
	out := diffJSON{A: sideOf(a), B: sideOf(b)}
	if d := reports.Compare(a, b); d == nil {
		out.Equal = true
	} else {
		out.First = &partJSON{Shared: d.Shared, A: rawEvent(a, d.Shared), B: rawEvent(b, d.Shared)}
	}
	return json.NewEncoder(w).Encode(&out)
}

// sideOf returns the JSON form of one of two runs that are compared.
func sideOf(s *reports.Side) sideJSON {
	return sideJSON{s.Name, s.Header.Scenario, s.Header.Seed, len(s.Events), s.Result.TraceHash, s.Result.Properties}
}

// rawEvent returns the event at index i as a line of a trace file, nil if the side has fewer events.
func rawEvent(s *reports.Side, i int) json.RawMessage {
	if i >= len(s.Events) {
		return nil
	}
	return trace.Line(s.Header, &s.Events[i])
}
