package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/results"
)

// ReadResults reads a results file of any campaign from in, and returns its header and its results. name is the file's name, for
// errors. An incomplete last line is left out, and Dropped is set. It is an error if the file cannot be read, if its header is
// incomplete or makes no sense, or if a block is not the next one of the campaign. Header and results are then what was read
// before.
func ReadResults(name string, in io.Reader) (*Header, *Results, error) {
	r, h := &Results{Summary: NewSummary()}, &Header{}
	good, tail, err := results.Read(name, in, func(n int, line []byte) error {
		if n > 1 {
			return r.line(n, line, *h)
		}
		return h.read(line)
	})
	r.Dropped = len(tail) > 0
	if err == nil && good == 0 {
		err = fmt.Errorf("%s:1: want the first line of search results, which is not complete", name)
	}
	return h, r, err
}

// read decodes the first line of a results file into h. It is an error where that is no header, or one of another
// version, or makes no sense.
func (h *Header) read(line []byte) error {
	if err := decode(line, h); err != nil {
		return fmt.Errorf("want the header of search results as JSON: %w", err)
	}
	if h.Version != resultsVersion {
		return fmt.Errorf("want search results of version %d, got version %d", resultsVersion, h.Version)
	}
	if all := max(h.Shards, 1); h.Shard >= all {
		return fmt.Errorf("want a shard from 0 to %d, got %d", all-1, h.Shard)
	}
	_, err := h.Target()
	return err
}

// decode decodes a line of a results file into v. A field that v does not have is an error.
func decode(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(phrase.Legible(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return errors.New(phrase.JSON(err))
	}
	return nil
}

// Target returns what the campaign tried to break. Its corpus, if there was one, has no scenarios here. The error says what in
// the header makes no sense.
func (h *Header) Target() (*Target, error) {
	profile, ok := machine.ProfileNamed(h.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", h.Profile)
	}
	t := &Target{Profile: profile, Locking: h.Locking, Timings: h.Timings, Limits: h.Limits, Property: h.Property}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if h.Corpus != "" {
		t.Corpus = &Corpus{Dir: h.CorpusDir, Digest: h.Corpus, Blocks: h.CorpusBlocks}
	}
	return t, nil
}
