package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// folder returns a folder with one file of tests, which has the text after the imports.
func folder(t *testing.T, text string) string {
	dir := t.TempDir()
	const head = "package p\n\nimport (\n\"flag\"\n\"testing\"\n\n\"pgregory.net/rapid\"\n\n\"interregnum/electiontest\"\n\"interregnum/internal/few\"\n)\n\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(head+text), 0o666))
	return dir
}

// TestSame: a test does the same if nothing that it uses, directly or not, depends on the number of cases.
func TestSame(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":              {"func TestA(t *testing.T) { a() }; func a() {}", []string{"TestA"}},
		"examples":             {"func ExampleA() {}; func FuzzA(f *testing.F) {}; func BenchmarkA(b *testing.B) {}", []string{"ExampleA", "FuzzA"}},
		"itself":               {"func TestA(t *testing.T) { few.Of(3) }; func TestB(t *testing.T) {}", []string{"TestB"}},
		"a function":           {"func TestA(t *testing.T) { a() }; func a() { b() }; func b() { _ = few.All() }", nil},
		"a variable":           {"var n = few.Of(3); func TestA(t *testing.T) { _ = n }", nil},
		"a flag of several":    {"var (\nm = 1\nn = flag.Int(\"n\", few.Of(3), \"\")\n)\nfunc TestA(t *testing.T) { _ = *n }\nfunc TestB(t *testing.T) { _ = m }", []string{"TestB"}},
		"a method":             {"type x struct{}; func (x) a() { few.Of(3) }; func TestA(t *testing.T) { y().a() }", nil},
		"a method of its type": {"type x[T any] struct{}; func (*x[T]) a() { few.Of(3) }; func TestA(t *testing.T) { call(&x[int]{}) }", nil},
		"checks":               {"func TestA(t *testing.T) { rapid.Check(t, nil) }; func TestB(t *testing.T) { t.Run(\"\", rapid.MakeCheck(nil)) }", nil},
		"checks of another":    {"func TestA(t *testing.T) { electiontest.Check(t, nil) }", nil},
		"an example of rapid":  {"func TestA(t *testing.T) { rapid.Int().Example(1) }", []string{"TestA"}},
		"by its name":          {"func TestA(t *testing.T) { run(\"-test.run=^TestB$\") }; func TestB(t *testing.T) { few.Of(3) }", nil},
		"before all":           {"func TestMain(m *testing.M) { few.Of(3) }; func TestA(t *testing.T) {}", nil},
		"init":                 {"func init() { few.Of(3) }; func TestA(t *testing.T) {}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := same([]string{folder(t, c.text)})
			require.NoError(t, err)
			assert.ElementsMatch(t, c.want, got)
		})
	}
}

// TestSameName: of tests of one name in several folders each must do the same.
func TestSameName(t *testing.T) {
	one := folder(t, "func TestA(t *testing.T) {}; func TestB(t *testing.T) {}")
	two := folder(t, "func TestA(t *testing.T) { few.Of(3) }; func TestC(t *testing.T) {}")
	got, err := same([]string{one, two})
	require.NoError(t, err)
	assert.Equal(t, []string{"TestB", "TestC"}, got)
}

// TestOthers: outside of tests nothing depends on the number of cases, but for what counts as if it did. Else same would have to read
// more than the files of a folder.
func TestOthers(t *testing.T) {
	root, found := "../../..", []string{}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || strings.HasPrefix(name, root+"/internal/few/") {
			return err
		}
		packages := imported(file)
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := s.X.(*ast.Ident); ok && counts(of.Name, s.Sel.Name, packages) {
				found = append(found, strings.TrimPrefix(name, root+"/"))
			}
			return true
		})
		return nil
	}))
	assert.Equal(t, []string{"electiontest/check.go"}, found)
}
