package files

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/check"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// isScenario tells whether a document looks like a scenario file: it has the fields candidates and horizon, and neither
// apiVersion nor kind.
func isScenario(root *yaml.Node) bool {
	names := map[string]bool{}
	if root.Kind == yaml.MappingNode {
		for i := 0; i < len(root.Content); i += 2 {
			names[root.Content[i].Value] = true
		}
	}
	return names["candidates"] && names["horizon"] && !names["apiVersion"] && !names["kind"]
}

// scenario reads a scenario file. It appends to w.out.Targets one target for each configuration (timings, profile, lock, timeout,
// release, drain, client) that at least one candidate has. A file that cannot be read becomes a problem, and so does a candidate
// for which no bound is known: one of a coordinated election, or one that can release the lock while its work goes on.
func (w *walker) scenario(data []byte) {
	w.pos.Document = 0
	s, err := scenarios.Read(bytes.NewReader(data), w.pos.File)
	if err != nil {
		at, text := w.pos, err.Error()
		var bad *scenarios.FileError
		if errors.As(err, &bad) {
			at, text = at.at(bad.Line), strings.TrimPrefix(bad.Path+": "+bad.Problem, ": ")
		}
		w.problem(at, text)
		return
	}
	w.pos.Object = "scenario " + phrase.Clip(s.Name)
	type configuration struct {
		Target
		coordinated  bool
		returnsAfter time.Duration
	}
	var seen []configuration
	for _, c := range s.Candidates {
		judged := configuration{
			Target: Target{
				Facts:           programs.Facts{Timings: c.Timings, Timeout: programs.FixedTimeout(c.RequestTimeout), Lock: c.Lock},
				ReleaseOnCancel: c.ReleaseOnCancel, ReleaseSaid: true, Profile: c.Profile.Name, Drain: c.Drain, Now: c.Now, Precision: c.Precision, Client: c.Client,
			},
			coordinated: c.Coordinated, returnsAfter: c.ReturnsAfter,
		}
		if slices.ContainsFunc(seen, func(other configuration) bool { return reflect.DeepEqual(judged, other) }) {
			continue
		}
		seen = append(seen, judged)
		at := w.pos
		at.Part = "candidate " + phrase.Clip(check.InElection(c.Election, c.ID)[0])
		switch {
		case c.Coordinated:
			w.problem(at, noBound)
		case c.ReturnsAfter > 0 && c.ReleaseOnCancel:
			w.problem(at, "a candidate with returnsAfter and releaseOnCancel cannot be judged: no bound is known, since it may "+
				"release the lock while its work goes on")
		default:
			judged.Position = at
			w.out.Targets = append(w.out.Targets, judged.Target)
		}
	}
}

// noBound says why a coordinated election is not judged.
const noBound = "a coordinated election cannot be judged: no bound is known, since the offsets of clocks count"
