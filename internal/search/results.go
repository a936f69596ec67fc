package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/phrase"
	"interregnum/internal/results"
)

// resultsVersion changes whenever a seed means another run than before, or a block has another form.
const resultsVersion = 3

// Header is the first line of a results file: it says of which campaign the blocks are.
type Header struct {
	Version int    `json:"interregnumSearch"`
	Profile string `json:"profile"`
	draw.Locking
	Timings  machine.Timings `json:"timings"`
	Limits   draw.Limits     `json:"limits"`
	Property string          `json:"property,omitempty"`
	First    uint64          `json:"firstBlock"`
	Blocks   uint64          `json:"blocks,omitempty"`
	Shard    uint64          `json:"shard"`
	Shards   uint64          `json:"shards,omitempty"`
	// Corpus is the digest of the corpus, CorpusDir is where it was read, and CorpusBlocks is how many blocks it has.
	Corpus       string `json:"corpus,omitempty"`
	CorpusDir    string `json:"corpusDir,omitempty"`
	CorpusBlocks uint64 `json:"corpusBlocks,omitempty"`
}

// NewHeader returns the header of a campaign.
func NewHeader(t *Target, p *Plan) Header {
	h := Header{
		Version: resultsVersion, Profile: t.Profile.Name, Locking: t.Locking, Timings: t.Timings, Limits: t.Limits, Property: t.Property,
		First: p.First, Blocks: p.Blocks, Shard: p.Shard, Shards: p.Shards,
	}
	if c := t.Corpus; c != nil {
		h.Corpus, h.CorpusDir, h.CorpusBlocks = c.Digest, c.Dir, c.Blocks
	}
	return h
}

// Ended tells whether a search with that header has run all the blocks of its shard. It is always true for a search without end.
func (h *Header) Ended(s *Summary) bool {
	return s.Blocks >= h.plan().Mine()
}

// Results is a results file: one block a line, in order.
type Results struct {
	file *results.File
	// Summary is of all blocks in the file. Dropped: an incomplete last line was cut off.
	Summary *Summary
	Dropped bool
}

// OpenResults opens a results file, or makes one that only its owner may read, with the header h. It adds the blocks that are
// there to Summary, and cuts off an incomplete last line. It refuses a file of another campaign, and one that is no results file.
func OpenResults(name string, h Header) (*Results, error) {
	r := &Results{Summary: NewSummary()}
	f, err := results.Open(name, h, func(n int, line []byte) error { return r.line(n, line, h) })
	if err != nil {
		return nil, r.inRuns(err)
	}
	r.file, r.Dropped = f, f.Dropped
	return r, nil
}

// line checks the n-th line of the file: the first must be the header want, and any other the next block, which it
// adds to r.Summary.
func (r *Results) line(n int, line []byte, want Header) error {
	if n == 1 {
		return want.same(line)
	}
	b, err := readBlock(line, want.plan(), r.Summary.Blocks)
	if err != nil {
		return err
	}
	r.Summary.Add(b)
	return nil
}

// same returns an error that says how a file's first line differs from the header h, or nil if it does not.
func (h *Header) same(line []byte) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if bytes.Equal(bytes.TrimSpace(line), text) {
		return nil
	}
	var got Header
	if json.Unmarshal(line, &got) == nil && got.Version > 0 {
		digest, began := got.Corpus, got
		began.Corpus, began.CorpusBlocks = h.Corpus, h.CorpusBlocks
		switch {
		case got.Version != h.Version:
			return fmt.Errorf("want search results of version %d, got version %d, of another version of simulate: go on with "+
				"that one, or begin another results file", h.Version, got.Version)
		case began == *h && digest != "" && h.Corpus != "":
			return fmt.Errorf("%s is not the corpus with which this file began: want digest %.12s, got %.12s; bring back its files "+
				"as they were, or begin another results file", h.CorpusDir, digest, h.Corpus)
		}
	}
	return fmt.Errorf("want the results of this campaign, which begin with %s%s; give the flags with which the file began, or "+
		"begin another results file", text, otherwise(text, line))
}

// otherwise returns what the header got has that differs from the header want, both as JSON: "; this file has ", and each field with
// its value. It returns "" if got is no header.
func otherwise(want, got []byte) string {
	a, b := map[string]string{}, map[string]string{}
	fields("", want, a)
	fields("", got, b)
	if b["interregnumSearch"] == "" {
		return ""
	}
	for name := range a {
		if _, has := b[name]; !has {
			b[name] = "not given"
		}
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if b[name] != a[name] {
			differ = append(differ, phrase.Clip(name)+" "+phrase.Clip(b[name]))
		}
	}
	return "; this file has " + phrase.And(differ)
}

// fields adds to all each field of a JSON object whose value is no object, and the fields of those that are, with the name of
// the outer one and a dot before theirs. outer is that of the given object, with the dot, and "" for the outermost.
func fields(outer string, object []byte, all map[string]string) {
	var inner map[string]json.RawMessage
	if json.Unmarshal(object, &inner) != nil {
		all[strings.TrimSuffix(outer, ".")] = string(object)
		return
	}
	for name, value := range inner {
		fields(outer+name+".", value, all)
	}
}

// plan returns the plan of the campaign that the header describes.
func (h *Header) plan() *Plan {
	return &Plan{First: h.First, Blocks: h.Blocks, Corpus: h.CorpusBlocks, Shard: h.Shard, Shards: h.Shards}
}

// readBlock decodes a line of a results file. It is an error if that is not the n-th block of the plan p, or has a value that no
// block has.
func readBlock(line []byte, p *Plan, n uint64) (*Block, error) {
	b := &Block{}
	if err := decode(line, b); err != nil {
		return nil, fmt.Errorf("want a block as JSON: %w", err)
	}
	switch next, ok := p.block(n); {
	case !ok:
		return nil, fmt.Errorf("want no more blocks, got block %d", b.Block)
	case b.Block != next:
		return nil, fmt.Errorf("want block %d, got block %d", next, b.Block)
	}
	return b, b.check()
}

// Add appends a block to the file, and adds it to the summary. If it cannot be written, the summary stays as it was.
func (r *Results) Add(b *Block) error {
	if err := r.file.Append(b); err != nil {
		return r.inRuns(err)
	}
	r.Summary.Add(b)
	return nil
}

// inRuns makes a results.WriteError say how many runs the file has, and returns the error.
func (r *Results) inRuns(err error) error {
	if full := (*results.WriteError)(nil); errors.As(err, &full) {
		full.Kept = fmt.Sprintf("%d runs are in the file", r.Summary.Blocks*BlockRuns)
	}
	return err
}

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }
