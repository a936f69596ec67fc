package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// keeper keeps all events.
type keeper struct{ events []trace.Event }

func (k *keeper) Observe(e *trace.Event) { k.events = append(k.events, *e) }

// TestTraceSchema: the trace of every scenario that ships is as docs/trace.schema.json says, line by line, and reads
// back to the same events.
func TestTraceSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every scenario, on one goroutine")
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "trace.schema.json"))
	require.NoError(t, err)
	all, err := scenarios.Library()
	require.NoError(t, err)
	s, err := scenarios.Read(strings.NewReader(everything), "everything")
	require.NoError(t, err)
	number, seen := regexp.MustCompile(`[1-9][0-9]*`), map[string]bool{}
	for _, s := range append(all, s) {
		var file bytes.Buffer
		var kept keeper
		w := trace.NewWriter(&file, s.Header())
		_, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{w, &kept}})
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		for line := range bytes.Lines(file.Bytes()) {
			// Of lines that differ in the size of their numbers one is enough.
			like := number.ReplaceAllString(string(line), "1")
			if seen[like] {
				continue
			}
			seen[like] = true
			object, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(object), "%s: %s", s.Name, line)
		}
		r, err := trace.NewReader(&file)
		require.NoError(t, err)
		assert.Equal(t, s.Header(), r.Header())
		for _, want := range kept.events {
			var got trace.Event
			require.NoError(t, r.Next(&got))
			require.Equal(t, want, got, s.Name)
		}
		assert.Equal(t, io.EOF, r.Next(&trace.Event{}))
	}
	for _, line := range []string{
		`{"schema":1}`, `{"atNs":1,"seq":1,"kind":"dance"}`, `{"atNs":1,"seq":1,"kind":"crashed"}`,
		`{"atNs":1,"seq":1,"kind":"crashed","candidate":7,"incarnation":1}`,
	} {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err)
		assert.Error(t, schema.Validate(object), line)
	}
}
