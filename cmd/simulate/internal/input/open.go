// Package input reads the files that arguments and flags of simulate name.
package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"interregnum/internal/phrase"
)

// Stdin is the name of standard input in errors.
const Stdin = "<stdin>"

// Open opens a file for reading. It returns an error for a folder. want says in the error what the file should be. The error has
// the file's name only once.
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

// Same tells whether two paths lead to the same file, even if neither exists yet. It is false if one of them is "".
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errors.Join(errX, errY) == nil {
		return os.SameFile(x, y)
	}
	return whole(a) == whole(b)
}

// whole returns a path from the root, with links in its folder followed, but not one at its end. If the current folder is not
// known, it returns the path as it is.
func whole(path string) string {
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return filepath.Join(folder, filepath.Base(path))
}

// FirstKeys returns the keys of the JSON object with which a file begins; none if it does not begin with one. It looks no
// further than the buffer of in, 64 KiB at most, and does not consume the input.
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
