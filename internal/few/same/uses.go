package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// uses maps each name that a folder's files declare at the top, or as a method, to all names that stand in its declarations, and all names of tests in texts there. Names are not
// resolved: two things of one name count as one, so that uses has too much rather than too little.
type uses map[string]map[string]bool

// number is the name that stands for how many cases there are: for all of package few, and for what makes as many checks as -rapid.checks says.
const number = "number of cases"

// words are what may be names of tests.
var words = regexp.MustCompile(`\b(Test|Example|Fuzz)\w*`)

// read returns the uses of all test files of a folder, and of its other files that import package rapid or few. No other file can call these.
func read(folder string) (uses, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	u := uses{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		packages := imported(file)
		if !strings.HasSuffix(name, "_test.go") && packages["few"] == "" && packages["rapid"] == "" {
			continue
		}
		for _, d := range file.Decls {
			u.declare(d, packages)
		}
	}
	return u, nil
}

// imported maps the last part of the path of each imported package to its name in the file.
func imported(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range file.Imports {
		full, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
		names[path.Base(full)] = path.Base(full)
		if i.Name != nil {
			names[path.Base(full)] = i.Name.Name
		}
	}
	return names
}

// declare adds what a declaration uses. A method counts for the name of its receiver's type, too, since it may be called without being named
// where that type is.
func (u uses) declare(d ast.Decl, packages map[string]string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		u.add(d.Name.Name, d, packages)
		if d.Recv != nil {
			u.add(receiver(d.Recv.List[0].Type), d, packages)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				u.add(s.Name.Name, s, packages)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					u.add(name.Name, s, packages)
				}
			}
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// add adds what stands in n to what name uses.
func (u uses) add(name string, n ast.Node, packages map[string]string) {
	if u[name] == nil {
		u[name] = map[string]bool{}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			u[name][n.Name] = true
		case *ast.BasicLit: // a test can run its own program with -test.run
			for _, word := range words.FindAllString(n.Value, -1) {
				u[name][word] = true
			}
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && counts(of.Name, n.Sel.Name, packages) {
				u[name][number] = true
			}
		}
		return true
	})
}

// counts tells whether a function depends on the number of cases: any of package few, and what makes rapid's checks, itself or for a caller.
func counts(of, function string, packages map[string]string) bool {
	check := function == "Check" || function == "MakeCheck"
	return of == packages["few"] || check && (of == packages["rapid"] || of == packages["electiontest"])
}

// reach tells whether a declaration, or one that it uses, directly or not, depends on the number of cases. All do if an init does, or a
// TestMain.
func (u uses) reach(name string) bool {
	seen, todo := map[string]bool{}, []string{name, "init", "TestMain", "_"}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if next == number {
			return true
		}
		if seen[next] {
			continue
		}
		seen[next] = true
		for used := range u[next] {
			todo = append(todo, used)
		}
	}
	return false
}
