package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// everything is a scenario that has every kind of fault.
const everything = `name: everything
horizon: 200s
defaults: {releaseOnCancel: true, drain: 2s, rejoin: 3s, requestTimeout: 4s}
candidates: [{id: a}, {id: b, startAt: 1s, clock: {offset: 3s, driftPPM: -200}}, {id: c, identity: see}]
network: {request: {min: 1ms, max: 5ms}, response: 2ms}
faults:
  - {kind: lose, at: 5s, until: 15s, leg: response, probability: 0.5}
  - {kind: error, at: 16s, until: 20s, on: [a], verb: update, status: 504, applied: true}
  - {kind: pause, at: 25s, until: 55s, on: [leader]}
  - {kind: clock, at: 30s, on: [b], jump: 5s, driftPPM: 100}
  - {kind: delete, at: 60s}
  - {kind: delay, at: 70s, until: 80s, on: [leader], request: 6s}
  - {kind: cancel, at: 85s, on: [leader]}
  - {kind: crash, at: 100s, on: [leader]}
  - {kind: restart, at: 120s, on: [a, b, c], identity: new}
  - {kind: outage, at: 150s, until: 170s}
  - {kind: delete, at: 171s}
  - {kind: crash, at: 180s, on: [a]}
  - {kind: crash, at: 181s, on: [a]}
expect: {single-work: any, single-belief: any, safety-window: any, single-record: any}
`

// TestTraceFileIsWhole reads a trace file back and hashes what it says: nothing that counts is left out.
func TestTraceFileIsWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	got := simulate(everything, "run", "-", "-o", "json", "--trace", "t.jsonl")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	var result scenarios.Result
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &result))

	data, err := os.ReadFile("t.jsonl")
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(data))
	require.True(t, lines.Scan())
	assert.JSONEq(t, `{"schema":1,"scenario":"everything","seed":1,"horizonNs":200000000000,
		"calmNs":181000000000,"failoverNs":45834961392,"endless":false,"candidates":[
		{"id":"a","leaseDurationNs":15000000000,"renewDeadlineNs":10000000000,"retryPeriodNs":2000000000,
			"comparesSeconds":true,"deadlineFromRenewal":false,"stampsRequests":false,"waitsOwnLease":false,"rejoins":true,
			"standsWithinNs":19407000000,"driftPPM":0,"offsetNs":0},
		{"id":"b","leaseDurationNs":15000000000,"renewDeadlineNs":10000000000,"retryPeriodNs":2000000000,
			"comparesSeconds":true,"deadlineFromRenewal":false,"stampsRequests":false,"waitsOwnLease":false,"rejoins":true,
			"standsWithinNs":19409880576,"driftPPM":-200,"offsetNs":3000000000},
		{"id":"c","leaseDurationNs":15000000000,"renewDeadlineNs":10000000000,"retryPeriodNs":2000000000,
			"comparesSeconds":true,"deadlineFromRenewal":false,"stampsRequests":false,"waitsOwnLease":false,"rejoins":true,
			"standsWithinNs":19407000000,"driftPPM":0,"offsetNs":0}]}`,
		lines.Text())
	hash := trace.NewHash()
	seen := map[trace.Kind]bool{}
	var count uint64
	for lines.Scan() {
		e := parse(t, lines.Bytes())
		hash.Observe(e)
		seen[e.Kind] = true
		count++
		require.Equal(t, count, e.Seq)
	}
	assert.Equal(t, result.TraceHash, hash.Sum().String())
	assert.Equal(t, result.Stats.Events, count)
	assert.Greater(t, len(seen), 24, "the scenario shows nearly every kind")
}

func parse(t *testing.T, line []byte) *trace.Event {
	var e struct {
		AtNs                          int64
		Seq, Request, Version, Base   uint64
		Kind, Candidate, Verb         string
		Incarnation, Term, DriftPPM   int32
		Cause, Metric                 string
		Holder, Identity, Text        string
		Transitions                   int64
		DelayNs, LeaseSeconds, JumpNs int64
		Fault                         int32
		Status                        int16
		On                            []int32
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&e), string(line))
	out := &trace.Event{At: e.AtNs, Seq: e.Seq, Request: e.Request, Version: e.Version, Base: e.Base,
		Transitions: e.Transitions, Amount: e.DelayNs + e.LeaseSeconds + e.JumpNs, Candidate: trace.Nobody,
		Incarnation: e.Incarnation, Term: e.Term, Rate: e.DriftPPM, Fault: e.Fault, On: e.On, Status: e.Status,
		Holder: e.Holder + e.Identity + e.Text}
	if e.Candidate != "" {
		out.Candidate = int32(strings.Index("abc", e.Candidate))
	}
	for k := trace.RunStarted; k <= trace.FaultVoid; k++ {
		if k.String() == e.Kind {
			out.Kind = k
		}
	}
	for v := trace.NoVerb; v <= trace.Update; v++ {
		if v.String() == e.Verb {
			out.Verb = v
		}
	}
	for c := trace.NoCause; c <= trace.MetricSlowPath; c++ {
		if c.String() == e.Cause+e.Metric {
			out.Cause = c
		}
	}
	return out
}

func TestTraceFileReplaces(t *testing.T) {
	dir := folder(t)
	require.NoError(t, os.WriteFile("real", []byte("old"), 0o640))
	require.NoError(t, os.Symlink("real", "link"))
	refused := simulate("", "run", "unexpected.yaml", "--trace", "link")
	assert.Equal(t, exit.BadInput, refused.code)
	assert.Contains(t, refused.stderr, "exists already; --force replaces it")
	assert.Empty(t, refused.stdout)
	kept, err := os.ReadFile("real")
	require.NoError(t, err)
	assert.Equal(t, "old", string(kept))
	got := simulate("", "run", "unexpected.yaml", "--trace", "link", "--force")
	assert.Equal(t, exit.NotAsExpected, got.code)
	data, err := os.ReadFile("real")
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(data, []byte(`{"schema":1,`)))
	info, err := os.Lstat("link")
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link is still one")
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestTraceToFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	folder(t)
	got := simulate("", "run", "calm", "--trace", "/dev/full")
	assert.Equal(t, exit.HarnessFailed, got.code)
	assert.Contains(t, got.stderr, "simulate: writing the trace: ")
	assert.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
}
