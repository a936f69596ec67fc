package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func readAll(t *testing.T, text string) (*Header, []Event, error) {
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	var events []Event
	for {
		var e Event
		if err := r.Next(&e); err == io.EOF {
			return r.Header(), events, nil
		} else if err != nil {
			return r.Header(), events, err
		}
		events = append(events, e)
	}
}

// TestReaderReadsBack: every field that is written of a kind, and none besides.
func TestReaderReadsBack(t *testing.T) {
	h := someHeader()
	h.Calm, h.Failover, h.Endless = 1, 2, true
	h.Candidates[0].RetryPeriod, h.Candidates[0].Offset = 2*time.Second, -time.Hour
	h.Candidates[1].Rejoins, h.Candidates[1].DeadlineFromRenewal = true, true
	h.Candidates[1].StandsWithin = time.Minute
	h.Rollouts = []Rollout{{Fault: 1, Within: time.Hour}}
	h.Candidates[1].Objects = []Object{ConfigMap, Lease}
	h.Candidates[1].StampsRequests, h.Candidates[1].WaitsOwnLease = true, true
	write := func(h *Header, events []Event) string {
		var b strings.Builder
		w := NewWriter(&b, h)
		for i := range events {
			w.Observe(&events[i])
		}
		require.NoError(t, w.Flush())
		return b.String()
	}
	text := write(h, everyKind())
	got, events, err := readAll(t, text)
	require.NoError(t, err)
	assert.Equal(t, h, got)
	require.Len(t, events, Kinds-1)
	assert.Equal(t, text, write(got, events))
	applied := events[Written-1]
	want := everyKind()[Written-1]
	want.Term, want.Rate, want.Fault, want.Cause = 0, 0, 0, NoCause
	assert.Equal(t, want, applied)
}

func TestReaderRefuses(t *testing.T) {
	const head = `{"schema":1,"horizonNs":60000000000,"candidates":[{"id":"a"}]}` + "\n"
	const event = `{"atNs":5,"seq":1,"kind":"runStarted","candidate":"a","incarnation":1,"identity":"a"}` + "\n"
	_, events, err := readAll(t, head+"\n"+event)
	require.NoError(t, err)
	assert.Len(t, events, 1)
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"name: x\n", "line 1: no trace: want its header"},
		{"{}\n", "line 1: want the header of a trace with schema 1, got schema 0"},
		{`{"schema":2}`, "got schema 2"},
		{`{"schema":1,"horizonNs":-1}`, "line 1: horizonNs -1 is out of range"},
		{`{"schema":1,"candidates":[{"id":"a"},{"id":"a"}]}`, `line 1: two candidates are called "a"`},
		{`{"schema":1,"candidates":[{"id":"a","driftPPM":-1000000}]}`, "a clock that no scenario can have"},
		{`{"schema":1,"candidates":[{"id":"a","offsetNs":9223372036854775807}]}`, "no scenario can have"},
		{head + "x\n", "line 2: want an event"},
		{head + `{"atNs":5,"seq":1,"kind":"dance"}`, `line 2: "dance" is not a kind of event`},
		{head + event + event, "line 3: event 1 comes after event 1"},
		{head + `{"atNs":60000000001,"seq":1,"kind":"faultBegan"}`, "line 2: an event at 60000000001ns"},
		{head + `{"atNs":-1,"seq":1,"kind":"faultBegan"}`, "line 2: an event at -1ns"},
		{head + `{"atNs":5,"seq":1,"kind":"faultBegan","fault":0,"on":[9]}`, `line 2: a fault on candidates that the header does not name`},
		{head + `{"atNs":5,"seq":1,"kind":"faultBegan","fault":0,"on":[0,0]}`, `line 2: a fault on candidates that the header does not name`},
		{head + `{"atNs":5,"seq":1,"kind":"faultBegan","fault":0,"on":[]}`, `line 2: a fault on candidates that the header does not name`},
		{head + `{"atNs":5,"seq":1,"kind":"crashed","candidate":"z"}`, `line 2: the header names no candidate "z"`},
		{head + `{"atNs":5,"seq":1,"kind":"gaveUp","candidate":"a","verb":"put"}`, `line 2: "put" is not a verb`},
		{head + `{"atNs":5,"seq":1,"kind":"gaveUp","candidate":"a","verb":"get","cause":"x"}`, `"x" is not a cause`},
		{head + `{"atNs":5,"seq":1,"kind":"deleted","object":"pod"}`, `line 2: "pod" is not a kind of object`},
		{`{"schema":1,"candidates":[{"id":"a","objects":["pod"]}]}`, `line 1: candidate "a" has objects that no lock is on`},
		{`{"schema":1,"candidates":[{"id":"a","objects":["lease","lease"]}]}`, "has objects that no lock is on"},
		{`{"schema":1,"candidates":[{"id":"a","objects":["key"]}]}`, "has objects that no lock is on"},
		{`{"schema":1,"candidates":[{"id":"a","objects":[5]}]}`, "line 1: no trace: want its header, a JSON object: candidates.objects: want a text in quotes, got number"},
		{`{"schema":1,"candidates":[{"id":"a","objects":[null]}]}`, "has objects that no lock is on"},
		{`{"schema":"1"}`, "line 1: no trace: want its header, a JSON object: schema: want a whole number that fits, got string"},
		{`{"schema":1,"service":{"driftPPM":-1000000}}`, "a service with a clock that no scenario can have"},
		{head + `{"atNs":5,"seq":1,"kind":"deleted","object":"row"}`, "line 2: an event about an object that no lock is on"},
		{head + `{"atNs":5,"seq":1,"kind":"clockChanged","candidate":"a","driftPPM":-1000000}`, "a clock that no"},
		{head + strings.Repeat(" ", maxLine+1), "line 2: is longer than"},
	} {
		_, _, err := readAll(t, c.text)
		if assert.Error(t, err, "%.100s", c.text) {
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
	_, err = NewReader(io.MultiReader(strings.NewReader(head[:9]), failing{}))
	assert.ErrorIs(t, err, errBroken)
}

var errBroken = errors.New("broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

// TestSchemaNamesAllFields: docs/trace.schema.json has each kind once, with exactly its fields, and each field of the
// header.
func TestSchemaNamesAllFields(t *testing.T) {
	data, err := os.ReadFile("../../docs/trace.schema.json")
	require.NoError(t, err)
	type object struct {
		Properties map[string]struct {
			Enum  []string
			Items *struct{ Required []string }
		}
		Required []string
		OneOf    []struct {
			Properties struct{ Kind struct{ Enum []string } }
			Required   []string
		}
	}
	var schema struct {
		Defs struct{ Header, Event object } `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(data, &schema))
	event := schema.Defs.Event
	assert.Equal(t, kindNames[1:], event.Properties["kind"].Enum)
	named := map[string]int{}
	for _, group := range event.OneOf {
		for _, name := range group.Properties.Kind.Enum {
			named[name]++
			e := fileEvent{Kind: name}
			k := e.event().Kind
			want := []string{}
			if !k.nobodys() {
				want = []string{"candidate", "incarnation"}
			}
			for _, f := range fieldsOf[k] {
				if f == objectField || f == electionField || f == endField || f == onField {
					continue // not where it is the Lease alone, one election, a fault's end, or everybody
				}
				want = append(want, strings.Trim(f.label, `,":`))
			}
			assert.Equal(t, want, group.Required, name)
			for _, f := range want {
				assert.Contains(t, event.Properties, f)
			}
		}
	}
	assert.Len(t, named, Kinds-1)
	var objects []string
	for o := range Object(Objects) {
		objects = append(objects, o.String())
	}
	assert.Equal(t, objects, event.Properties["object"].Enum)
	assert.ElementsMatch(t, keys(t, headerLine(someHeader())), schema.Defs.Header.Required)
	candidate, err := json.Marshal(Candidate{})
	require.NoError(t, err)
	assert.ElementsMatch(t, keys(t, candidate), schema.Defs.Header.Properties["candidates"].Items.Required)
}

func keys(t *testing.T, object []byte) []string {
	var m map[string]any
	require.NoError(t, json.Unmarshal(object, &m))
	var names []string
	for k := range m {
		names = append(names, k)
	}
	return names
}

// TestElectionsInFiles: a candidate of two elections is two, events name theirs, and what names none of them is refused.
func TestElectionsInFiles(t *testing.T) {
	h := &Header{Horizon: time.Second, Elections: []string{"x", "y"}, Candidates: []Candidate{
		{ID: "a", Election: "x"}, {ID: "a", Election: "y"},
	}}
	events := []Event{
		{Seq: 1, Kind: Crashed, Candidate: 1, Incarnation: 1, Cause: Exited},
		{Seq: 2, Kind: Crashed, Candidate: 0, Incarnation: 1},
		{Seq: 3, Kind: Deleted, Candidate: Nobody, Fault: 1, Election: 1},
	}
	var file bytes.Buffer
	w := NewWriter(&file, h)
	for i := range events {
		w.Observe(&events[i])
	}
	require.NoError(t, w.Flush())
	text := file.String()
	assert.Contains(t, text, `"kind":"crashed","candidate":"a","election":"y","incarnation":1,"cause":"exited"}`)
	assert.Contains(t, text, `"kind":"crashed","candidate":"a","election":"x","incarnation":1}`)
	r, err := NewReader(&file)
	require.NoError(t, err)
	assert.Equal(t, h, r.Header())
	for _, want := range events {
		var got Event
		require.NoError(t, r.Next(&got))
		assert.Equal(t, want, got)
	}
	for from, to := range map[string]string{
		`"election":"y","incarnation"`: `"incarnation"`,
		`"fault":1,"election":"y"`:     `"fault":1,"election":"z"`,
		`"fault":1,"election":"y"}`:    `"fault":1}`,
		`{"id":"a","election":"y"`:     `{"id":"a","election":"x"`,
		`{"id":"a","election":"x"`:     `{"id":"a","election":"z"`,
		`"elections":["x","y"]`:        `"elections":[]`,
	} {
		require.Contains(t, text, from)
		r, err := NewReader(strings.NewReader(strings.Replace(text, from, to, 1)))
		for err == nil {
			err = r.Next(&Event{})
		}
		assert.ErrorContains(t, err, "line ", "%s", to)
	}
	// Of y there are two events.
	y := h.Project()[1]
	assert.Equal(t, []Candidate{{ID: "a", Election: "y"}}, y.Header.Candidates)
	assert.Equal(t, int32(0), y.Event(&events[0]).Candidate)
	assert.Nil(t, y.Event(&events[1]))
	assert.NotNil(t, y.Event(&events[2]))
	// A fault is on those that are in the election.
	began := Event{Kind: FaultBegan, Candidate: Nobody, On: []int32{0, 1}}
	assert.Equal(t, []int32{0}, y.Event(&began).On)
	began.On = nil
	assert.Nil(t, y.Event(&began).On)
}
