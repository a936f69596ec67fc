package forecast_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
	"interregnum/internal/forecast"
)

// keptQuestions are two questions about a site where errors, outages and crashes lose the lock.
func keptQuestions() []*forecast.Question {
	b := errorsOf(500, 0.01)
	b.Episodes = []behaviour.Episode{
		{Kind: behaviour.Outage, Every: day, Lasts: behaviour.Constant(12 * sec), On: behaviour.Everybody},
		{Kind: behaviour.Crash, Every: 30 * day, Lasts: behaviour.Constant(10 * sec), On: behaviour.One},
	}
	q := asked(1, b)
	other := q
	other.Candidate.LeaseDuration, other.Candidate.RenewDeadline = 30*sec, 20*sec
	return []*forecast.Question{&q, &other}
}

func keptOptions() *forecast.Options {
	return (&forecast.Options{Seed: 3, Precision: 0.05, MaxWindows: few.Else(250, 750), Workers: runtime.GOMAXPROCS(0)}).LearnLess()
}

// told returns all that a comparison says.
func told(c *forecast.Comparison) (text string) {
	for i, f := range c.Forecasts {
		text += fmt.Sprintf("%+v\n%+v\n", *f, c.Differences[i])
	}
	return text
}

// keeping makes the comparison with what is kept, closes it, and returns what it says.
func keeping(t *testing.T, o *forecast.Options, k *forecast.Kept) string {
	o.Kept = k
	c, err := forecast.Compare(context.Background(), keptQuestions(), o)
	require.NoError(t, err)
	if k != nil {
		require.NoError(t, k.Close())
	}
	return told(c)
}

// TestKeptShards: shards of any number, by any number of workers, merge to the numbers of the forecast without shards, and so does a
// file of that forecast.
func TestKeptShards(t *testing.T) {
	want := keeping(t, keptOptions(), nil)
	header := forecast.NewKeptHeader(keptQuestions(), keptOptions())
	for _, shards := range []uint64{1, 3} {
		var names []string
		for i := range shards {
			o := keptOptions()
			o.Workers, o.Shard, o.Shards = int(i)+1, i, shards
			name := filepath.Join(t.TempDir(), "windows.jsonl")
			k, err := forecast.OpenKept(name, forecast.NewKeptHeader(keptQuestions(), o))
			require.NoError(t, err)
			part := keeping(t, o, k)
			assert.Equal(t, shards == 1, part == want)
			names = append([]string{name}, names...)
		}
		k, err := forecast.MergeKept(names, header)
		require.NoError(t, err)
		assert.Equal(t, want, keeping(t, keptOptions(), k))
		assert.Greater(t, k.Used, k.Simulated, "most windows are in the shards")
		if shards == 1 {
			assert.Zero(t, k.Simulated)
		}
	}
}

// TestKeptResume: whatever ends a forecast, it goes on to the same numbers and the same file.
func TestKeptResume(t *testing.T) {
	want := keeping(t, keptOptions(), nil)
	header := forecast.NewKeptHeader(keptQuestions(), keptOptions())
	name := filepath.Join(t.TempDir(), "windows.jsonl")
	resume := func() *forecast.Kept {
		k, err := forecast.OpenKept(name, header)
		require.NoError(t, err)
		assert.Equal(t, want, keeping(t, keptOptions(), k))
		return k
	}
	resume()
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	for _, at := range []int{0, 5, len(whole) - 1, r.IntN(len(whole)), r.IntN(len(whole)), len(whole)} {
		require.NoError(t, os.WriteFile(name, whole[:at], 0o600))
		k := resume()
		assert.Equal(t, at != 0 && at != len(whole), len(k.Cut) > 0, "cut at %d", at)
		again, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(whole), string(again), "cut at %d", at)
	}
}

// TestKeptMorePrecise: a file serves a forecast that asks for more.
func TestKeptMorePrecise(t *testing.T) {
	header := forecast.NewKeptHeader(keptQuestions(), keptOptions())
	name := filepath.Join(t.TempDir(), "windows.jsonl")
	for _, windows := range few.Else([]int{100, 240, 250}, []int{300, 700, 750}) {
		o := keptOptions()
		o.MaxWindows = windows
		want := keeping(t, o, nil)
		k, err := forecast.OpenKept(name, header)
		require.NoError(t, err)
		assert.Equal(t, want, keeping(t, o, k))
	}
}

// TestKeptRefuses: a file of another forecast, or one that no forecast has written, is refused with its place, and stays as it is.
func TestKeptRefuses(t *testing.T) {
	header := forecast.NewKeptHeader(keptQuestions(), keptOptions())
	name := filepath.Join(t.TempDir(), "windows.jsonl")
	o := keptOptions()
	o.MaxWindows = 60
	k, err := forecast.OpenKept(name, header)
	require.NoError(t, err)
	keeping(t, o, k)
	good, err := os.ReadFile(name)
	require.NoError(t, err)
	change := func(old, new string) string { return strings.Replace(string(good), old, new, 1) }
	lines := bytes.SplitAfter(good, []byte("\n"))
	for text, want := range map[string]string{
		change(`"seed":3`, `"seed":4`):                                  "windows.jsonl:1: the file is of another forecast: --seed is 3, and was 4;",
		change(`"shard":0`, `"shard":1,"shards":2`):                     "--shard is none, and was 1/2",
		change(`"shard":0`, `"shard":2,"shards":2`):                     "want a shard from 0 to 1, got 2",
		change(`"usual":"`, `"usual":"0`):                               "the behaviour, --replicas or --restart is another one",
		change(`"timings":"15s/`, `"timings":"16s/`):                    "target 1 has 15s/10s/2s, and had 16s/10s/2s",
		change(`"digest":"`, `"digest":"0`):                             "target 1, 15s/10s/2s, has another client, lock, timeout, release or drain",
		change(`Forecast":5`, `Forecast":9`):                            "want windows of version 5, got version 9, of another version of simulate",
		"interregnumSearch\n":                                           "want the header of a forecast's windows as JSON",
		`{"interregnumFore`:                                             "", // half a header is written over
		`{"interregnumX`:                                                "windows.jsonl:1: want the header of a forecast's windows as JSON",
		string(lines[0]) + "{}\n":                                       "windows.jsonl:2: want windows, got none; the line before is good: leave just that",
		change(`"first":0`, `"first":7`):                                "windows.jsonl:2: want window 0 of stratum 0 of target 0, got window 7",
		string(lines[0]) + string(lines[1]) + string(lines[1]):          "windows.jsonl:3: want window ",
		string(lines[0]) + `{"target":2,"windows":[[1]]}` + "\n":        "want a target from 0 to 1, got 2",
		string(lines[0]) + `{"stratum":-1,"windows":[[1]]}` + "\n":      "want a stratum from 0 on, got -1",
		string(lines[0]) + `{"windows":[[1,2]]}` + "\n":                 "window 0: want 9 numbers and two for each gap, got 2",
		string(lines[0]) + `{"windows":[[1,2,3,4,5,6,7,8,-9]]}` + "\n":  "window 0: want numbers from 0 on, got -9",
		string(lines[0]) + `{"windows":[[1.5,2,3,4,5,6,7,8,9]]}` + "\n": "want how many branches there were, a whole number, got 1.5",
		string(lines[0]) + `{"windows":[["1"]]}` + "\n":                 "want windows as JSON",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		k, err := forecast.OpenKept(name, header)
		if want == "" {
			require.NoError(t, err)
			require.NoError(t, k.Close())
			continue
		}
		assert.ErrorContains(t, err, want)
		left, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, text, string(left))
	}
}

// TestKeptOfAnotherVersion: where the simulated world has changed since, a window of a file is not what is simulated now.
func TestKeptOfAnotherVersion(t *testing.T) {
	header := forecast.NewKeptHeader(keptQuestions(), keptOptions())
	name := filepath.Join(t.TempDir(), "windows.jsonl")
	text := `{"windows":[[1,2,3,4,5,6,7,8,9]]}`
	k, err := forecast.OpenKept(name, header)
	require.NoError(t, err)
	require.NoError(t, k.Close())
	head, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, append(head, text+"\n"...), 0o600))
	k, err = forecast.OpenKept(name, header)
	require.NoError(t, err)
	o := keptOptions()
	o.Kept = k
	_, err = forecast.Compare(context.Background(), keptQuestions(), o)
	assert.EqualError(t, err, name+":2: the first window is not what this version of simulate shows: begin another file")
	require.NoError(t, k.Close())
}
