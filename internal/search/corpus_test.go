package search

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/results"
	"interregnum/plan"
	"interregnum/scenarios"
)

const regress = "../../testdata/regress"

// withCorpus is a target that starts from scenarios, and the plan of a search of it.
func withCorpus(t *testing.T, dir string, target Target, blocks uint64) (*Target, Plan) {
	c, err := target.OpenCorpus(dir)
	require.NoError(t, err)
	target.Corpus = c
	return &target, Plan{First: 3, Blocks: blocks, Corpus: c.Blocks}
}

func textOf(t *testing.T, s *scenarios.Scenario) string {
	text, err := json.Marshal(s)
	require.NoError(t, err)
	return string(text)
}

// TestCorpusIsPartOfThePlan: every scenario of the corpus is run first, and shards are still the whole.
func TestCorpusIsPartOfThePlan(t *testing.T) {
	target, p := withCorpus(t, regress, Target{Profile: machine.ClientGo}, 5)
	whole := blocksOf(t, target, p)
	require.Len(t, whole, 6)
	assert.EqualValues(t, corpusBlock, whole[0].Block)
	assert.EqualValues(t, 3, whole[1].Block)
	for i := range target.Corpus.Parents {
		assert.Same(t, target.Corpus.Parents[i].Scenario, target.Find(CorpusSeed+uint64(i)))
	}
	p.Shards = 4
	union := make([]*Block, len(whole))
	for p.Shard = range p.Shards {
		for n, b := range blocksOf(t, target, p) {
			union[uint64(n)*p.Shards+p.Shard] = b
		}
	}
	assert.Equal(t, whole, union)
}

// TestCorpusLeavesTheRestAlone: what is drawn and mutated without a corpus is the same with one, but for the half of the
// mutants that come of it.
func TestCorpusLeavesTheRestAlone(t *testing.T) {
	target, _ := withCorpus(t, regress, Target{Profile: machine.ClientGo}, 1)
	plain := &Target{Profile: machine.ClientGo}
	for i := range uint64(BlockRuns) {
		seed := 7*BlockRuns + i
		same := textOf(t, plain.Find(seed)) == textOf(t, target.Find(seed))
		assert.Equal(t, i < freshRuns || i%2 == 0, same, i)
	}
}

// TestOneFileIsEnough: a failure that comes of a corpus is made again from one file of it, whatever becomes of the others,
// and reads back from the results.
func TestOneFileIsEnough(t *testing.T) {
	about := Target{Profile: machine.ClientGo, Timings: defaultTimings(), Limits: draw.Limits{MaxDrain: 3 * time.Second}}
	target, p := withCorpus(t, regress, about, 20)
	found, unchanged := 0, 0
	for _, b := range blocksOf(t, target, p) {
		for _, f := range b.Failures {
			kept, err := target.ScenarioOf(f.Seed, f.Corpus)
			require.NoError(t, err)
			assert.Equal(t, textOf(t, target.Find(f.Seed)), textOf(t, kept))
			if f.Corpus == nil {
				continue
			}
			found++
			alone, _ := withCorpus(t, target.Corpus.Path(f.Corpus.File), about, 1)
			seed := f.Seed
			if f.Corpus.Unchanged {
				unchanged++
				seed = CorpusSeed
			}
			assert.Equal(t, textOf(t, kept), textOf(t, alone.Find(seed)))
		}
	}
	assert.Greater(t, found, 30)
	assert.NotZero(t, unchanged, "what was made for another environment violates something in this one")
}

// TestWhatIsExpectedIsNoFailure: a scenario that fits as it is may violate what it says.
func TestWhatIsExpectedIsNoFailure(t *testing.T) {
	any := Target{Profile: machine.ClientGo, Limits: draw.Limits{MaxDrain: time.Hour, MaxDriftPPM: 900_000, Shared: true, Deleted: true}}
	target, _ := withCorpus(t, regress, any, 1)
	for _, note := range target.Corpus.Notes {
		assert.Contains(t, note, "profile strict becomes client-go", "all others fit")
	}
	for _, f := range target.Run(corpusBlock).Failures {
		assert.False(t, f.Corpus.Unchanged && !strings.Contains(strings.Join(target.Corpus.Notes, "\n"), f.Corpus.File), f)
	}
	surprised := *target
	surprised.Corpus = &Corpus{Parents: slices.Clone(target.Corpus.Parents)}
	first := clone(surprised.Corpus.Parents[0].Scenario)
	first.Expect = nil
	surprised.Corpus.Parents[0].Scenario = first
	assert.Equal(t, uint64(CorpusSeed), surprised.Run(corpusBlock).Failures[0].Seed)
}

// TestFit: what does not fit is cut or left out, and said.
func TestFit(t *testing.T) {
	const head = "name: x\nhorizon: 1m\ncandidates: [{id: a}, {id: b}]\n"
	const rust = "name: x\nhorizon: 1m\ncandidates: [{id: a, profile: rust}, {id: b, profile: rust}]\n"
	const limited = "name: x\nhorizon: 1m\ndefaults: {client: client-go}\ncandidates: [{id: a}, {id: b}]\n" +
		"faults: [{kind: throttle, at: 1s}, {kind: brownout, at: 1s, factor: 9}]\n"
	fixed := Target{Profile: machine.ClientGo, Timings: machine.Timings{LeaseDuration: 9 * time.Second,
		RenewDeadline: 5 * time.Second, RetryPeriod: time.Second}, Limits: draw.Limits{MaxRoundTrip: 2 * time.Second}}
	strict := Target{Profile: machine.Strict, Limits: draw.Limits{MaxPause: 5 * time.Second}}
	for _, c := range []struct {
		target     Target
		text, done string
	}{
		{Target{Profile: machine.ClientGo}, head, ""},
		{strict, head, "profile client-go becomes strict"},
		{Target{Profile: machine.ClientGo}, limited, ""},
		{fixed, limited, "timings become 9s/5s/1s, without brownout"},
		{Target{Profile: machine.ClientGo}, head + "faults: [{kind: throttle, at: 1s}]", "without throttle"},
		{Target{Profile: machine.ClientGoV024}, limited,
			"profile client-go becomes client-go-v0.24, without the client, which is not simulated with profile client-go-v0.24; " +
				"want none, or one of the present library, without throttle, without brownout"},
		{Target{Profile: machine.Rust}, rust + "faults: [{kind: error, at: 1s, verb: patch, status: 503}]", ""},
		{Target{Profile: machine.Rust}, head + "faults: [{kind: error, at: 1s, verb: update, status: 503}]",
			"profile client-go becomes rust, errors of update become such of every verb"},
		{fixed, head, "timings become 9s/5s/1s"},
		{fixed, head + "network: {request: 3s}", "timings become 9s/5s/1s, delays cut to 1s"},
		{fixed, head + "faults: [{kind: error, at: 1s, status: 409}, {kind: pause, at: 1s}]",
			"timings become 9s/5s/1s, without error, without pause"},
		{strict, "name: x\nhorizon: 1m\ncandidates: [{id: a, profile: strict, leaseDuration: 1s, renewDeadline: 900ms, retryPeriod: 100ms}]\n" +
			"faults: [{kind: pause, at: 1s, until: 4s}, {kind: pause, at: 9s}]", "pauses cut to 5s in all"},
		{strict, "name: x\nhorizon: 1h\ncandidates: [{id: a, profile: strict, clock: {driftPPM: -9}, drain: 1s}, {id: b, profile: strict, identity: a}]",
			"ends at 10m0s, drain cut to 0s, drift cut to ±0 ppm, identities made different"},
		{strict, "name: x\nhorizon: 1ms\ncandidates: [{id: a}]", "left out: ends before 1s"},
		{Target{Profile: machine.ClientGo}, "name: x\nhorizon: 1m\ncandidates: [{id: a, profile: strict, leaseDuration: 900ms, " +
			"renewDeadline: 500ms, retryPeriod: 100ms}]", "left out: client-go refuses its timings: leaseDuration 900ms"},
	} {
		file := filepath.Join(t.TempDir(), "x.yaml")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
		corpus, err := c.target.OpenCorpus(file)
		require.NoError(t, err)
		if c.done == "" {
			assert.Empty(t, corpus.Notes)
			continue
		}
		require.Len(t, corpus.Notes, 1, c.text)
		assert.Contains(t, corpus.Notes[0], "x.yaml: "+c.done)
		if strings.HasPrefix(c.done, "left out") {
			assert.Empty(t, corpus.Parents)
			continue
		}
		frozen := time.Duration(0)
		for _, f := range corpus.Parents[0].Scenario.Faults {
			if f.Kind == plan.FaultPause {
				frozen += *f.Until - f.At
			}
		}
		assert.LessOrEqual(t, frozen, c.target.Limits.MaxPause)
		again, left := c.target.fit(corpus.Parents[0].Scenario)
		assert.Equal(t, textOf(t, corpus.Parents[0].Scenario), textOf(t, again))
		assert.Empty(t, left, "what was made to fit fits")
		c.target.Corpus = corpus
		for i := range uint64(40) {
			_, err := scenarios.Run(c.target.Find(CorpusSeed+i), scenarios.Options{Brief: true})
			assert.NoError(t, err)
		}
	}
}

// TestAnotherCorpus: results go on with the files that they began with only.
func TestAnotherCorpus(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	const text = "name: x\nhorizon: 1m\ncandidates: [{id: a}, {id: b}]\n"
	write("b.yaml", text)
	results := filepath.Join(t.TempDir(), "results")
	open := func() error {
		target, p := withCorpus(t, dir, Target{Profile: machine.ClientGo}, 2)
		r, err := OpenResults(results, NewHeader(target, &p))
		if err != nil {
			return err
		}
		return r.Close()
	}
	require.NoError(t, open())
	write("notes.txt", "no scenario")
	require.NoError(t, open())
	write("b.yaml", text+"seed: 2\n")
	assert.ErrorContains(t, open(), "is not the corpus with which this file began: want digest ")
	write("b.yaml", text)
	require.NoError(t, open())
	write("a.yaml", text)
	assert.ErrorContains(t, open(), "is not the corpus with which this file began: want digest ")
	require.NoError(t, os.Remove(filepath.Join(dir, "b.yaml")))
	assert.ErrorContains(t, open(), "is not the corpus", "a name is part of a corpus")
}

// TestShrinkKeepsTheSet: what is left violates the very properties that were asked for.
func TestShrinkKeepsTheSet(t *testing.T) {
	target := &Target{Profile: machine.ClientGo, Timings: defaultTimings()}
	s := NewSummary()
	for _, b := range blocksOf(t, target, Plan{Blocks: 10}) {
		s.Add(b)
	}
	require.Greater(t, len(s.Sorts), 2)
	for key, sort := range s.Sorts {
		small, err := target.Shrink(target.Find(sort.Seed), strings.Fields(key))
		require.NoError(t, err)
		assert.Equal(t, strings.Fields(key), target.Violates(small.Scenario))
	}
	_, err := target.Shrink(target.Find(s.Sorts[check.Liveness].Seed), []string{check.SingleWork})
	assert.ErrorContains(t, err, "single-work is not violated")
}

// TestNotWritten: what could not be written is told with what to do.
func TestNotWritten(t *testing.T) {
	closed, err := results.Open(filepath.Join(t.TempDir(), "x"), 0, func(int, []byte) error { return nil })
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	r := &Results{file: closed, Summary: NewSummary()}
	err = r.Add((&Target{Profile: machine.Strict}).Run(0))
	assert.ErrorIs(t, err, os.ErrClosed)
	var write *results.WriteError
	require.True(t, errors.As(err, &write))
	assert.ErrorContains(t, err, "0 runs are in the file: make room, and the same command goes on")
	assert.Zero(t, r.Summary.Blocks)
}

// TestNoResults: a file that is none is left as it is.
func TestNoResults(t *testing.T) {
	p := Plan{Blocks: 1}
	file := filepath.Join(t.TempDir(), "diary")
	require.NoError(t, os.WriteFile(file, []byte("Dear diary"), 0o666))
	_, err := OpenResults(file, NewHeader(&Target{Profile: machine.Strict}, &p))
	assert.ErrorContains(t, err, "diary:1: want the results of this campaign")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "Dear diary", string(text))
}
