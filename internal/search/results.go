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
)

// resultsVersion changes whenever a seed means another run than before, or a block has another form.
const resultsVersion = 2

// Header is the first line of a results file: what the blocks in it are of.
type Header struct {
	Version  int             `json:"interregnumSearch"`
	Profile  string          `json:"profile"`
	Timings  machine.Timings `json:"timings"`
	Limits   Limits          `json:"limits"`
	Property string          `json:"property,omitempty"`
	First    uint64          `json:"firstBlock"`
	Blocks   uint64          `json:"blocks,omitempty"`
	Shard    uint64          `json:"shard"`
	Shards   uint64          `json:"shards,omitempty"`
}

// NewHeader is that of a campaign.
func NewHeader(t *Target, p *Plan) Header {
	return Header{
		Version: resultsVersion, Profile: t.Profile.Name, Timings: t.Timings, Limits: t.Limits, Property: t.Property,
		First: p.First, Blocks: p.Blocks, Shard: p.Shard, Shards: p.Shards,
	}
}

// Results is an append-only file of blocks, one a line, in order. A line is written at once: whatever ends the process, at
// most the last one is incomplete.
type Results struct {
	file *os.File
	// Summary is of all blocks in the file, and Dropped tells that an incomplete last line was cut off.
	Summary *Summary
	Dropped bool
}

// OpenResults opens a results file, or begins one. One of another campaign is refused.
func OpenResults(name string, h Header) (*Results, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Results{file: f, Summary: NewSummary()}
	if err := r.read(name, h); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

// read takes in what is there, and leaves the file open for what follows.
func (r *Results) read(name string, want Header) error {
	lines := bufio.NewReader(r.file)
	good, err := r.lines(name, lines, func(n int, line []byte) error { return r.line(n, line, want) })
	if err != nil {
		return err
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

// lines passes on those that are complete, and returns how many bytes they are.
func (r *Results) lines(name string, in *bufio.Reader, each func(n int, line []byte) error) (good int64, err error) {
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			r.Dropped = len(line) > 0
			return good, nil
		}
		if err != nil {
			return good, err
		}
		if err := each(n, line); err != nil {
			return good, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		good += int64(len(line))
	}
}

// line takes one in: a header first, then blocks in order.
func (r *Results) line(n int, line []byte, want Header) error {
	if n == 1 {
		text, err := json.Marshal(want)
		if err != nil {
			return err
		}
		if !bytes.Equal(bytes.TrimSpace(line), text) {
			return fmt.Errorf("want the results of this campaign, which begin with %s", text)
		}
		return nil
	}
	b, err := readBlock(line, want.plan(), r.Summary.Blocks)
	if err != nil {
		return err
	}
	r.Summary.Add(b)
	return nil
}

// plan is what the results are of.
func (h *Header) plan() *Plan {
	return &Plan{First: h.First, Blocks: h.Blocks, Shard: h.Shard, Shards: h.Shards}
}

// readBlock reads a line that must be the n-th block of a plan.
func readBlock(line []byte, p *Plan, n uint64) (*Block, error) {
	b := &Block{}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(b); err != nil {
		return nil, fmt.Errorf("want a block as JSON: %w", err)
	}
	switch next, ok := p.block(n); {
	case !ok:
		return nil, fmt.Errorf("want no more blocks, got block %d", b.Block)
	case b.Block != next:
		return nil, fmt.Errorf("want block %d, got block %d", next, b.Block)
	}
	return b, nil
}

// Add appends a block.
func (r *Results) Add(b *Block) error {
	if err := r.append(b); err != nil {
		return err
	}
	r.Summary.Add(b)
	return nil
}

// append writes a line in one call.
func (r *Results) append(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (r *Results) Close() error { return r.file.Close() }
