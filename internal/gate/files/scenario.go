package files

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// isScenario tells whether a document looks like a scenario file, by its field names.
func isScenario(root *yaml.Node) bool {
	names := map[string]bool{}
	if root.Kind == yaml.MappingNode {
		for i := 0; i < len(root.Content); i += 2 {
			names[root.Content[i].Value] = true
		}
	}
	return names["candidates"] && names["horizon"] && !names["apiVersion"] && !names["kind"]
}

// scenario reads a scenario file, and appends to w.out.Targets one target for each configuration that its candidates
// have. A coordinated election becomes a problem instead.
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
	seen := map[scenarios.Candidate]bool{}
	for _, c := range s.Candidates {
		judged := scenarios.Candidate{
			Profile: c.Profile, Timings: c.Timings, ReleaseOnCancel: c.ReleaseOnCancel,
			RequestTimeout: c.RequestTimeout, Drain: c.Drain, ReturnsAfter: c.ReturnsAfter,
			Lock: c.Lock, Now: c.Now, Precision: c.Precision, Coordinated: c.Coordinated,
		}
		if seen[judged] {
			continue
		}
		seen[judged] = true
		at := w.pos
		at.Part = "candidate " + phrase.Clip(check.InElection(c.Election, c.ID)[0])
		if c.Coordinated {
			w.problem(at, "a coordinated election cannot be judged: no bound is known, since the offsets of clocks count")
			continue
		}
		if c.ReturnsAfter > 0 && c.ReleaseOnCancel {
			w.problem(at, "a candidate with returnsAfter and releaseOnCancel cannot be judged: no bound is known, since it may "+
				"release the lock while its work goes on")
			continue
		}
		w.out.Targets = append(w.out.Targets, Target{
			Position:      at,
			LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline, RetryPeriod: c.RetryPeriod,
			ReleaseOnCancel: c.ReleaseOnCancel, Profile: c.Profile.Name,
			Timeout: FixedTimeout(c.RequestTimeout), Drain: c.Drain, ReleaseSaid: true,
			Lock: c.Lock, Now: c.Now, Precision: c.Precision,
		})
	}
}
