package behaviour

import (
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what came into testdata/read.txt")

// readCase reads the behaviour in a case of testdata/read.txt: the YAML file x.yaml, and after lines such as
// "-- data.txt --" the data files beside it.
func readCase(input string) (*Behaviour, []string, error) {
	text, rest, more := strings.Cut(input, "\n-- ")
	files := map[string]string{}
	for more {
		var name, content string
		name, rest, _ = strings.Cut(rest, " --\n")
		content, rest, more = strings.Cut(rest, "\n-- ")
		files[name] = content
	}
	r := &reader{file: "x.yaml", open: func(path string) (io.ReadCloser, error) {
		content, ok := files[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(content)), nil
	}}
	return read(r, strings.NewReader(text))
}

// TestReadTexts runs the cases of testdata/read.txt, which ==== parts: the files, a line ----, and the error or the warnings.
func TestReadTexts(t *testing.T) {
	const file = "testdata/read.txt"
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	cases := strings.Split(string(content), "====\n")
	for i, c := range cases {
		input, want, ok := strings.Cut(c, "----\n")
		require.True(t, ok, c)
		_, warnings, err := readCase(input)
		said := "ok\n"
		if err != nil {
			said = err.Error() + "\n"
			wellFormed(t, err)
		} else if len(warnings) > 0 {
			said = "warning: " + strings.Join(warnings, "\nwarning: ") + "\n"
		}
		if *update {
			cases[i] = input + "----\n" + said
			continue
		}
		assert.Equal(t, want, said, input)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(cases, "====\n")), 0o600))
	}
}

// wellFormed checks that an error is a *FileError of one short line that begins with the file.
func wellFormed(t require.TestingT, err error) {
	var e *FileError
	require.True(t, errors.As(err, &e), "%T", err)
	require.NotEmpty(t, e.File)
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 1000)
}

func TestRead(t *testing.T) {
	b, warnings, err := readCase(`
maxRoundTrip: 25s
reruns: true
behaviour:
  roundTrip: {p99: 800ms, p50: 20ms, max: 5s}
  errors: [{status: 503, probability: 0.1%}, {lost: 0.0001}]
  episodes:
  - {kind: outage, every: 1w1d12h, lasts: 20s}
  - {kind: brownout, every: 1d, lasts: {p50: 1m, p99: 10m}, factor: 5, on: one}
  - {kind: brownout, every: 1d, lasts: 1m, roundTrip: {uniform: [1s, 3s]}}
  - {kind: pause, every: 1h, lasts: {exponential: 500ms}, on: leader}
  - {kind: crash, rate: 2/30d, lasts: {constant: 0s}}
`)
	require.NoError(t, err)
	assert.Empty(t, warnings)
	usual, err := Percentiles([]Point{{0.5, 20 * time.Millisecond}, {0.99, 800 * time.Millisecond}}, 5*time.Second)
	require.NoError(t, err)
	minutes, err := Percentiles([]Point{{0.5, time.Minute}, {0.99, 10 * time.Minute}}, 0)
	require.NoError(t, err)
	slow, day := Uniform(time.Second, 3*time.Second), 24*time.Hour
	assert.Equal(t, &Behaviour{
		RoundTrip: usual,
		Errors:    []Error{{503, 0.001}, {0, 0.0001}},
		Episodes: []Episode{
			{Kind: Outage, Every: 8*day + 12*time.Hour, Lasts: Constant(20 * time.Second), On: Everybody},
			{Kind: Brownout, Every: day, Lasts: minutes, On: One, Factor: 5},
			{Kind: Brownout, Every: day, Lasts: Constant(time.Minute), On: Everybody, RoundTrip: &slow},
			{Kind: Pause, Every: time.Hour, Lasts: Exponential(500 * time.Millisecond), On: Leader},
			{Kind: Crash, Every: 15 * day, Lasts: Constant(0), On: One},
		},
	}, b)
}

// TestReadFile: data files are relative to the YAML file; standard input is in the working directory.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(dir+"/b.yaml", []byte("behaviour: {roundTrip: {samples: s.txt}}"), 0o600))
	require.NoError(t, os.WriteFile(dir+"/s.txt", []byte("# ours\n0.5\r\n\n1500ms\n"), 0o600))
	b, _, err := ReadFile(dir+"/b.yaml", nil)
	require.NoError(t, err)
	assert.Equal(t, Samples([]time.Duration{500 * time.Millisecond, 1500 * time.Millisecond}), b.RoundTrip)
	_, _, err = ReadFile("-", strings.NewReader("behaviour: {roundTrip: {samples: s.txt}}"))
	assert.EqualError(t, err, "-:1: behaviour.roundTrip.samples: s.txt: cannot be read: no such file or directory")
	_, _, err = ReadFile("-", strings.NewReader("behaviour: {roundTrip: {samples: testdata}}"))
	assert.EqualError(t, err, "-:1: behaviour.roundTrip.samples: testdata: cannot be read: is a directory; want a file")
	_, _, err = ReadFile("-", strings.NewReader("behaviour: {roundTrip: {samples: /dev/null}}"))
	assert.EqualError(t, err, "-:1: behaviour.roundTrip.samples: /dev/null: cannot be read: is no regular file; want one")
	_, _, err = ReadFile("missing.yaml", nil)
	assert.EqualError(t, err, "missing.yaml: cannot be read: no such file or directory")
	_, _, err = ReadFile(dir, nil)
	assert.ErrorContains(t, err, "is a directory")
}

// TestReadLarge: files that are too large, or endless, are errors and take bounded memory.
func TestReadLarge(t *testing.T) {
	_, _, err := Read("x.yaml", endless("#"))
	assert.EqualError(t, err, "x.yaml: is larger than 64 KiB, or endless; want samples and histograms in files of their own")
	for text, want := range map[string]string{
		"0.1\n":          "big: has more than 1000000 samples",
		"#" + "\n":       "big: is larger than 64 MiB, or endless",
		"0":              "big:1: is longer than 64 KiB; want lines of text",
		"\n" + `{le="1"`: "big:2: is longer than 64 KiB",
	} {
		r := &reader{file: "x.yaml", open: func(string) (io.ReadCloser, error) {
			if text == "\n"+`{le="1"` {
				return io.NopCloser(io.MultiReader(strings.NewReader("\n"), endless("x"))), nil
			}
			return io.NopCloser(endless(text)), nil
		}}
		_, _, err := read(r, strings.NewReader("behaviour: {roundTrip: {samples: big}}"))
		require.Error(t, err)
		at, _, _ := strings.Cut(want, ":")
		assert.True(t, strings.HasPrefix(err.Error(), at), err)
		assert.Contains(t, err.Error(), want[strings.LastIndex(want, ": ")+2:])
	}
}

// endless is a reader that repeats a text for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

// TestAutocorrelation: independent values have none, a slow wave has much.
func TestAutocorrelation(t *testing.T) {
	var calm, wave []time.Duration
	for i := range 1000 {
		calm = append(calm, time.Duration(i*7919%1009)*time.Millisecond)
		wave = append(wave, time.Duration(1+i/100%2)*time.Second)
	}
	assert.InDelta(t, 0, Autocorrelation(calm), 0.1)
	assert.Greater(t, Autocorrelation(wave), 0.9)
	assert.Zero(t, Autocorrelation([]time.Duration{5, 5, 5}))
}
