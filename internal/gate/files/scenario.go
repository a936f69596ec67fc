package files

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
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
	type candidate struct {
		scenarios.Candidate
		qps   float64
		burst int
	}
	seen := map[candidate]bool{}
	for _, c := range s.Candidates {
		judged := candidate{Candidate: scenarios.Candidate{
			Profile: c.Profile, Timings: c.Timings, ReleaseOnCancel: c.ReleaseOnCancel,
			RequestTimeout: c.RequestTimeout, Drain: c.Drain, ReturnsAfter: c.ReturnsAfter,
			Lock: c.Lock, Now: c.Now, Precision: c.Precision, Coordinated: c.Coordinated,
		}}
		if c.Client != nil {
			judged.qps, judged.burst = limitsOf(c.Client)
		}
		if seen[judged] {
			continue
		}
		seen[judged] = true
		at := w.pos
		at.Part = "candidate " + phrase.Clip(check.InElection(c.Election, c.ID)[0])
		if c.Coordinated {
			w.problem(at, noBound)
			continue
		}
		if c.ReturnsAfter > 0 && c.ReleaseOnCancel {
			w.problem(at, "a candidate with returnsAfter and releaseOnCancel cannot be judged: no bound is known, since it may "+
				"release the lock while its work goes on")
			continue
		}
		t := Target{
			Position:      at,
			LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline, RetryPeriod: c.RetryPeriod,
			ReleaseOnCancel: c.ReleaseOnCancel, Profile: c.Profile.Name,
			Timeout: FixedTimeout(c.RequestTimeout), Drain: c.Drain, ReleaseSaid: true,
			Lock: c.Lock, Now: c.Now, Precision: c.Precision,
		}
		if c.Client != nil {
			t.QPS, t.Burst = &judged.qps, &judged.burst
			t.ClientWhole = c.Profile.Name == machine.ClientGo.Name && !c.Client.HTTP1
		}
		w.out.Targets = append(w.out.Targets, t)
	}
}

// noBound says why a coordinated election is not judged.
const noBound = "a coordinated election cannot be judged: no bound is known, since the offsets of clocks count"

// limitsOf returns the QPS and Burst of a client as rest.Config has them. Without a limit they are -1 and 0.
func limitsOf(c *plan.Client) (qps float64, burst int) {
	if !c.Limits() {
		return -1, 0
	}
	return c.QPS, c.Burst
}
