package files

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless never ends, and must not be read to its end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	for i := range p {
		p[i] = '#'
	}
	return len(p), nil
}

func TestReadStopsAtLimit(t *testing.T) {
	t.Parallel()
	var e endless
	f := Read("-", &e)
	assert.Equal(t, "error    -: is larger than 16 MiB, or endless; want a file of manifests\n", show(f))
	assert.LessOrEqual(t, e.read, maxBytes+1)
}

func readFile(path string, stdin io.Reader) File { return Load(Place{Path: path}, stdin).Read() }

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken\npipe") }

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.Equal(t, "error    "+dir+": is a directory; want a file\n", show(readFile(dir, nil)))
	path := filepath.Join(dir, "a.yaml")
	assert.Equal(t, "error    "+path+": cannot be read: no such file or directory\n", show(readFile(path, nil)))
	require.NoError(t, os.WriteFile(path, []byte("leaderElection: {leaderElect: false}\n"), 0o600))
	assert.Len(t, readFile(path, nil).Notes, 1)
	in := strings.NewReader("leaderElection: {leaseDuration: 20s}\n")
	assert.Equal(t, "-: leaderElection", readFile("-", in).Targets[0].Name())
	assert.Equal(t, "error    -: cannot be read: broken pipe\n", show(Read("-", failing{})))
}

// TestReadHostile has files that would take long, or much memory or stack, without the limits.
func TestReadHostile(t *testing.T) {
	t.Parallel()
	const size = 256 << 10
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	bomb := func(top, unit string) string {
		var b strings.Builder
		b.WriteString("a0: &a0 " + top + "\n")
		for i := range 20 {
			name := string(rune('b' + i))
			previous := "*a0"
			if i > 0 {
				previous = "*" + string(rune('a'+i))
			}
			b.WriteString(name + ": &" + name + " " + strings.ReplaceAll(unit, "X", previous) + "\n")
		}
		return b.String()
	}
	const values, depth = "values, with those that aliases repeat", "nested deeper than"
	for name, c := range map[string]struct{ text, want string }{
		"brackets": {fill("", "[", ""), "not YAML"},
		"nested":   {strings.Repeat("[", 300) + strings.Repeat("]", 300), depth},
		"dashes":   {fill("", "- ", ""), "not YAML"},
		"laughs":   {bomb("[x, x]", "[X, X, X, X, X, X, X, X]"), values},
		"merges":   {bomb("{x: 1}", "{<<: [X, X, X, X, X, X, X, X]}"), values},
		"itself":   {"a: &a [*a, *a]\n", depth},
		"env":      {pod + "spec: &s {containers: [{name: m, env: &e [*e]}]}\n", depth},
		"many stanzas": {"s: &s {" + numbered("k%: 1, ", 9000) + "}\nl:\n" +
			strings.Repeat("- leaderElection: *s\n", 9000), values},
		"many lists": {"s: &s [" + strings.Repeat("a,", 60000) + "]\nl:\n" + strings.Repeat("- extraArgs: *s\n", 9000), values},
		"long text": {"s: &s " + strings.Repeat("x", 1<<19) + "\nl:\n" +
			strings.Repeat("- containers: [{args: [*s, *s, *s, *s, *s, *s, *s, *s, *s, *s]}]\n", 900), values},
		"long scripts": {"s: &s |\n  leader: " + strings.Repeat("x", 200000) + "\nl:\n" +
			strings.Repeat("- {apiVersion: v1, kind: ConfigMap, data: {a.yaml: *s}}\n", 2000), values},
	} {
		begin := time.Now()
		f := Read("x.yaml", strings.NewReader(c.text))
		t.Logf("%s: %v", name, time.Since(begin))
		if assert.NotEmpty(t, f.Problems, name) {
			assert.Contains(t, f.Problems[0].Text, c.want, name)
			assert.Regexp(t, `^x\.yaml:[1-9]`, f.Problems[0].Error(), name)
		}
	}
}

func TestMarksAreBounded(t *testing.T) {
	t.Parallel()
	f := Read("x.yaml", bytes.NewReader(bytes.Repeat([]byte{','}, 4_000_001)))
	assert.Equal(t, "error    x.yaml:1: more than 4000000 marks of punctuation; nobody writes so many\n", show(f))
}

func TestDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	f := Read("x.yaml", strings.NewReader(strings.Repeat("--- a\n", maxDocuments+1)))
	assert.Equal(t, "error    x.yaml:100001: more than 100000 documents; split the file\n", show(f))
}

func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	f := Read("x.yaml", strings.NewReader(strings.Repeat("--- {a: [\n", 2*maxProblems)))
	assert.Len(t, f.Problems, maxProblems)
}

func TestProblemsOfOneDocumentAreBounded(t *testing.T) {
	t.Parallel()
	f := Read("x.yaml", strings.NewReader("leaderElection: true\n"+strings.Repeat("a: 1\n", 2*maxProblems)))
	assert.Len(t, f.Problems, maxProblems)
}

// TestLongScriptIsNotParsed: its quotes are taken for part of the value, which is then refused.
func TestLongScriptIsNotParsed(t *testing.T) {
	t.Parallel()
	const pod = "containers: [{name: m, command: [sh, -c, 'x --leader-elect-lease-duration=\"20s\"%']}]\n"
	f := Read("x.yaml", strings.NewReader(strings.Replace(pod, "%", "", 1)))
	assert.Len(t, f.Targets, 1)
	f = Read("x.yaml", strings.NewReader(strings.Replace(pod, "%", strings.Repeat(" ", 64<<10), 1)))
	assert.Len(t, f.Problems, 1)
}

// TestVariablesGrow: each is twice as long as the one before.
func TestVariablesGrow(t *testing.T) {
	t.Parallel()
	env := environment{"A": "x"}
	for range 100 {
		env["A"] = env.expand("$(A)$(A)")
	}
	assert.LessOrEqual(t, len(env["A"]), 4*maxGrowth)
}

func TestReadIsConcurrent(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/real/helm.yaml")
	require.NoError(t, err)
	want := show(Read("x", bytes.NewReader(data)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { assert.Equal(t, want, show(Read("x", bytes.NewReader(data)))) })
	}
	wg.Wait()
}

func numbered(unit string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(unit, "%", string(rune('a'+i%26))+strings.Repeat("z", i/26%40)+string(rune('a'+i/1040))))
	}
	return b.String()
}
