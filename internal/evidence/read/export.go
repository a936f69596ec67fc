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

// exportStart matches the beginning of an export in one piece: a JSON list, or an answer of CloudWatch or Azure Monitor, or a
// list of audit events, that contains one.
var exportStart = regexp.MustCompile(`\A\s*(?:\[\s*\{|\{\s*"(?:events|records|searchedLogStreams|nextToken|nextForwardToken|nextBackwardToken)"\s*:|\{\s*"kind"\s*:\s*"EventList"\s*,\s*"apiVersion"\s*:\s*"audit\.k8s\.io/)`)

// lists are the fields of such answers that contain the lines of a log.
var lists = []string{"events", "records", "items"}

// IsExport tells whether a file begins as an export of a log in one piece: lists of lines in JSON, as CloudWatch (EKS) and Azure
// Monitor (AKS) answer. It reads nothing from b.
func IsExport(b *bufio.Reader) bool {
	begin, _ := b.Peek(64 << 10)
	return exportStart.Match(begin)
}

// Export reads exports, one after the other, and calls line for each entry of their lists. It returns an error if an export is
// broken or cannot be read, and nil at the end of b.
func Export(b *bufio.Reader, line func(entry []byte)) error {
	x := export{json.NewDecoder(b), line, 0}
	for {
		switch err := x.answer(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("after entry %d: want JSON: %w", x.entries, err)
		}
	}
}

// export is the state of reading an export.
type export struct {
	*json.Decoder
	line    func([]byte)
	entries int
}

// answer reads one list, or one object that has lists, and calls x.line for each entry. It returns io.EOF if nothing is left to
// read, and another error if the list or object is broken.
func (x *export) answer() error {
	begin, err := x.Token()
	if err != nil {
		return err // io.EOF where there is no other
	}
	if begin == json.Delim('[') {
		return within(x.list())
	}
	for x.More() {
		if err := x.field(); err != nil {
			return within(err)
		}
	}
	_, err = x.Token() // the end of the object
	return within(err)
}

// field reads one field of an object: it calls x.line for each entry if the field is one of lists, and skips any other.
func (x *export) field() error {
	name, err := x.Token()
	if err != nil {
		return err
	}
	if key, ok := name.(string); !ok || !slices.Contains(lists, key) {
		var other json.RawMessage
		return x.Decode(&other)
	}
	if begin, err := x.Token(); err != nil || begin != json.Delim('[') {
		return errors.Join(errors.New("want a list of entries"), err)
	}
	return x.list()
}

// list reads the rest of a list whose beginning was read, and calls x.line for each entry.
func (x *export) list() error {
	for x.More() {
		var raw json.RawMessage
		if err := x.Decode(&raw); err != nil {
			return err
		}
		x.entries++
		x.line(raw)
	}
	_, err := x.Token()
	return err
}

// within returns the error of reading within a list or an object: io.EOF, the end of the file, becomes io.ErrUnexpectedEOF
// there. It returns any other error, and nil, as it is.
func within(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
