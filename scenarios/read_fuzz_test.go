package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead: no input makes the reader panic or hang. An error is one line and begins with the file's name; what
// is read is valid and reads back from what it is written to.
func FuzzRead(f *testing.F) {
	contract, err := os.ReadFile("testdata/contract.yaml")
	require.NoError(f, err)
	f.Add(contract)
	files, err := filepath.Glob("testdata/bad/*.txt")
	require.NoError(f, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(f, err)
		for c := range strings.SplitSeq(string(content), "====\n") {
			input, _, _ := strings.Cut(c, "----\n")
			f.Add([]byte(input))
		}
	}
	for _, text := range []string{
		twoElections,
		"name: x\nhorizon: &h 1h\ncandidates:\n- &a {id: a, drain: *h}\nabout: >-\n  b\n\n  c\n",
		`{"name":"x","about":"\ud83d\ude00","horizon":"60s","candidates":[{"id":"a","jitter":1e-1}]}`,
		"name: x\r\nhorizon: 1s\r\ncandidates:\r\n  - id: 'a'\r\n    clock: {offset: -1us}\r\n...\r\n",
		"{name: x, horizon: 1s, candidates: [{id: a}], faults: [{kind: delay, at: 0, request: {min: 0, max: 1m}}]}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(strings.NewReader(string(data)), "x.yaml")
		if err != nil {
			wellFormed(t, err)
			return
		}
		require.NoError(t, s.Validate())
		roundTrip(t, s)
	})
}
