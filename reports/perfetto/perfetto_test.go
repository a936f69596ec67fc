package perfetto

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/few"
	"interregnum/internal/reporttest"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
)

// small has two candidates with names that are meant to break JSON and markup, and faults of most kinds.
const small = `name: small
horizon: 40s
defaults: {leaseDuration: 4s, renewDeadline: 3s, retryPeriod: 1s, releaseOnCancel: true, drain: 500ms, rejoin: 1s, requestTimeout: 2s}
candidates: [{id: '</script>"\'}, {id: 'b & ü', startAt: 1s}]
network: {request: {min: 1ms, max: 2345us}, response: 2ms}
faults:
  - {kind: lose, at: 3s, until: 6s, probability: 0.5}
  - {kind: error, at: 7s, until: 9s, verb: update, status: 504, applied: true}
  - {kind: pause, at: 10s, until: 16s, on: [leader]}
  - {kind: clock, at: 16s, on: [leader], jump: 5s, driftPPM: 100}
  - {kind: cancel, at: 18s, on: [leader]}
  - {kind: delete, at: 22s}
  - {kind: crash, at: 27s, on: [leader]}
  - {kind: crash, at: 27s, on: [leader]}
  - {kind: restart, at: 31s, identity: new}
  - {kind: delay, at: 37s, request: 2500ms}
expect: {single-work: any, single-belief: any, safety-window: any, single-record: any, liveness: any}
`

func smallScenario(t *testing.T) *scenarios.Scenario {
	s, err := scenarios.Read(strings.NewReader(small), "small")
	require.NoError(t, err)
	return s
}

// perfettoOf runs a scenario.
func perfettoOf(t require.TestingT, s *scenarios.Scenario) string {
	var b bytes.Buffer
	p := New(&b, s.Header(), s.Faults)
	_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{p}})
	require.NoError(t, err)
	require.NoError(t, p.Close())
	return b.String()
}

func TestPerfettoGolden(t *testing.T) {
	text := perfettoOf(t, smallScenario(t))
	reporttest.Golden(t, "small.perfetto.json", text)
	assert.Equal(t, text, perfettoOf(t, smallScenario(t)), "the same run has the same bytes")
}

// TestPerfettoHostileNames: whatever a name has in it is text, and the file stays JSON.
func TestPerfettoHostileNames(t *testing.T) {
	const name = "</script>\"\\\x1b[31m\u202e\u2028\xff\x00"
	h := &trace.Header{Scenario: name, Seed: 1<<64 - 1, Candidates: []trace.Candidate{{ID: name}}}
	var b bytes.Buffer
	p := New(&b, h, nil)
	p.Observe(&trace.Event{Kind: trace.RunStarted, Holder: name})
	p.Observe(&trace.Event{Kind: trace.RequestSent, Verb: trace.Create, Holder: name})
	p.Observe(&trace.Event{Kind: trace.Written, Verb: trace.Create, Holder: name})
	p.Observe(&trace.Event{Kind: trace.FaultBegan, Candidate: trace.Nobody, Fault: 7})
	require.NoError(t, p.Close())
	require.True(t, utf8.Valid(b.Bytes()))
	for _, raw := range []string{"</script>", "\x1b", "\u2028", "\x00"} {
		assert.NotContains(t, b.String(), raw)
	}
	object, err := jsonschema.UnmarshalJSON(&b)
	require.NoError(t, err)
	assert.NoError(t, reporttest.Schema(t, "trace-event.schema.json").Validate(object))
	scenario := object.(map[string]any)["otherData"].(map[string]any)["scenario"]
	assert.Equal(t, strings.ToValidUTF8(name, "\ufffd"), scenario)
}

// description is what the format's description says, and the events that were held against it.
type description struct {
	schema *jsonschema.Schema
	held   map[string]bool
}

// like is the text with 1 for each number above 0.
func like(text []byte) string {
	var b strings.Builder
	within := false
	for _, c := range text {
		digit := '0' <= c && c <= '9'
		if within && digit {
			continue
		}
		if within = digit && c > '0'; within {
			c = '1'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// require holds a trace against it. Of events that differ in the size of their numbers one is enough.
func (d *description) require(t require.TestingT, text string) {
	var file map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	var events []json.RawMessage
	require.NoError(t, json.Unmarshal(file["traceEvents"], &events))
	events = slices.DeleteFunc(events, func(e json.RawMessage) bool {
		like := like(e)
		held := d.held[like]
		d.held[like] = true
		return held
	})
	var err error
	file["traceEvents"], err = json.Marshal(events)
	require.NoError(t, err)
	left, err := json.Marshal(file)
	require.NoError(t, err)
	object, err := jsonschema.UnmarshalJSON(bytes.NewReader(left))
	require.NoError(t, err)
	require.NoError(t, d.schema.Validate(object))
}

// TestPerfettoSchema: the trace of every scenario that ships is as the format's description says, and holds together.
func TestPerfettoSchema(t *testing.T) {
	schema := reporttest.Schema(t, "trace-event.schema.json")
	described := &description{schema, map[string]bool{}}
	all, err := scenarios.Library()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, s := range append(all, smallScenario(t)) {
		text := perfettoOf(t, s)
		described.require(t, text)
		holdsTogether(t, s, text, seen)
	}
	for _, phase := range []string{"B", "E", "b", "e", "s", "t", "f", "i", "C", "M"} {
		assert.True(t, seen[phase], phase)
	}
	for _, bad := range []string{
		`{"ph":"B","pid":1,"tid":1,"name":"x"}`, `{"ph":"s","pid":1,"tid":1,"name":"x","ts":1,"id":"1"}`,
		`{"ph":"f","pid":1,"tid":1,"name":"x","cat":"c","ts":1,"id":"1","bp":"x"}`, `{"ph":"M","pid":1,"tid":1,"name":"x","args":{"name":"y"}}`,
		`{"ph":"i","pid":1,"tid":1,"name":"x","ts":1,"s":"x"}`, `{"ph":"C","pid":1,"tid":1,"name":"x","ts":1,"args":{"a":"1"}}`,
		`{"ph":"Q","pid":1,"tid":1,"name":"x","ts":1}`, `{"ph":"B","pid":1,"tid":1,"name":"x","ts":-1}`,
	} {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"traceEvents":[` + bad + `]}`))
		require.NoError(t, err)
		assert.Error(t, schema.Validate(object), bad)
	}
}

// TestPerfettoHoldsTogetherInRandom: so it does in whatever a search may come upon.
func TestPerfettoHoldsTogetherInRandom(t *testing.T) {
	random := scenariotest.Random(scenariotest.Environment{
		Profile: machine.ClientGo, Freezes: true, MaxDriftPPM: 300, MaxDrain: 3 * time.Second,
	})
	described := &description{reporttest.Schema(t, "trace-event.schema.json"), map[string]bool{}}
	rapid.Check(t, func(rt *rapid.T) {
		s := random.Draw(rt, "scenario")
		text := perfettoOf(rt, s)
		described.require(rt, text)
		holdsTogether(rt, s, text, map[string]bool{})
	})
}

// readEvents are the events, with their times in nanoseconds. Times are read exactly.
func readEvents(t require.TestingT, text string) (events []chromeEvent, times []int64) {
	var file struct{ TraceEvents []chromeEvent }
	require.NoError(t, json.Unmarshal([]byte(text), &file))
	for _, e := range file.TraceEvents {
		at := int64(0)
		if e.At != "" {
			at = nanoseconds(t, string(e.At))
		}
		times = append(times, at)
	}
	return file.TraceEvents, times
}

// nanoseconds are those of a number of microseconds, which has three digits after its point at most.
func nanoseconds(t require.TestingT, text string) int64 {
	whole, part, _ := strings.Cut(text, ".")
	require.LessOrEqual(t, len(part), 3, text)
	ns, err := strconv.ParseInt(whole+part+"000"[len(part):], 10, 64)
	require.NoError(t, err)
	return ns
}

// opened is a slice or a flow that has begun.
type opened struct {
	name string
	at   int64
}

// holdsTogether checks what no schema can: times never go back and end at the horizon, slices nest and all end, flows
// have one begin and one end, and every step of one is inside a slice of its thread.
func holdsTogether(t require.TestingT, s *scenarios.Scenario, text string, seen map[string]bool) {
	events, times := readEvents(t, text)
	slices, asyncs, flows := map[int][]opened{}, map[string][]opened{}, map[string]string{}
	last := int64(0)
	for i, e := range events {
		seen[e.Phase] = true
		require.True(t, e.Phase == "M" || times[i] >= last, "%s: %v goes back", s.Name, e)
		last = max(last, times[i])
		async := e.Category + " " + e.ID
		switch e.Phase {
		case "B":
			slices[e.TID] = append(slices[e.TID], opened{e.Name, times[i]})
		case "E":
			slices[e.TID] = closed(t, slices[e.TID], e.Name, times[i])
		case "b":
			asyncs[async] = append(asyncs[async], opened{e.Name, times[i]})
		case "e":
			asyncs[async] = closed(t, asyncs[async], e.Name, times[i])
		case "s", "t", "f":
			require.NotEmpty(t, slices[e.TID], "%s: %v is bound to nothing", s.Name, e)
			require.Equal(t, map[string]string{"s": "", "t": "open " + e.Name, "f": "open " + e.Name}[e.Phase], flows[e.ID])
			require.Equal(t, e.Phase == "f", e.Binding == "e", "an end is bound to the slice around it")
			flows[e.ID] = map[bool]string{true: "done", false: "open " + e.Name}[e.Phase == "f"]
		}
	}
	for _, left := range slices {
		require.Empty(t, left, s.Name)
	}
	for _, left := range asyncs {
		require.Empty(t, left, s.Name)
	}
	for id, state := range flows {
		require.Equal(t, "done", state, "%s: flow %s", s.Name, id)
	}
	require.LessOrEqual(t, last, int64(s.Horizon), s.Name)
}

// closed is a stack without its top, which must be what ends, and begun no later.
func closed(t require.TestingT, stack []opened, name string, at int64) []opened {
	require.NotEmpty(t, stack, name)
	top := stack[len(stack)-1]
	require.Equal(t, top.name, name)
	require.LessOrEqual(t, top.at, at)
	return stack[:len(stack)-1]
}

// TestPerfettoShowsTheOverlap: the counter is at 2 from when the second begins to work to when the first has ended.
func TestPerfettoShowsTheOverlap(t *testing.T) {
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	result, err := scenarios.Run(s, scenarios.Options{Brief: true})
	require.NoError(t, err)
	events, times := readEvents(t, perfettoOf(t, s))
	overlap, since := int64(0), int64(0)
	for i, e := range events {
		if e.Phase != "C" {
			continue
		}
		if since > 0 {
			overlap += times[i] - since
		}
		since = 0
		if e.Args["leaders"].(float64) > 1 {
			since = times[i]
		}
	}
	for _, p := range result.Properties {
		if p.Name == "single-work" {
			assert.Equal(t, p.OverlapNs, overlap)
		}
	}
	assert.Positive(t, overlap)
}

// TestPerfettoCountsCandidates: one that leads again while its work of before drains is one leader.
func TestPerfettoCountsCandidates(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("name: again\nhorizon: 30s\ncandidates:\n- {id: a, drain: 20s, rejoin: 1s}\nfaults:\n- {kind: cancel, at: 10s, on: [a]}\n"), "again")
	require.NoError(t, err)
	events, _ := readEvents(t, perfettoOf(t, s))
	most := 0.0
	for _, e := range events {
		if e.Phase == "C" {
			most = max(most, e.Args["leaders"].(float64))
		}
	}
	assert.Equal(t, 1.0, most)
}

// TestPerfettoKeepsLittle: after hours with losses nothing is kept but what is under way.
func TestPerfettoKeepsLittle(t *testing.T) {
	s := smallScenario(t)
	s.Horizon, s.Faults = few.Else(6*time.Hour, 24*time.Hour), s.Faults[:1]
	s.Faults[0].Until = &s.Horizon
	p := New(io.Discard, s.Header(), s.Faults)
	result, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{p}})
	require.NoError(t, err)
	require.Greater(t, result.Stats.Events, few.Else[uint64](25_000, 100_000))
	assert.Less(t, cap(p.buffer), 2*flushAt)
	for _, c := range p.candidates {
		assert.LessOrEqual(t, len(c.requests)+len(c.terms), 4)
	}
	require.NoError(t, p.Close())
}

func TestPerfettoWriteFails(t *testing.T) {
	s := smallScenario(t)
	p := New(reporttest.Full{}, s.Header(), s.Faults)
	assert.EqualError(t, p.Close(), "writing the Perfetto trace: full")
}

// TestFreezeOutlastsCrash: what is frozen is what the process runs on, and a crash does not thaw it.
func TestFreezeOutlastsCrash(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("{name: stuck, horizon: 40s, candidates: [{id: a}], faults: ["+
		"{kind: pause, at: 10s, until: 30s, on: [a]}, {kind: crash, at: 20s, on: [a]}]}"), "stuck.yaml")
	require.NoError(t, err)
	events, times := readEvents(t, perfettoOf(t, s))
	frozen := map[string]time.Duration{}
	for i, e := range events {
		if e.Name == "frozen" && e.TID == tid(pidOf(0), frozenThread) {
			frozen[e.Phase] = time.Duration(times[i])
		}
	}
	assert.Equal(t, map[string]time.Duration{"B": 10 * time.Second, "E": 30 * time.Second}, frozen)
}

func TestMicroseconds(t *testing.T) {
	for ns, want := range map[int64]string{0: "0", 1: "0.001", 1000: "1", 1_234_567: "1234.567", 1e9: "1000000"} {
		assert.Equal(t, want, microseconds(ns).String())
	}
}
