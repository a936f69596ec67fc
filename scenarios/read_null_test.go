package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadNull: to a program a list or a mapping with nothing in it may well be null. It is as if it were left out.
func TestReadNull(t *testing.T) {
	t.Parallel()
	plain, err := readText("name: x\nhorizon: 10s\ncandidates: [{id: a}]\n")
	require.NoError(t, err)
	for _, text := range []string{
		`{"name": "x", "horizon": "10s", "candidates": [{"id": "a", "clock": null, "livenessProbe": null}], "faults": null,
			"elections": null, "expect": null, "defaults": null, "network": null, "service": null, "coordinator": null}`,
		"name: x\nhorizon: 10s\nfaults:\ncandidates:\n- {id: a, clock: ~}\nelections:\ndefaults:\nexpect: Null\nnetwork:\n",
		"name: x\nhorizon: 10s\ncandidates: [{id: a}]\nelections: []\nfaults: []\nexpect: {}\ndefaults: {clock: null}\n",
		"name: x\nhorizon: 10s\ncandidates: [{id: a}]\nservice: {clock: null}\n",
	} {
		s, err := readText(text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, plain, s, text)
		}
	}
	withCoordinator, err := readText("name: x\nhorizon: 10s\ncandidates: [{id: a, coordinated: true, binaryVersion: 1.2.3}]\n" +
		"coordinator: {clock: null, network: null}\n")
	require.NoError(t, err)
	assert.NotNil(t, withCoordinator.Coordinator)
}

// TestReadNullInherits: a null in a candidate is none of its own, as with a field that is left out.
func TestReadNullInherits(t *testing.T) {
	t.Parallel()
	const begin = "name: x\nhorizon: 10s\ndefaults: {clock: {offset: 1s}, livenessProbe: {period: 5s}}\n"
	want, err := readText(begin + "candidates: [{id: a}]\n")
	require.NoError(t, err)
	got, err := readText(begin + "candidates: [{id: a, clock: null, livenessProbe: null}]\n")
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// TestReadNullRefused: null is refused where it could mean all or none, or a value that somebody forgot, and so is an entry
// of a list.
func TestReadNullRefused(t *testing.T) {
	t.Parallel()
	const begin = "name: x\nhorizon: 10s\n"
	for text, want := range map[string]string{
		"candidates: null\n": "x.yaml:3: candidates: there is none; want one or more",
		"candidates: [{id: a}]\nfaults: [{kind: pause, at: 1s, on: null}]\n": "faults[0].on: names nobody; leave it out if everybody is meant",
		"elections: [{name: m}]\ncandidates: [{id: a, elections: null}]\n":   "candidates[0].elections: names no election; leave it out if all are meant",
		"elections: null\ncandidates: [{id: a, elections: [m]}]\n":           "candidates[0].elections: there is but one election",
		"candidates: [null]\n":                         "candidates[0]: want a candidate, with id,",
		"candidates: [{id: a}]\nfaults: [null]\n":      "faults[0]: want a fault, with kind,",
		"candidates: [{id: a}]\nseed: null\n":          "seed: want a whole number from 0",
		"candidates: [{id: a, jitter: null}]\n":        "candidates[0].jitter: want a number, got nothing",
		"candidates: [{id: a, client: }]\n":            "candidates[0].client: want a kind of client, such as client-go, or {qps: 5, burst: 10}; got nothing",
		"candidates: [{id: a}]\nfaults:\nfaults: []\n": "x.yaml:5: faults: given twice; the first is in line 4",
		"candidates: [{id: a}]\nfautls: null\n":        "fautls: unknown field; did you mean faults?",
		"candidates: [{id: a}]\nnetwork: {request: }":  "network.request: want a duration such as 15s, got nothing",
	} {
		_, err := readText(begin + text)
		assert.ErrorContains(t, err, want, text)
	}
}
