package scenarios

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWriteReads is the writer's whole promise: what it writes reads back equal, and writes the same again.
func TestWriteReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { roundTrip(t, generate(t)) })
}

func roundTrip(t require.TestingT, s *Scenario) {
	var file, again bytes.Buffer
	require.NoError(t, s.WriteYAML(&file))
	text := file.String()
	back, err := Read(&file, "x.yaml")
	require.NoError(t, err, text)
	require.Equal(t, s, back, text)
	require.NoError(t, back.WriteYAML(&again))
	require.Equal(t, text, again.String())
	object, err := json.Marshal(s)
	require.NoError(t, err)
	back, err = Read(bytes.NewReader(object), "x.json")
	require.NoError(t, err, string(object))
	require.Equal(t, s, back, string(object))
}

func TestWriteContract(t *testing.T) {
	t.Parallel()
	s, err := ReadFile("testdata/contract.yaml")
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, s.WriteYAML(&file))
	assert.Equal(t, `name: late-ack
about: one sentence on what this shows
horizon: 1m
defaults:
  jitter: 0.5
  rejoin: 1s
candidates:
  - {id: a}
  - {id: b, startAt: 100ms, clock: {offset: 3s, driftPPM: -200}}
  - {id: c, identity: a}
faults:
  - {kind: delay, at: 20s, until: 22s, on: [a], response: 9.9s}
  - {kind: partition, at: 22s, on: [a]}
  - {kind: lose, at: 5s, until: 9s, on: [a], leg: response, probability: 0.3}
  - {kind: outage, at: 5s, until: 9s}
  - {kind: error, at: 5s, until: 9s, on: [a], verb: update, status: 504}
  - {kind: pause, at: 30s, until: 50s, on: [a]}
  - {kind: crash, at: 30s, on: [a]}
  - {kind: restart, at: 35s, on: [a], identity: same}
  - {kind: cancel, at: 40s, on: [a]}
  - {kind: clock, at: 10s, on: [a], jump: 5s}
  - {kind: delete, at: 12s}
expect: {single-belief: violated, single-work: violated, safety-window: violated}
`, file.String())
}

// TestWriteSmall leaves out all that goes without saying, and factors nothing out of one candidate.
func TestWriteSmall(t *testing.T) {
	t.Parallel()
	s, err := readText("name: x\nhorizon: 90s\ncandidates: [{id: a, drain: 1500us}]\n" +
		"network: {request: {min: 0, max: 1h}}")
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, s.WriteYAML(&file))
	assert.Equal(t, "name: x\nhorizon: 1m30s\ncandidates:\n  - {id: a, drain: 1.5ms}\n"+
		"network: {request: {min: 0s, max: 1h}}\n", file.String())
	object, err := json.Marshal(s)
	require.NoError(t, err)
	assert.Equal(t, `{"name":"x","horizon":"1m30s","candidates":[{"id":"a","drain":"1.5ms"}],`+
		`"network":{"request":{"min":"0s","max":"1h"}}}`, string(object))
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	s := Scenario{Name: "x", Plan: Plan{Horizon: time.Second}}
	var file bytes.Buffer
	require.EqualError(t, s.WriteYAML(&file), "scenario not written: candidates: there is none; want one or more")
	assert.Empty(t, file.String())
	_, err := json.Marshal(s)
	require.ErrorContains(t, err, "candidates: there is none")
}

func TestDurationText(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 1: "1ns", 1500: "1.5us", 60e9: "1m", 61e9: "1m1s", 3600e9: "1h", 3660e9: "1h1m", 3601e9: "1h0m1s",
		36000e9: "10h", 600e9: "10m", -60e9: "-1m", 9900 * time.Millisecond: "9.9s",
	} {
		assert.Equal(t, want, durationText(d))
		back, err := time.ParseDuration(want)
		require.NoError(t, err)
		assert.Equal(t, d, back)
	}
}

// TestWriteClientsOfElections: what a candidate changes of an election's client, and leaves as it is, reads back, as YAML and as JSON.
func TestWriteClientsOfElections(t *testing.T) {
	for _, elections := range []string{
		"{name: main, client: client-go}, {name: other, client: component-base}",
		"{name: main, client: {qps: 1, burst: 2, other: [{at: 3s}]}}, {name: other, client: controller-runtime}",
		"{name: main, client: {kind: none, retries: false}}, {name: other, client: {kind: none, retries: true}}",
	} {
		want, err := readText("name: x\nhorizon: 60s\nelections: [" + elections + "]\ncandidates:\n- {id: a, client: {retries: false}}\n- {id: b}\n" +
			"- {id: c, client: {qps: 7, burst: 3, other: [{at: 1s}]}}\n- {id: d, client: client-go}\n- {id: e, client: {qps: -1, other: []}}\n")
		require.NoError(t, err, elections)
		assert.False(t, want.Candidates[0].Client.Retries)
		var text strings.Builder
		require.NoError(t, want.WriteYAML(&text))
		got, err := readText(text.String())
		require.NoError(t, err, text.String())
		assert.Equal(t, want.Plan, got.Plan, text.String())
		asJSON, err := want.MarshalJSON()
		require.NoError(t, err)
		got, err = readText(string(asJSON))
		require.NoError(t, err)
		assert.Equal(t, want.Plan, got.Plan)
	}
	_, err := readText("name: x\nhorizon: 60s\nelections: [{name: main, client: client-go}, {name: other}]\ncandidates:\n" +
		"- {id: a, client: {retries: false}}\n- {id: b}\n")
	require.NoError(t, err, "without an election's client, the change is one of client-go's")
}
