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

// exportStart matches the beginning of an export in one piece: a JSON list, or an answer of CloudWatch, Azure Monitor, Log Analytics or Google Cloud, or a
// list of audit events, that contains one.
var exportStart = regexp.MustCompile(`\A\s*(?:\[\s*\{|\{\s*"(?:(?:events|records|queryLanguage|searchedLogStreams|nextToken|nextForwardToken|nextBackwardToken)"\s*:|(?:entries|tables|results)"\s*:\s*\[)|\{\s*"kind"\s*:\s*"EventList"\s*,\s*"apiVersion"\s*:\s*"audit\.k8s\.io/)`)

// lists are the fields of such answers that contain the lines of a log.
var lists = []string{"events", "records", "entries", "results", "items"}

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
	if name == "tables" {
		return x.tables()
	}
	if key, ok := name.(string); !ok || !slices.Contains(lists, key) {
		var other json.RawMessage
		return x.Decode(&other)
	}
	if err := x.begin('[', "a list of entries"); err != nil {
		return err
	}
	return x.list()
}

// begin reads the beginning of a list or an object. It returns an error that says what is wanted if something else comes.
func (x *export) begin(wanted json.Delim, what string) error {
	begin, err := x.Token()
	if err != nil {
		return fmt.Errorf("want %s: %w", what, err)
	}
	if begin != wanted {
		return fmt.Errorf("want %s", what)
	}
	return nil
}

// list reads the rest of a list whose beginning was read, and calls x.line for each entry.
func (x *export) list() error {
	return x.each(func(raw json.RawMessage) {
		x.entries++
		x.line(pairedRow(raw))
	})
}

// each reads the rest of a list whose beginning was read, and calls do for each value in it.
func (x *export) each(do func(raw json.RawMessage)) error {
	for x.More() {
		var raw json.RawMessage
		if err := x.Decode(&raw); err != nil {
			return err
		}
		do(raw)
	}
	_, err := x.Token()
	return err
}

// tables reads the tables of an answer of Log Analytics.
func (x *export) tables() error {
	if err := x.begin('[', "a list of entries"); err != nil {
		return err
	}
	for x.More() {
		if err := x.begin('{', "a table"); err != nil {
			return err
		}
		if err := x.table(); err != nil {
			return err
		}
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
