package search

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/phrase"
	"interregnum/internal/private"
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

// Ended tells whether a search with that header has run all its blocks. It is always true for a search without end.
func (h *Header) Ended(s *Summary) bool {
	p := h.plan()
	return s.Blocks >= p.Mine()
}

// Results is a results file: one block a line, in order, only ever appended to. Each line is written at once, so that
// at most the last one is incomplete, whatever ends the process.
type Results struct {
	file *os.File
	// Summary is of all blocks in the file. Dropped: an incomplete last line was cut off.
	Summary *Summary
	Dropped bool
	// tail is that line.
	tail []byte
}

// OpenResults opens a results file, or makes one that only its owner may read. It refuses a file of another campaign,
// and one that is no results file.
func OpenResults(name string, h Header) (*Results, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file, to read what is there and to append to it", name)
	}
	if err := private.CheckLink(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Results{file: f, Summary: NewSummary()}
	if err := r.read(name, h); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// read reads the blocks that are in the file, which must begin with the header want, and leaves the file ready to be
// appended to. It cuts off an incomplete last line. It writes the header into a file that is empty or has only part of
// that header.
func (r *Results) read(name string, want Header) error {
	lines := bufio.NewReader(r.file)
	good, err := r.lines(name, lines, func(n int, line []byte) error {
		err := r.line(n, line, want)
		if err != nil && n > 1 {
			err = fmt.Errorf("%w; the %d lines before are good: leave just them, and the rest runs again", err, n-1)
		}
		return err
	})
	if err != nil {
		return err
	}
	if good == 0 && r.Dropped {
		// Half a header is all that may be written over.
		if text, err := json.Marshal(want); err != nil || !bytes.HasPrefix(text, r.tail) {
			return errors.Join(err, fmt.Errorf("%s:1: %w", name, want.same(r.tail)))
		}
	}
	if err := r.file.Truncate(good); err != nil {
		return err
	}
	if _, err := r.file.Seek(good, io.SeekStart); err != nil {
		return err
	}
	if good > 0 {
		return nil
	}
	return r.append(want)
}

// lines calls each with every complete line and its number, from 1 on, and returns how many bytes these lines have.
// It stores an incomplete last line in r.tail.
func (r *Results) lines(name string, in *bufio.Reader, each func(n int, line []byte) error) (good int64, err error) {
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			r.Dropped, r.tail = len(line) > 0, line
			return good, nil
		}
		if err != nil {
			return good, err
		}
		if err := each(n, line); err != nil {
			return good, fmt.Errorf("%s:%d: %s", name, n, inOneLine(err))
		}
		good += int64(len(line))
	}
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

// same returns an error that says how a file's first line differs from this header, nil where it does not.
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
	return fmt.Errorf("want the results of this campaign, which begin with %s; give the flags with which the file began, or "+
		"begin another results file", text)
}

// plan returns the plan of the campaign that the header describes.
func (h *Header) plan() *Plan {
	return &Plan{First: h.First, Blocks: h.Blocks, Corpus: h.CorpusBlocks, Shard: h.Shard, Shards: h.Shards}
}

// readBlock decodes a line of a results file. It is an error if that is not the n-th block of the plan p.
func readBlock(line []byte, p *Plan, n uint64) (*Block, error) {
	b := &Block{}
	d := json.NewDecoder(bytes.NewReader(phrase.Legible(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(b); err != nil {
		return nil, fmt.Errorf("want a block as JSON: %s", phrase.JSON(err))
	}
	switch next, ok := p.block(n); {
	case !ok:
		return nil, fmt.Errorf("want no more blocks, got block %d", b.Block)
	case b.Block != next:
		return nil, fmt.Errorf("want block %d, got block %d", next, b.Block)
	}
	return b, nil
}

// Add appends a block to the file, and adds it to the summary.
func (r *Results) Add(b *Block) error {
	if err := r.append(b); err != nil {
		return err
	}
	r.Summary.Add(b)
	return nil
}

// append writes v to the file as a line of JSON, in one call.
func (r *Results) append(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if err != nil {
		return &WriteError{Err: err, Blocks: r.Summary.Blocks}
	}
	return nil
}

// WriteError is that of a block that could not be appended to its results file. What is in the file before it is good.
type WriteError struct {
	Err error
	// Blocks is how many blocks the file has.
	Blocks uint64
}

// Error says what the user can do about it.
func (e *WriteError) Error() string {
	return fmt.Sprintf("%v; %d runs are in the file: make room, and the same command goes on", e.Err, e.Blocks*BlockRuns)
}

// Unwrap returns the error of the file system.
func (e *WriteError) Unwrap() error { return e.Err }

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }
