package mutants

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryMutantHasItsPlace: this fails for a change of a source that takes away the place of a mutant.
func TestEveryMutantHasItsPlace(t *testing.T) {
	for _, file := range Files(All()) {
		source, err := os.ReadFile(filepath.Join("..", "..", file))
		require.NoError(t, err)
		_, err = Patch(All(), file, string(source))
		assert.NoError(t, err)
	}
}

func TestMutantsAreNamed(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range All() {
		assert.Regexp(t, `^[a-z0-9-]+$`, m.Name)
		assert.NotEmpty(t, m.About, m.Name)
		assert.NotEmpty(t, m.Edits, m.Name)
		assert.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
	}
	assert.GreaterOrEqual(t, len(seen), 30)
}

const source = `package p

func f(a, b int) int {
	if a < b {
		a++
	}
	return a
}
`

func TestPatch(t *testing.T) {
	got, err := Patch([]Mutant{
		{Name: "le", Edits: []Edit{{"f", Condition, "a < b", "a <= b"}}},
		{Name: "down", Edits: []Edit{{"f", Statements, "a++", "a--"}, {"f", Always, "return a", "return a + 0"}}},
		{Name: "never", Edits: []Edit{{"f", Condition, "a < b", "false"}}},
		{Name: "elsewhere", Edits: []Edit{{"g", Condition, "no such text", ""}}},
	}, "f", source)
	require.NoError(t, err)
	assert.Equal(t, `package p

import "interregnum/internal/mutants/planted"

func f(a, b int) int {
	if planted.On("le") && (a <= b) || planted.On("never") && (false) || !planted.On("le") && !planted.On("never") && (a < b) {
		switch {
		case planted.On("down"):
			a--
		default:
			a++
		}

	}
	return a + 0
}
`, got)
}

func TestPatchRefuses(t *testing.T) {
	condition := func(name, old, new string) Mutant {
		return Mutant{Name: name, Edits: []Edit{{"f", Condition, old, new}}}
	}
	for name, c := range map[string]struct {
		all  []Mutant
		want string
	}{
		"gone":  {[]Mutant{condition("m", "a > b", "true")}, "mutant m: its place must occur once in f, occurs 0 times"},
		"twice": {[]Mutant{condition("m", "a", "b")}, "mutant m: its place must occur once in f, occurs"},
		"overlap": {[]Mutant{condition("m", "a < b", ""), condition("n", "if a <", "")},
			"mutants n and m: their places in f overlap"},
		"no Go": {[]Mutant{condition("m", "a < b", "}")}, "f, patched, is no Go: "},
		"another form": {[]Mutant{condition("m", "a < b", "true"),
			{Name: "n", Edits: []Edit{{"f", Statements, "a < b", ""}}}}, "mutant n: it changes a place in f as another does"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Patch(c.all, "f", source)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestStatementsDeclareNothing: Patch puts replaced statements into a block, out of which a name that they declare is not seen.
func TestStatementsDeclareNothing(t *testing.T) {
	declares := func(s ast.Stmt) bool {
		assign, is := s.(*ast.AssignStmt)
		_, declares := s.(*ast.DeclStmt)
		return declares || is && assign.Tok == token.DEFINE
	}
	for _, m := range All() {
		for _, e := range m.Edits {
			if e.Form != Statements {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\nfor {\n"+e.Old+"\n}\n}", 0)
			require.NoError(t, err, m.Name)
			body := f.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ForStmt).Body.List
			assert.False(t, slices.ContainsFunc(body, declares), "mutant %s: %s", m.Name, e.Old)
		}
	}
}
