// Package input reads what the arguments and flags of simulate name.
package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"interregnum/internal/phrase"
)

// Stdin is how errors call standard input.
const Stdin = "<stdin>"

// Open opens a file to read, and refuses a folder; want says, for the error, what the file should be. The error
// has the file's name once.
func Open(name, want string) (*os.File, error) {
	file, err := os.Open(name)
	if err == nil {
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && !info.IsDir() {
			return file, nil
		}
		file.Close()
	}
	if err == nil {
		return nil, fmt.Errorf("%s: is a directory; want %s", name, want)
	}
	return nil, fmt.Errorf("%s: %w", name, phrase.WithoutPath(err))
}

// Same tells whether two paths lead to the same file; it does not where one of them leads to none.
func Same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errors.Join(errX, errY) == nil && os.SameFile(x, y)
}

// FirstKeys are the keys of the JSON object on a file's first line, if that is one.
func FirstKeys(in *bufio.Reader) map[string]bool {
	start, _ := in.Peek(64 << 10)
	keys := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(start))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return keys
	}
	for {
		t, err := d.Token()
		key, isKey := t.(string)
		if err != nil || !isKey {
			return keys
		}
		keys[key] = true
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return keys
		}
	}
}
