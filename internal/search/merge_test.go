package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// writeShard runs a plan and keeps its results.
func writeShard(t require.TestingT, dir string, target *Target, p Plan) string {
	name := filepath.Join(dir, fmt.Sprintf("%d-of-%d-blocks-%d.jsonl", p.Shard, p.Shards, p.Blocks))
	r, err := OpenResults(name, NewHeader(target, &p))
	require.NoError(t, err)
	require.NoError(t, target.Campaign(context.Background(), p, 0, r.Add))
	require.NoError(t, r.Close())
	return name
}

// merged is the summary of files, and the lines that the unsharded campaign would have written.
func merged(t require.TestingT, names []string) (*Summary, []*Block) {
	s, err := OpenShards(names)
	require.NoError(t, err)
	sum, all := NewSummary(), []*Block{}
	require.NoError(t, s.Each(func(b *Block) error {
		sum.Add(b)
		all = append(all, b)
		return nil
	}))
	require.NoError(t, s.Close())
	return sum, all
}

// TestShardsAreMerged: whatever the campaign and its shards, and in whatever order their files are named, together they
// are the unsharded campaign.
func TestShardsAreMerged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		require.NoError(rt, err)
		target := &Target{Profile: rapid.SampledFrom(machine.Profiles()).Draw(rt, "profile")}
		if rapid.Bool().Draw(rt, "default timings") {
			target.Timings = defaultTimings()
		}
		p := Plan{First: rapid.Uint64Max(9).Draw(rt, "first"), Blocks: rapid.Uint64Range(1, 5).Draw(rt, "blocks")}
		want, blocks := merged(rt, []string{writeShard(rt, dir, target, p)})
		assert.Equal(rt, p.Blocks, want.Blocks)
		p.Shards = rapid.Uint64Range(1, 7).Draw(rt, "shards")
		var names []string
		for p.Shard = range p.Shards {
			names = append(names, writeShard(rt, dir, target, p))
		}
		sum, union := merged(rt, rapid.Permutation(names).Draw(rt, "order"))
		assert.Equal(rt, want, sum)
		assert.Equal(rt, blocks, union)
	})
}

// endless writes what a shard of a campaign without end has run so far.
func endless(t *testing.T, dir string, shard, blocks uint64) string {
	p := Plan{Shard: shard, Shards: 2}
	target := &Target{Profile: machine.Strict}
	name := filepath.Join(dir, fmt.Sprint(shard))
	r, err := OpenResults(name, NewHeader(target, &p))
	require.NoError(t, err)
	for n := range blocks {
		block, _ := p.block(n)
		require.NoError(t, r.Add(target.Run(block)))
	}
	require.NoError(t, r.Close())
	return name
}

// TestEndlessShards: where nobody said how many blocks there are, there are as many as there are.
func TestEndlessShards(t *testing.T) {
	dir := t.TempDir()
	_, all := merged(t, []string{endless(t, dir, 0, 1), endless(t, dir, 1, 3)})
	var order []uint64
	for _, b := range all {
		order = append(order, b.Block)
	}
	assert.Equal(t, []uint64{0, 1, 3, 5}, order)
}

// TestShardsThatDoNotBelong: what is amiss is named, and none of it is passed on as a whole.
func TestShardsThatDoNotBelong(t *testing.T) {
	dir := t.TempDir()
	target := &Target{Profile: machine.Strict}
	shard := func(i, n, blocks uint64) string {
		return writeShard(t, dir, target, Plan{Blocks: blocks, Shard: i, Shards: n})
	}
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	a, b, c := shard(0, 3, 4), shard(1, 3, 4), shard(2, 3, 4)
	text, err := os.ReadFile(a)
	require.NoError(t, err)
	half := write("half.jsonl", string(text[:len(text)-5]))
	more := write("more.jsonl", string(text)+"{\"block\":6}\n")
	version := fmt.Sprintf(`{"interregnumSearch":%d`, resultsVersion)
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{a, c}, "missing: shard 1/3"},
		{[]string{a, b, c, half}, "0-of-3-blocks-4.jsonl and " + half + " are both shard 0/3"},
		{[]string{shard(49, 50, 1)}, "missing: shard 0/50, 1/50, 2/50, 3/50, 4/50, 5/50, 6/50, 7/50, 8/50, 9/50 and 39 more"},
		{[]string{a, shard(1, 2, 4)}, "are of different campaigns: {"},
		{[]string{a, shard(1, 3, 5)}, "are of different campaigns: {"},
		{[]string{half, b, c}, "half.jsonl: 1 of 2 blocks are missing, from block 3 on"},
		{[]string{more, b, c}, "more.jsonl:4: want no more blocks, got block 6"},
		{[]string{write("old", `{"interregnumSearch":0}`)}, "old:1: want search results of version "},
		{[]string{write("odd", version+`,"shard":3,"shards":2}`)}, "odd:1: want a shard from 0 to 1, got 3"},
		{[]string{write("lax", version+`,"profile":"lax"}`)}, `lax:1: no profile is called "lax"`},
		{[]string{write("empty", "")}, "empty:1: want the header of search results"},
		{[]string{dir}, "is a directory"},
	} {
		s, err := OpenShards(c.names)
		if err == nil {
			err = s.Each(func(*Block) error { return nil })
			require.NoError(t, s.Close())
		}
		assert.ErrorContains(t, err, c.want)
	}
}
