package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

func TestPerfettoFile(t *testing.T) {
	folder(t)
	got := simulate("", "run", "late-ack.yaml", "--perfetto", "p.json", "--trace", "t.jsonl", "-o", "json")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	data, err := os.ReadFile("p.json")
	require.NoError(t, err)
	var file struct{ TraceEvents []json.RawMessage }
	require.NoError(t, json.Unmarshal(data, &file))
	assert.Greater(t, len(file.TraceEvents), 100)

	got = simulate("", "run", "calm", "--perfetto", "p.json")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Equal(t, "simulate: --perfetto p.json: exists already; --force replaces it\n", got.stderr)
	assertHolds(t, "p.json", string(data))
	got = simulate("", "run", "late-ack.yaml", "--perfetto", "p.json", "--force")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assertHolds(t, "p.json", string(data))
}

func TestPerfettoUsage(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--all", "--perfetto", "x"}, "--perfetto is of one run: want exactly one scenario"},
		{[]string{"calm", "late-ack.yaml", "--perfetto", "x"}, "--perfetto is of one run: want exactly one scenario"},
		{[]string{"calm", "--perfetto", ""}, "--perfetto: want FILE, got nothing"},
		{[]string{"calm", "--perfetto", "x", "--trace", "x"}, "--trace and --perfetto name the same file"},
		{[]string{"calm", "--perfetto", "x", "--html", "x"}, "--perfetto and --html name the same file"},
		{[]string{"calm", "--perfetto", "x", "--against", "strict"}, "--trace, --perfetto and --html are of one"},
		{[]string{"./late-ack.yaml", "--perfetto", "late-ack.yaml"}, "--perfetto late-ack.yaml would overwrite the scenario"},
	} {
		got := simulate("", append([]string{"run"}, c.args...)...)
		assert.Equal(t, exit.BadInput, got.code, c.args)
		assert.Contains(t, got.stderr, c.want)
	}
}

func TestPerfettoToFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	folder(t)
	got := simulate("", "run", "calm", "--perfetto", "/dev/full")
	assert.Equal(t, exit.HarnessFailed, got.code)
	assert.Contains(t, got.stderr, "simulate: writing the Perfetto trace: ")
}
