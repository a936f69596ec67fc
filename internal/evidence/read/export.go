package read

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// exportStart matches the beginning of an export in one piece: a list, or the answers of CloudWatch and Azure Monitor that have one.
var exportStart = regexp.MustCompile(`\A\s*(?:\[\s*\{|\{\s*"(?:events|records|searchedLogStreams|nextToken|nextForwardToken|nextBackwardToken)"\s*:)`)

// lists are the fields of such answers that have the lines of a log.
var lists = []string{"events", "records"}

// isExport tells whether a file begins as such an export.
func isExport(begin []byte) bool { return exportStart.Match(begin) }

// export reads exports, one after the other. Each entry of their lists is read as a line of a log.
func (f *file) export(b *bufio.Reader) error {
	d := json.NewDecoder(b)
	for {
		err := f.answer(d)
		switch {
		case errors.Is(err, io.EOF):
			f.end()
			return nil
		case err != nil && f.known:
			f.skip("exports that are not whole")
			f.end()
			return nil
		case err != nil:
			return fmt.Errorf("entry %d: want JSON: %w", f.line, err)
		}
	}
}

// answer reads one list, or an object that has some.
func (f *file) answer(d *json.Decoder) error {
	begin, err := d.Token()
	if err != nil {
		return err // io.EOF where there is no other
	}
	if begin == json.Delim('[') {
		return within(f.entries(d))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return within(err)
		}
		if key, ok := name.(string); !ok || !slices.Contains(lists, key) {
			var other json.RawMessage
			if err := d.Decode(&other); err != nil {
				return within(err)
			}
			continue
		}
		if begin, err := d.Token(); err != nil || begin != json.Delim('[') {
			return errors.Join(errors.New("want a list of entries"), err)
		}
		if err := f.entries(d); err != nil {
			return within(err)
		}
	}
	_, err = d.Token() // the end of the object
	return within(err)
}

// entries reads what is left of a list that has begun.
func (f *file) entries(d *json.Decoder) error {
	for d.More() {
		f.line++
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		f.text(raw, len(raw) > MaxLine)
	}
	_, err := d.Token()
	return err
}

// within returns an error of a list or an object, of which the end of the file is none.
func within(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
