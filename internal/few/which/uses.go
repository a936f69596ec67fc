package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// module is the module in the folder root. of has what the packages without their tests use, by folder.
type module struct {
	root, path string
	of         map[string]*uses
}

// uses says what of a package reaches internal/few or rapid: reach has the names of its functions, variables, constants and types, and
// those of its methods with a dot before them. A type does so if one of its methods does. tests has the names of its tests, in the order of its files.
type uses struct {
	reach map[string]bool
	tests []string
	named map[string][]string // what the declarations of each name mention
}

func newModule(root string) (*module, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	name, found := strings.CutPrefix(line, "module ")
	if !found {
		return nil, fmt.Errorf("go.mod: want a first line with the name of the module, got %q", line)
	}
	return &module{root: root, path: strings.TrimSpace(name), of: map[string]*uses{}}, nil
}

// uses reads the package in a folder: its tests, or all else. What is no test cannot reach anything through tests. A folder without Go files is an error.
func (m *module) uses(folder string, tests bool) (*uses, error) {
	folder = path.Clean(folder)
	if u := m.of[folder]; u != nil && !tests {
		return u, nil
	}
	u := &uses{reach: map[string]bool{}, named: map[string][]string{}}
	if tests {
		tested, err := m.uses(folder, false)
		if err != nil {
			return nil, err
		}
		maps.Copy(u.reach, tested.reach)
	} else {
		m.of[folder] = u
	}
	files, err := filepath.Glob(filepath.Join(m.root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: want a folder with Go files", folder)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") != tests {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		if err := m.add(u, parsed); err != nil {
			return nil, err
		}
	}
	u.close()
	return u, nil
}

// add notes what the declarations of a file mention, and which of them are tests.
func (m *module) add(u *uses, file *ast.File) error {
	imports, err := m.imports(file)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = "." + name
				u.named[receiver(d)] = append(u.named[receiver(d)], name)
			}
			u.mention(name, d, file, imports)
			if strings.HasPrefix(name, "Test") && name != "TestMain" {
				u.tests = append(u.tests, name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					u.mention(s.Name.Name, s, file, imports)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						u.mention(name.Name, s, file, imports)
					}
				}
			}
		}
	}
	return nil
}

// imports returns, for each name by which a file imports a package, a function that tells whether a name of that package reaches
// internal/few or rapid.
func (m *module) imports(file *ast.File) (map[string]func(string) bool, error) {
	all := map[string]func(string) bool{}
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		local := path.Base(name)
		if i.Name != nil {
			local = i.Name.Name
		}
		folder, ours := strings.CutPrefix(name, m.path+"/")
		all[local] = func(string) bool { return false }
		switch {
		case name == "pgregory.net/rapid" || folder == "internal/few":
			all[local] = func(string) bool { return true }
		case ours:
			u, err := m.uses(folder, false)
			if err != nil {
				return nil, err
			}
			all[local] = func(of string) bool { return u.reach[of] }
		}
	}
	return all, nil
}

// mention notes what is mentioned in the declaration of a name. Of x.y where x is no package y counts, as a method, whatever x is.
// Names that are declared in a function do not count.
func (u *uses) mention(name string, node ast.Node, file *ast.File, imports map[string]func(string) bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] != nil {
				if imports[x.Name](n.Sel.Name) {
					u.reach[name] = true
				}
			} else {
				u.named[name] = append(u.named[name], "."+n.Sel.Name)
				u.mention(name, n.X, file, imports)
			}
			return false
		case *ast.Ident:
			if n.Obj == nil || file.Scope.Lookup(n.Name) == n.Obj {
				u.named[name] = append(u.named[name], n.Name)
			}
		}
		return true
	})
}

// close adds to reach what mentions a name that is in it, until there is nothing to add.
func (u *uses) close() {
	for grown := true; grown; {
		grown = false
		for name, mentioned := range u.named {
			for _, other := range mentioned {
				if u.reach[other] && !u.reach[name] {
					u.reach[name], grown = true, true
				}
			}
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(method *ast.FuncDecl) (name string) {
	ast.Inspect(method.Recv.List[0].Type, func(n ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok && name == "" {
			name = i.Name
		}
		return true
	})
	return name
}
