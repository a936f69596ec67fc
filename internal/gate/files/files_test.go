package files

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "interregnum/internal/few/garbage"
	"interregnum/internal/gate/files/programs"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write what came into the files that say what is expected")

// show is what a file has, a line each.
func show(f File) string {
	var b strings.Builder
	for _, t := range f.Targets {
		fmt.Fprintf(&b, "target   %s = %v/%v/%v", t.Position, t.LeaseDuration, t.RenewDeadline, t.RetryPeriod)
		for _, extra := range []struct {
			name  string
			value any
			there bool
		}{
			{"component", t.Component, t.Component != ""},
			{"defaulted", t.Defaulted, len(t.Defaulted) > 0},
			{"releaseOnCancel", t.ReleaseOnCancel, t.ReleaseOnCancel},
			{"profile", t.Profile, t.Profile != ""},
			{"clientGo", t.ClientGo, t.ClientGo != 0},
			{"timeout", t.Timeout.Kind, t.Timeout.Kind != programs.Unknown},
			{"requestTimeout", t.Timeout.Of, t.Timeout.Of != 0},
			{"drain", t.Drain, t.Drain != 0},
			{"lock", t.Lock, t.Lock != ""},
			{"lockOpen", t.LockOpen, t.LockOpen},
			{"if", strings.Join(t.Provided, ", and if "), len(t.Provided) > 0},
			{"qps", pointed(t.QPS), t.QPS != nil},
			{"burst", pointed(t.Burst), t.Burst != nil},
			{"otherLimits", t.OtherLimits, len(t.OtherLimits) > 0},
			{"client", fmt.Sprintf("%+v", t.Client), t.Client != nil},
		} {
			if extra.there {
				fmt.Fprintf(&b, " %s=%v", extra.name, extra.value)
			}
		}
		b.WriteByte('\n')
	}
	for _, n := range f.Notes {
		fmt.Fprintf(&b, "%-9s%s\n", n.Kind, n)
	}
	for _, p := range f.Problems {
		kind := "error"
		if p.Unreadable {
			kind = "unknown"
		}
		fmt.Fprintf(&b, "%-9s%s\n", kind, p.Error())
	}
	return b.String()
}

// pointed returns what n points to, nil for nil.
func pointed[T any](n *T) any {
	if n == nil {
		return nil
	}
	return *n
}

// TestReal reads the whole files of testdata/real; each has beside it, as .golden, what is found.
func TestReal(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/real/*")
	require.NoError(t, err)
	n := 0
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		n++
		f, err := os.Open(path)
		require.NoError(t, err)
		got := show(Read(filepath.Base(path), f))
		require.NoError(t, f.Close())
		golden(t, path+".golden", got)
	}
	require.Greater(t, n, 10)
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *rewrite {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, path)
}

// TestCases runs testdata/*.txt: a file, a line ----, what is found; cases are apart by ====.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		cases := strings.Split(string(content), "====\n")
		for i, c := range cases {
			input, want, ok := strings.Cut(c, "----\n")
			require.True(t, ok, "%s: %s", path, c)
			got := show(Read("x.yaml", strings.NewReader(input)))
			cases[i] = input + "----\n" + got
			if !*rewrite {
				assert.Equal(t, want, got, "%s:\n%s", path, input)
			}
		}
		if *rewrite {
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(cases, "====\n")), 0o600))
		}
	}
}
