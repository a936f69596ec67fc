package search

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/few"
)

func defaultTimings() machine.Timings {
	return machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
}

// resultOf is a block as it stands in a results file.
func resultOf(t *testing.T, b *Block) string {
	text, err := json.Marshal(b)
	require.NoError(t, err)
	return string(text)
}

func blocksOf(t *testing.T, target *Target, p Plan) []*Block {
	var all []*Block
	require.NoError(t, target.Campaign(context.Background(), p, 0, func(b *Block) error {
		kept := &Block{}
		all = append(all, kept)
		return json.Unmarshal([]byte(resultOf(t, b)), kept)
	}))
	return all
}

// TestStrictHolds: nothing that a network, clocks and processes do breaks strict.
func TestStrictHolds(t *testing.T) {
	for name, target := range map[string]*Target{
		"network": {Profile: machine.Strict, Timings: defaultTimings(), Limits: draw.Limits{MaxDrain: 4 * time.Second}},
		"any":     {Profile: machine.Strict},
		"clients": {Profile: machine.Strict, Limits: draw.Limits{Clients: true}},
		"frozen":  {Profile: machine.Strict, Limits: draw.Limits{MaxPause: time.Minute, MaxDriftPPM: 200_000, Deleted: true}},
	} {
		s, blocks := NewSummary(), few.Else[uint64](10, 40)
		for _, b := range blocksOf(t, target, Plan{Blocks: blocks}) {
			s.Add(b)
		}
		assert.Empty(t, s.Failures, name)
		assert.EqualValues(t, blocks*BlockRuns, s.Runs)
		for _, w := range check.Witnesses() {
			if name == "frozen" && !check.OfClients(w) || name == "clients" && check.OfClients(w) {
				assert.NotZero(t, s.Witnesses[w], "%s is blind to %s", name, w)
			}
		}
	}
}

// TestClientGoBreaks: and the same search finds what client-go does, as a file that shows it again.
func TestClientGoBreaks(t *testing.T) {
	target := &Target{Profile: machine.ClientGo, Timings: defaultTimings(), Property: check.SingleWork}
	s := NewSummary()
	for _, b := range blocksOf(t, target, Plan{Blocks: 10}) {
		s.Add(b)
	}
	require.NotEmpty(t, s.Failures)
	for _, f := range s.Failures[:3] {
		violated, err := Violated(target.Find(f.Seed))
		require.NoError(t, err)
		assert.Contains(t, violated, check.SingleWork)
	}
}

// TestMutantsComeCloser: runs made from those that came closest fail more often than fresh ones.
func TestMutantsComeCloser(t *testing.T) {
	target := &Target{Profile: machine.ClientGo, Timings: defaultTimings(), Property: check.SingleWork}
	fresh, mutants := 0, 0
	for _, b := range blocksOf(t, target, Plan{Blocks: 60}) {
		for _, f := range b.Failures {
			if f.Seed%BlockRuns < freshRuns {
				fresh++
			} else {
				mutants++
			}
		}
	}
	t.Logf("%d of %d fresh runs fail, %d of %d mutants", fresh, 60*freshRuns, mutants, 60*(BlockRuns-freshRuns))
	assert.Greater(t, mutants*freshRuns, fresh*(BlockRuns-freshRuns))
}

// TestShardsAreThePlan: whatever the shards, the workers and the order, the blocks are the same.
func TestShardsAreThePlan(t *testing.T) {
	target := &Target{Profile: machine.ClientGo}
	whole := blocksOf(t, target, Plan{First: 7, Blocks: 11, Workers: 1})
	require.Len(t, whole, 11)
	assert.Equal(t, whole, blocksOf(t, target, Plan{First: 7, Blocks: 11, Workers: 5}))
	for _, shards := range []uint64{1, 2, 3, 20} {
		var union []*Block
		for i := range shards {
			union = append(union, blocksOf(t, target, Plan{First: 7, Blocks: 11, Shard: i, Shards: shards})...)
		}
		slices.SortFunc(union, func(a, b *Block) int { return int(a.Block) - int(b.Block) })
		assert.Equal(t, whole, union)
	}
}

func TestCampaignEnds(t *testing.T) {
	target := &Target{Profile: machine.Strict}
	broken := errors.New("no space left")
	assert.Equal(t, broken, target.Campaign(context.Background(), Plan{}, 0, func(*Block) error { return broken }))
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	assert.NoError(t, target.Campaign(ctx, Plan{}, 0, func(*Block) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	}))
	assert.GreaterOrEqual(t, n, 3)
}

// TestResultsGoOn: a file that was cut off anywhere is taken up where it ended, and is in the end the same.
func TestResultsGoOn(t *testing.T) {
	target, plan := &Target{Profile: machine.ClientGo}, Plan{First: 2, Blocks: 6}
	header := NewHeader(target, &plan)
	file := filepath.Join(t.TempDir(), "results.jsonl")
	goOn := func() *Results {
		r, err := OpenResults(file, header)
		require.NoError(t, err)
		require.NoError(t, target.Campaign(context.Background(), plan, r.Summary.Blocks, r.Add))
		require.NoError(t, r.Close())
		return r
	}
	whole := goOn().Summary
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for at := 0; at < len(text); at += 1 + len(text)/few.Of(97) {
		require.NoError(t, os.WriteFile(file, text[:at], 0o666))
		r := goOn()
		assert.Equal(t, at > 0 && text[at-1] != '\n', r.Dropped)
		assert.Equal(t, whole, r.Summary)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(again))
	}
}

func TestResultsOfAnother(t *testing.T) {
	plan := Plan{Blocks: 2}
	header := NewHeader(&Target{Profile: machine.Strict}, &plan)
	for text, want := range map[string]string{
		"{}\n": "results.jsonl:1: want the results of this campaign, which begin with ",
	} {
		file := filepath.Join(t.TempDir(), "results.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := OpenResults(file, header)
		assert.ErrorContains(t, err, want)
	}
}

// TestBlind: a campaign that never showed what it should have survived has proved nothing, unless it was short.
func TestBlind(t *testing.T) {
	s := NewSummary()
	clients := &Target{Profile: machine.Strict, Limits: draw.Limits{Clients: true}}
	strict, frozen := &Target{Profile: machine.Strict}, &Target{Profile: machine.Strict, Limits: draw.Limits{MaxPause: 1}}
	assert.Empty(t, strict.Blind(s))
	s.Runs = enoughRuns
	assert.Len(t, clients.Blind(s), len(check.Witnesses())-2)
	assert.Len(t, strict.Blind(s), len(check.Witnesses())-5)
	for _, w := range check.Witnesses() {
		s.Witnesses[w] = 1
	}
	delete(s.Witnesses, check.PauseAcrossExpiry)
	assert.Empty(t, strict.Blind(s))
	assert.Equal(t, []string{check.PauseAcrossExpiry}, frozen.Blind(s))
	delete(s.Witnesses, check.SlowService)
	assert.Equal(t, []string{check.SlowService}, clients.Blind(s))
	clients.Limits.MaxRoundTrip = time.Second
	assert.Empty(t, clients.Blind(s))
}
