package refusal

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
	"interregnum/scenarios"
)

// one is a scenario of a single candidate, with the faults given in YAML.
func one(t *testing.T, faults string) *scenarios.Scenario {
	s, err := scenarios.Read(strings.NewReader("name: one\nhorizon: 60s\ncandidates: [{id: a}]\n"+faults), "one")
	require.NoError(t, err)
	return s
}

// TestRefused: what cannot be applied is refused by name.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"faults: [{kind: pause, at: 5s, until: 9s}]":              "faults[0].kind: electiontest cannot freeze",
		"faults: [{kind: clock, at: 5s, jump: 9s}]":               "faults[0].kind: electiontest cannot set",
		"faults: [{kind: delete, at: 5s}, {kind: pause, at: 1s}]": "faults[1].kind: electiontest cannot freeze",
		"faults: [{kind: edit, at: 5s, strategy: x}]":             "faults[0]: electiontest has no coordinated elections",
	} {
		assert.ErrorContains(t, Of(one(t, text), false), want)
	}
	s := one(t, "")
	s.Candidates[0].Client = &plan.Client{QPS: 5, Burst: 10}
	assert.ErrorContains(t, Of(s, false), "candidates[0].client.retries: the real client sends requests again")
	s.Candidates[0].Client.Retries = true
	assert.NoError(t, Of(s, false))
	s = one(t, "")
	s.Candidates[0].Clock.DriftPPM = 1
	assert.ErrorContains(t, Of(s, false), "candidates[0].clock: no clock can be moved")
	assert.NoError(t, Of(s, true))
	s.Candidates[0].Lock = "sql-ttl"
	s.Candidates[0].Clock = scenarios.Clock{}
	assert.ErrorContains(t, Of(s, false), "candidates[0].lock: electiontest has an API server, and nothing that keeps a sql-ttl")
}

// TestElectionsRefused: what is the process's cannot differ between its elections.
func TestElectionsRefused(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader(`name: two
horizon: 60s
elections: [{name: main}, {name: shard}]
candidates: [{id: a}, {id: b}]
`), "two")
	require.NoError(t, err)
	s.Faults = []scenarios.Fault{{Kind: plan.FaultCancel, At: time.Second, Election: "main"}}
	assert.ErrorContains(t, Of(s, false), "faults[0].election: the function of a candidate has one context")
	s.Faults = nil
	require.NoError(t, Of(s, false))
	for i := range s.Candidates {
		s.Candidates[i].Rejoin = new(time.Duration(1+i%2) * time.Second)
	}
	assert.ErrorContains(t, Of(s, false), "elections: the function of candidate a is called again as a whole")
}
