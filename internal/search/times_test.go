package search

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/trace"
)

// TestTimesAddUp: merged in whatever parts and order, and read back, they are the same.
func TestTimesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole Times
		parts := make([]Times, 3)
		for _, ms := range rapid.SliceOf(rapid.Int64Range(0, 2*maxTimeMs)).Draw(t, "ms") {
			require.NoError(t, whole.add(ms, 1))
			require.NoError(t, parts[rapid.IntRange(0, 2).Draw(t, "part")].add(ms, 1))
		}
		var sum Times
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			sum.merge(parts[i])
		}
		text, err := json.Marshal(whole)
		require.NoError(t, err)
		var read Times
		require.NoError(t, json.Unmarshal(text, &read))
		assert.Equal(t, whole, sum)
		assert.Equal(t, whole.Bars(), read.Bars())
		assert.Equal(t, whole.Count(), read.Count())
	})
}

func TestTimesAreClose(t *testing.T) {
	var times Times
	assert.Zero(t, times.Percentile(50))
	for ms := int64(1); ms <= 100_000; ms++ {
		require.NoError(t, times.add(ms, 1))
	}
	for _, percent := range []float64{1, 50, 90, 99, 100} {
		assert.InEpsilon(t, 1000*percent, float64(times.Percentile(percent)), 0.01)
	}
}

func TestTimesBad(t *testing.T) {
	for _, text := range []string{"[[1]]", "[[-1,1]]", "[[1,0]]", "[[3600001,1]]", "[[1,2,3]]", "{}"} {
		assert.Error(t, json.Unmarshal([]byte(text), &Times{}), text)
	}
}

// TestFailovers: only the crash of the one who works alone leaves a vacancy, which the next one's work ends.
func TestFailovers(t *testing.T) {
	var h trace.ByElection[*handovers]
	h.Reset(&trace.Header{}, (*handovers).renew)
	f := &h.Observers[0].vacancies
	for _, e := range []trace.Event{
		{At: 1, Kind: trace.WorkStarted, Candidate: 0},
		{At: 3, Kind: trace.WorkStarted, Candidate: 1},
		{At: 4, Kind: trace.Crashed, Candidate: 0}, {At: 4, Kind: trace.WorkEnded, Candidate: 0}, // b still works
		{At: 6, Kind: trace.WorkEnded, Candidate: 1}, // of its own will
		{At: 7, Kind: trace.WorkStarted, Candidate: 1},
		{At: 9, Kind: trace.Crashed, Candidate: 1}, {At: 9, Kind: trace.WorkEnded, Candidate: 1},
		{At: 24, Kind: trace.WorkStarted, Candidate: 0},
		{At: 25, Kind: trace.Crashed, Candidate: 1}, // did not work
		{At: 30, Kind: trace.Crashed, Candidate: 0}, {At: 30, Kind: trace.WorkEnded, Candidate: 0},
	} {
		assert.True(t, h.Wants().Has(e.Kind))
		h.Observe(&e)
	}
	assert.Equal(t, []int64{15}, f.lengths)
	assert.Equal(t, int64(30), f.vacant)
}

// failing is the line of a block with those failures.
func failing(failures string) string { return `{"block":0,"failures":[` + failures + "]}\n" }

func TestReadResultsBad(t *testing.T) {
	good := `{"interregnumSearch":3,"profile":"strict","timings":{},"limits":{},"firstBlock":0,"shard":0}` + "\n"
	for text, want := range map[string]string{
		"":                                      "f:1: want the first line of search results",
		"{\"inter":                              "f:1: want the first line of search results",
		"{}\n":                                  "f:1: want search results of version 3, got version 0",
		"{\"x\":1}\n":                           "f:1: want the header of search results as JSON",
		strings.Replace(good, "strict", "x", 1): `f:1: no profile is called "x"`,
		strings.Replace(good, `"shard":0`, `"shard":2,"shards":2`, 1): "f:1: want a shard from 0 to 1, got 2",
		good + "{\"block\":1}\n": "f:2: want block 0, got block 1",
		good + "[]\n":            "f:2: want a block as JSON",
		good + `{"block":0,"witnesses":{"late-answer":65}}` + "\n":                             "f:2: witnesses.late-answer: want 0 to 64, which is how many runs a block has, got 65",
		good + `{"block":0,"witnesses":{"late-answer":-1}}` + "\n":                             "f:2: witnesses.late-answer: want 0 to 64",
		good + `{"block":0,"witnesses":{"x":1}}` + "\n":                                        `f:2: witnesses: no witness is called "x"`,
		good + `{"block":0,"marginNs":-1}` + "\n":                                              "f:2: marginNs: want 0 or more, got -1",
		good + `{"block":0,"marginNs":1,"marginSeed":64}` + "\n":                               "f:2: marginSeed: want a seed of block 0, got 64",
		good + `{"block":0,"vacant":-2}` + "\n":                                                "f:2: vacant: want 0 to",
		good + `{"block":0,"events":18446744073709551615}` + "\n":                              "f:2: events: want at most 274877906944, got 18446744073709551615",
		good + failing(`{"seed":64,"properties":["liveness"]}`):                                "f:2: failures[0].seed: want a seed of block 0, got 64",
		good + failing(`{"seed":1,"error":"x"},{"seed":1,"error":"x"}`):                        "f:2: failures[1].seed: want one above 1",
		good + failing(`{"seed":1,"properties":["liveness"],"overlapNs":-5}`):                  "f:2: failures[0].overlapNs: want 0 or more, got -5",
		good + failing(`{"seed":1}`):                                                           "f:2: failures[0].properties: want at least one, or an error",
		good + failing(`{"seed":1,"properties":["never"]}`):                                    `f:2: failures[0].properties: no property is called "never"`,
		good + failing(strings.Repeat(`{"seed":1,"error":"x"},`, 64)+`{"seed":2,"error":"x"}`): "f:2: failures: want at most 64",
	} {
		_, _, err := ReadResults("f", strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
	_, r, err := ReadResults("f", strings.NewReader(good+`{"block`))
	require.NoError(t, err)
	assert.True(t, r.Dropped)
}
