package results

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFullDisk: what could not be written is told with what to do.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	err = (&File{file: full}).Append(1)
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, "what is in the file is good: make room, and the same command goes on")
}

// TestHeaderOnly: a file whose only line is the header, and lacks its end, is not this header where anything else follows.
func TestHeaderOnly(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	for text, wrong := range map[string]string{`{"a":1}`: "", `{"a"`: "", `{"a":1} `: "want a header that ends its line", `{"b"`: "no JSON"} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		f, err := Open(name, map[string]int{"a": 1}, func(_ int, line []byte) error {
			if !json.Valid(line) {
				return errors.New("no JSON")
			}
			return nil
		})
		if wrong != "" {
			assert.ErrorContains(t, err, wrong, text)
			assert.ErrorContains(t, err, name+":1: ", text)
			continue
		}
		require.NoError(t, err, text)
		require.NoError(t, f.Close())
	}
}
