package scenarios_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublicTypes: whoever reads the documentation of a package that programs import finds all that its exported names are
// made of. No field, parameter or result has a type of a package below internal, whose fields nobody sees, unless it is
// an alias in types.go (TestTypes has its fields documented), or the documentation says whom it is for.
func TestPublicTypes(t *testing.T) {
	aliases := 0
	for _, root := range []string{"../elector", "../simlock", "../scenarios", "../electiontest", "../reports"} {
		require.NoError(t, filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || !entry.IsDir():
				return err
			case entry.Name() == "testdata" || entry.Name() == "internal":
				return fs.SkipDir
			}
			for _, found := range hidden(t, dir) {
				if found.alias && dir == "../scenarios" {
					aliases++
					continue
				}
				assert.Fail(t, "a type below internal in the documentation", "%s: %s", found.where, found.what)
			}
			return nil
		}))
	}
	assert.Greater(t, aliases, 5, "those of types.go are found")
}

// mention is where an exported name is made of a type of a package below internal.
type mention struct {
	where, what string
	alias       bool
}

// forInsiders is what the documentation of a name, or of its package, says where it is of no use to others.
const forInsiders = "packages below internal"

func hidden(t *testing.T, dir string) (found []mention) {
	files := token.NewFileSet()
	paths, err := filepath.Glob(dir + "/*.go")
	require.NoError(t, err)
	var parsed []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		require.NoError(t, err)
		if strings.Contains(words(file.Doc), forInsiders) {
			return nil
		}
		parsed = append(parsed, file)
	}
	for _, file := range parsed {
		internal := internalImports(file)
		for _, d := range file.Decls {
			for _, of := range exported(d) {
				if strings.Contains(words(of.doc), forInsiders) {
					continue
				}
				ast.Inspect(of.node, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if from, ok := s.X.(*ast.Ident); ok && internal[from.Name] {
						found = append(found, mention{files.Position(n.Pos()).String(), of.name + " has " + from.Name + "." + s.Sel.Name, of.alias})
					}
					return true
				})
			}
		}
	}
	return found
}

func internalImports(file *ast.File) map[string]bool {
	internal := map[string]bool{}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if !strings.Contains(path, "/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		internal[name] = true
	}
	return internal
}

// words are a comment's, without its line ends.
func words(of *ast.CommentGroup) string { return strings.Join(strings.Fields(of.Text()), " ") }

// part is what the documentation shows of an exported name.
type part struct {
	name  string
	doc   *ast.CommentGroup
	node  ast.Node
	alias bool
}

func exported(d ast.Decl) (parts []part) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ofExported(d.Recv)) {
			parts = append(parts, part{d.Name.Name, d.Doc, d.Type, false})
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc := spec.Doc
				if doc == nil {
					doc = d.Doc
				}
				parts = append(parts, ofType(spec, doc)...)
			case *ast.ValueSpec:
				if spec.Names[0].IsExported() && spec.Type != nil {
					parts = append(parts, part{spec.Names[0].Name, d.Doc, spec.Type, false})
				}
			}
		}
	}
	return parts
}

func ofType(spec *ast.TypeSpec, doc *ast.CommentGroup) (parts []part) {
	if !spec.Name.IsExported() {
		return nil
	}
	of, ok := spec.Type.(*ast.StructType)
	if !ok {
		return []part{{spec.Name.Name, doc, spec.Type, spec.Assign.IsValid()}}
	}
	for _, f := range of.Fields.List {
		shown := len(f.Names) == 0
		for _, name := range f.Names {
			shown = shown || name.IsExported()
		}
		if shown && !strings.Contains(words(doc), forInsiders) {
			parts = append(parts, part{spec.Name.Name, f.Doc, f.Type, false})
		}
	}
	return parts
}

// ofExported tells whether a receiver's type is exported.
func ofExported(receiver *ast.FieldList) bool {
	of := receiver.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}
