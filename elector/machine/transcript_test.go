package machine_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestTranscripts plays the files of testdata. A file is made of paragraphs; a paragraph of comments, inputs, a
// line ----, and what the machine asked for. The inputs:
//
//	candidate ID LEASE/DEADLINE/PERIOD [release] [wall=AHEAD] [profile=NAME]
//	          [leaseFrom=send] [compare=exact] [foreign=obeyed] [seconds=up] [renewal=readFirst]
//	                      a new machine, which has not started
//	leads                 it creates the lock and renews it once, at 1, 2 and 3 ms; only the end is shown
//	start, cancel, workReturned, unwind @TIME
//	fired TIMER @TIME
//	response ID OUTCOME [holder= seconds= acquire= renew= transitions= raw=] @TIME
//	again                 another Run of the same machine
//	healthy TOLERANCE @TIME
//	wall AHEAD            somebody sets the wall clock
//
// TIME is what the monotonic clock shows. Wall clocks, and with them the times of records, are AHEAD of it, and
// shown since 2000-01-01. The last line of an output says where the machine is and whom it has seen leading, if
// that changed. A timer whose wait is jittered is due somewhere between two times.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { playFile(t, file) })
	}
}

func playFile(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var p player
	var got strings.Builder
	for i, paragraph := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		if i > 0 {
			got.WriteByte('\n')
		}
		inputs, _, _ := strings.Cut(strings.TrimSpace(paragraph)+"\n", "----\n")
		got.WriteString(inputs)
		output, played := "", false
		for line := range strings.Lines(inputs) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				output += p.play(t, line)
				played = true
			}
		}
		if played {
			got.WriteString("----\n" + output)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o666))
	}
	assert.Equal(t, string(text), got.String())
}
