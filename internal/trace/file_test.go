package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everyKind is one event of each kind, with each field set.
func everyKind() []Event {
	var events []Event
	for k := RunStarted; k < kinds; k++ {
		e := Event{
			At: int64(k) * 1000, Seq: uint64(k), Request: 11, Version: 12, Base: 13, Transitions: 14, Amount: 15,
			Candidate: int32(k % 2), Incarnation: 16, Term: 17, Rate: -18, Fault: 19, Status: 200, Kind: k,
			Verb: Update, Cause: ContextEnded, Object: ConfigMap, Holder: `a "quoted" ü name`,
		}
		if k.nobodys() {
			e.Candidate = Nobody
		}
		if k == Crashed {
			e.Cause = Exited
		}
		events = append(events, e)
	}
	return events
}

func someHeader() *Header {
	return &Header{Scenario: "golden", Seed: 1<<64 - 1, Horizon: time.Minute, Candidates: []Candidate{
		{ID: "a", LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, ComparesSeconds: true},
		{ID: `b"`, LeaseDuration: 5 * time.Second, RenewDeadline: 3 * time.Second, DriftPPM: -200},
	}}
}

func TestWriterGolden(t *testing.T) {
	var got bytes.Buffer
	w := NewWriter(&got, someHeader())
	for _, e := range everyKind() {
		w.Observe(&e)
	}
	require.NoError(t, w.Flush())
	for line := range bytes.Lines(got.Bytes()) {
		assert.True(t, json.Valid(line), string(line))
	}
	const path = "testdata/every-kind.jsonl"
	if *update {
		require.NoError(t, os.WriteFile(path, got.Bytes(), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// TestFieldsSayAll guards the table of fields: a kind added to event.go needs an entry, if it carries anything.
func TestFieldsSayAll(t *testing.T) {
	bare := map[Kind]bool{RunReturned: true, BeliefBegan: true, BeliefEnded: true, Paused: true, Resumed: true}
	for k := RunStarted; k < kinds; k++ {
		assert.Equal(t, bare[k], len(fieldsOf[k]) == 0, k.String())
	}
}

// TestWriterTellsObjects only where they are not the Lease alone.
func TestWriterTellsObjects(t *testing.T) {
	h := someHeader()
	e := Event{Seq: 1, Kind: RequestLost, Request: 1, Verb: Get, Object: Endpoints}
	assert.NotContains(t, string(Line(h, &e)), "object")
	h.Candidates[1].Objects = []Object{Endpoints, Lease}
	assert.Equal(t, []Object{Lease, Endpoints}, h.Objects())
	assert.Equal(t, `{"atNs":0,"seq":1,"kind":"requestLost","candidate":"a","incarnation":0,"request":1,"verb":"get",`+
		`"object":"endpoints"}`, string(Line(h, &e)))
	h.Candidates = h.Candidates[1:]
	h.Candidates[0].Objects = []Object{ConfigMap}
	assert.Equal(t, []Object{ConfigMap}, h.Objects())
}

// full is a disk that takes so many writes.
type full int

func (f *full) Write(b []byte) (int, error) {
	if *f--; *f < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestWriterKeepsItsError(t *testing.T) {
	disk := full(2)
	w := NewWriter(&disk, someHeader())
	for range 10_000 {
		w.Observe(&everyKind()[0])
	}
	require.ErrorContains(t, w.Flush(), "writing the trace: no space left")
	require.Error(t, w.Flush(), "the error stays")
}

func BenchmarkWriter(b *testing.B) {
	w := NewWriter(io.Discard, someHeader())
	events := everyKind()
	b.ReportAllocs()
	for i := range b.N {
		w.Observe(&events[i%len(events)])
	}
}
