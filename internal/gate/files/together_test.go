package files

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTogether reads several files at once: a case has the files, each after a line with its name, as txtar has them, and in its
// .golden what is found. Which goroutine reads which file makes no difference.
func TestTogether(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/together/*.txtar")
	require.NoError(t, err)
	require.Greater(t, len(cases), 5)
	for _, path := range cases {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		forward, backward := together(string(content), false), together(string(content), true)
		require.Equal(t, forward, backward, path)
		golden(t, strings.TrimSuffix(path, ".txtar")+".golden", forward)
	}
}

func together(txtar string, backward bool) string {
	var inputs []*Input
	for part := range strings.SplitSeq("\n"+txtar, "\n-- ") {
		if name, data, ok := strings.Cut(part, " --\n"); ok {
			inputs = append(inputs, load(name, strings.NewReader(data+"\n")))
		}
	}
	all := ReadAll(inputs, "", func(do func(int)) {
		order := make([]int, len(inputs))
		for i := range order {
			order[i] = i
		}
		if backward {
			slices.Reverse(order)
		}
		for _, i := range order {
			do(i)
		}
	})
	var b strings.Builder
	for _, f := range all {
		b.WriteString(show(f))
	}
	return b.String()
}
