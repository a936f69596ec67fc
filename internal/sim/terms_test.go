package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/scenarios"
)

const second = 1_000_000_000

// termsOf runs a file with one-way delays of 0 and no jitter: a leads at once and renews every 2 s.
func termsOf(t *testing.T, candidates, faults string) []scenarios.Term {
	s, err := scenarios.Read(strings.NewReader(`
name: terms
horizon: 20s
defaults: {jitter: 0}
network: {request: 0s, response: 0s}
candidates: [`+candidates+`]
faults: [`+faults+`]
`), "terms.yaml")
	require.NoError(t, err)
	r, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	return r.Terms
}

func term(incarnation int32, started int64, ends ...int64) scenarios.Term {
	out := scenarios.Term{Candidate: "a", Incarnation: incarnation, StartedNs: started * second}
	for i, p := range []**int64{&out.CancelledNs, &out.EndedNs, &out.StoppedNs} {
		if i < len(ends) && ends[i] >= 0 {
			*p = new(ends[i] * second)
		}
	}
	return out
}

// TestTerms: what the contract says of startedNs, cancelledNs, endedNs and stoppedNs.
func TestTerms(t *testing.T) {
	const never = -1
	for name, c := range map[string]struct {
		candidates, faults string
		want               []scenarios.Term
	}{
		"to the horizon": {"{id: a}", "", []scenarios.Term{term(1, 0)}},
		"cancelled":      {"{id: a}", "{kind: cancel, at: 5s, on: [a]}", []scenarios.Term{term(1, 0, 5, 5, 5)}},
		"drained": {"{id: a, drain: 3s}", "{kind: cancel, at: 5s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 8, 5)}},
		"not drained": {"{id: a, drain: 15s}", "{kind: cancel, at: 5s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, never, 5)}},
		"crashed": {"{id: a, drain: 3s}", "{kind: crash, at: 5s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 5)}},
		"at the horizon": {"{id: a}", "{kind: crash, at: 20s, on: [a]}", []scenarios.Term{term(1, 0)}},
		// Releasing at 5 s, its Get is lost; the release is given up at 15 s, or cut off by a crash at 9 s.
		"releasing": {"{id: a, releaseOnCancel: true}",
			"{kind: partition, at: 5s, on: [a]}, {kind: cancel, at: 5s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 5, 15)}},
		"crashed while releasing": {"{id: a, releaseOnCancel: true}",
			"{kind: partition, at: 5s, on: [a]}, {kind: cancel, at: 5s, on: [a]}, {kind: crash, at: 9s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 5)}},
		"crashed while draining": {"{id: a, drain: 8s, rejoin: 10s}",
			"{kind: cancel, at: 5s, on: [a]}, {kind: crash, at: 9s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 9, 5)}},
		// Run has returned for good: the work ends with the process all the same.
		"crashed when Run has returned": {"{id: a, drain: 8s}",
			"{kind: cancel, at: 5s, on: [a]}, {kind: crash, at: 9s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 9, 5)}},
		// The record names it: each process works from its start.
		"restarted": {"{id: a, drain: 3s}", "{kind: restart, at: 5s, on: [a]}, {kind: restart, at: 9s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 5), term(2, 5, 9, 9), term(3, 9)}},
		"again": {"{id: a, drain: 3s, rejoin: 1s}", "{kind: cancel, at: 5s, on: [a]}",
			[]scenarios.Term{term(1, 0, 5, 8, 5), term(1, 6)}},
		"frozen": {"{id: a, drain: 3s}",
			"{kind: cancel, at: 5s, on: [a]}, {kind: pause, at: 4s, until: 7s, on: [a]}, " +
				"{kind: pause, at: 8s, until: 11s, on: [a]}",
			[]scenarios.Term{term(1, 0, 7, 13, 7)}},
		"never led": {"{id: a, startAt: 3s}", "{kind: outage, at: 3s}", []scenarios.Term{}},
	} {
		assert.Equal(t, c.want, termsOf(t, c.candidates, c.faults), name)
	}
}
