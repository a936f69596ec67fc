package gate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
)

func TestReadEnvironment(t *testing.T) {
	e, err := ReadEnvironment("e.yaml", strings.NewReader("# ours\nmaxRoundTrip: 2500ms\nmaxDriftPPM: 50\ndrain: 1m30s\nreruns: true\n"))
	require.NoError(t, err)
	assert.Equal(t, bound.Environment{
		MaxRoundTrip: 2500 * time.Millisecond, MaxDriftPPM: 50, Drain: 90 * time.Second, Reruns: true,
	}, e.Environment)
	var got [][4]string
	for _, n := range e.Numbers() {
		got = append(got, [4]string{n.Name, n.Flag, n.Value, n.Source})
	}
	assert.Equal(t, [][4]string{
		{"maxRoundTrip", "max-round-trip", "2.5s", "e.yaml:2"},
		{"maxDriftPPM", "max-drift-ppm", "50", "e.yaml:3"},
		{"maxPause", "max-pause", "0s", "default"},
		{"drain", "drain", "90s", "e.yaml:4"},
		{"maxClockOffset", "max-clock-offset", "0s", "default"},
		{"reruns", "reruns", "true", "e.yaml:5"},
		{"hiddenConflicts", "hidden-conflicts", "false", "default"},
	}, got)
}

// TestEnvironmentBesideBehaviour: what is usual bounds nothing, and its fields are not an environment's.
func TestEnvironmentBesideBehaviour(t *testing.T) {
	e, err := ReadEnvironment("e.yaml", strings.NewReader("behaviour:\n  roundTrip: {p99: 5s}\nmaxRoundTrip: 2s\n"))
	require.NoError(t, err)
	assert.Equal(t, bound.Environment{MaxRoundTrip: 2 * time.Second}, e.Environment)
}

// TestBadEnvironment: file, line and field are told, on one line.
func TestBadEnvironment(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "e: there is nothing in the file",
		"# nothing":                            "e: there is nothing in the file",
		"[1]":                                  "e:1: want fields such as maxRoundTrip: 1s",
		"maxRoundTrip: 5":                      "e:1: maxRoundTrip: unit missing in 5: want a duration such as 5s",
		"\nmaxRoundTrip: -5s":                  "e:2: maxRoundTrip: want a duration of zero or more, got -5s",
		"maxPause: .nan":                       `e:1: maxPause: want a duration such as 15s`,
		"maxPause: ":                           `e:1: maxPause: want a duration such as 15s`,
		"maxPause: {a: 1}":                     "e:1: maxPause: want a single value",
		"drain: 9000h":                         "e:1: drain: want a year (8760h) at most, got 9000h",
		"maxDriftPPM: 1000000":                 "e:1: maxDriftPPM: want a whole number of parts per million from 0 to 900000",
		"maxDriftPPM: 1.5":                     "e:1: maxDriftPPM: want a whole number",
		"drain: 1s\nmaxRoundtrip: 1s":          "e:2: maxRoundtrip: unknown field; an environment has maxRoundTrip",
		"drain: 1s\nmaxPause: 1s\ndrain: 1s":   "e:3: drain: given twice; the first is in line 1",
		"behaviour: {}\nbehaviour: {}":         "e:2: behaviour: given twice; the first is in line 1",
		"behavior: {}":                         "e:1: behavior: want a single value",
		"drain: 1s\n---\ndrain: 2s":            "e:2: a second document begins here",
		"drain: 1s\nmaxPause: [":               "e:2: not YAML: ",
		"drain: " + strings.Repeat("9", 66000): "e: is larger than 64 KiB, or endless",
	} {
		_, err := ReadEnvironment("e", strings.NewReader(text))
		require.Error(t, err, text)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%.40q: %s", text, err)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := ReadEnvironmentFile("missing.yaml", nil)
	assert.EqualError(t, err, "missing.yaml: cannot be read: no such file or directory")
	_, err = ReadEnvironmentFile(t.TempDir(), nil)
	assert.ErrorContains(t, err, "is a directory")
	_, err = ReadEnvironment("e", broken{})
	assert.EqualError(t, err, "e: cannot be read: broken")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestDurationsReadBack(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 1500 * time.Millisecond, 90 * time.Second, 10 * time.Minute, 8760 * time.Hour} {
		got, err := ParseDuration(FormatDuration(d), 0)
		require.NoError(t, err)
		assert.Equal(t, d, got)
	}
}
