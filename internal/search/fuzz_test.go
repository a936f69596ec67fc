package search

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/plan"
	"interregnum/scenarios"
)

// FuzzResults: no file of results makes the reader panic, or take a block for another. An error names the line, and no type
// of Go's. What is read reads back, and the shards of a campaign are read or told not to fit.
func FuzzResults(f *testing.F) {
	target := &Target{Profile: machine.ClientGo, Timings: defaultTimings()}
	for _, p := range []Plan{{Blocks: 2}, {Blocks: 3, Shard: 1, Shards: 2}} {
		name := writeShard(f, f.TempDir(), target, p)
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"interregnumSearch":3,"profile":"strict","timings":{"LeaseDuration":0,"RenewDeadline":0,"RetryPeriod":0},"limits":{},` +
		`"firstBlock":0,"shard":9,"shards":18446744073709551615,"corpus":"x","corpusBlocks":18446744073709551615}` + "\n" +
		`{"block":144115188075855873,"marginNs":1,"marginSeed":1,"witnesses":{"x":-1},"events":1,"failoversMs":[[1,2],[100000,7]]}` + "\n"))
	f.Add([]byte(`{"interregnumSearch":3,"profile":"strict","timings":{"LeaseDuration":0,"RenewDeadline":8,"RetryPeriod":0},"limits":{},` +
		`"firstBlock":0,"shard":0,"shards":0}` + "\n")) // broken in several ways at once
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		h, r, err := ReadResults("x.jsonl", bytes.NewReader(data))
		if err != nil {
			require.Regexp(t, `^x\.jsonl:[1-9][0-9]*: .+`, err.Error())
			require.NotRegexp(t, `Go struct|unmarshal|\n`, err.Error())
			return
		}
		name := filepath.Join(dir, "x.jsonl")
		require.NoError(t, os.WriteFile(name, data, 0o600))
		shards, err := OpenShards([]string{name})
		if err != nil {
			return // one of several
		}
		defer shards.Close()
		var again bytes.Buffer
		lines := json.NewEncoder(&again)
		require.NoError(t, lines.Encode(h))
		blocks := uint64(0)
		err = shards.Each(func(b *Block) error {
			blocks++
			return lines.Encode(b)
		})
		require.Equal(t, r.Summary.Blocks, blocks)
		require.True(t, err == nil || strings.Contains(err.Error(), "blocks are missing"), "%v", err)
		same, back, err := ReadResults("x.jsonl", &again)
		require.NoError(t, err)
		require.Equal(t, h, same)
		require.Equal(t, r.Summary, back.Summary)
	})
}

// FuzzCorpus: of whatever scenario somebody puts into a corpus, what fits can be run, and so can what a campaign makes of it.
func FuzzCorpus(f *testing.F) {
	files, err := filepath.Glob("../../testdata/regress/*.yaml")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range []string{"h12-own-clock-cut-off", "migrate-half-written", "elections-overload", "kv-fast-service"} {
		files = append(files, "../../scenarios/library/"+name+".yaml")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(text)
	}
	targets := []*Target{
		{Profile: machine.ClientGo, Timings: defaultTimings()},
		{Profile: machine.Strict, Limits: draw.Limits{MaxRoundTrip: 1, MaxDriftPPM: 100, MaxPause: 5, MaxDrain: 3, Deleted: true}},
		{Profile: machine.Strict, Locking: draw.Locking{Lock: plan.SQLTTL}, Limits: draw.Limits{MaxClockOffset: time.Second}},
		{Profile: machine.Strict, Locking: draw.Locking{Lock: plan.EndpointsLeases}, Limits: draw.Limits{MaxDriftPPM: 100_000}},
		{Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.KVTTL, Elections: 2}},
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenarios.Read(bytes.NewReader(data), "x.yaml")
		if err != nil {
			return
		}
		for _, target := range targets {
			fitted, notes := target.fit(s)
			if fitted == nil {
				require.NotEmpty(t, notes)
				continue
			}
			require.NoError(t, fitted.Validate())
			parent := &Parent{"x.yaml", fitted}
			for seed := range uint64(3) {
				require.NoError(t, target.descendant(target.newPage(), parent, CorpusSeed+seed).Validate())
			}
		}
	})
}
