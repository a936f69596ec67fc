package read

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCopies: a log that stands in two files is that of one process, named after the holder; two that say the same in whole seconds are two.
func TestCopies(t *testing.T) {
	const fine = "I0301 12:00:00.000006       1 leaderelection.go:257] attempting to acquire leader lease shop/manager...\n" +
		"I0301 12:00:00.000206       1 leaderelection.go:271] successfully acquired lease shop/manager\n" +
		"I0301 12:00:09.000206       1 leaderelection.go:271] \"New leader elected\" identity=\"manager-b_1\"\n"
	const coarse = "2026/03/01 12:00:00 attempting to acquire leader lease shop/manager...\n2026/03/01 12:00:03 new leader elected: manager-b_1\n"
	for name, test := range map[string]struct {
		text string
		kept []string
	}{
		"fine":   {fine, []string{"", "manager-b"}},
		"coarse": {coarse, []string{"a-copy", "manager-b"}},
	} {
		r := New(Options{Year: 2026})
		for _, file := range []string{"a-copy.log", "manager-b.log"} {
			require.NoError(t, r.Read(File{Name: file, Reader: strings.NewReader(test.text)}))
		}
		e := r.Evidence()
		require.Len(t, e.Sources, 2)
		for i, process := range test.kept {
			assert.Equal(t, process, e.Sources[i].Process, name)
		}
		said := map[int]bool{}
		for _, s := range e.Sayings {
			said[s.Source] = true
		}
		assert.Equal(t, test.kept[0] != "", said[0], name)
		assert.True(t, said[1], name)
		if name == "fine" {
			assert.Equal(t, copied, e.Sources[0].Skipped[0].Why)
			assert.Equal(t, e.Sources[0].Lines, e.Sources[0].Skipped[0].Count)
		}
	}
}
