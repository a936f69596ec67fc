package main

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"
)

// exported returns what a package exports, one line each, sorted and without repetitions: functions and methods with their types,
// fields of structs, embedded types and methods of interfaces, constants, variables and types. files has the package's texts by
// their names. It returns an error if one of them is not Go.
func exported(files map[string]string) ([]string, error) {
	var all []string
	for name, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				all = append(all, function(d)...)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					all = append(all, specified(d.Tok, s)...)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// function returns the line of exported for a function, or for a method of an exported type; nil if it is not exported.
func function(d *ast.FuncDecl) []string {
	if !d.Name.IsExported() {
		return nil
	}
	if d.Recv == nil {
		return []string{"func " + d.Name.Name + signature(d.Type)}
	}
	of := strings.TrimPrefix(text(d.Recv.List[0].Type), "*")
	if !ast.IsExported(of) {
		return nil
	}
	return []string{of + "." + d.Name.Name + signature(d.Type)}
}

// specified returns the lines of exported for one entry of a declaration of constants, variables or types; nil if it exports
// nothing.
func specified(kind token.Token, s ast.Spec) (all []string) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				all = append(all, kind.String()+" "+name.Name)
			}
		}
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			all = append([]string{"type " + s.Name.Name}, members(s)...)
		}
	}
	return all
}

// members returns the lines of exported for the exported fields of a struct or methods of an interface, and for all types embedded
// in it. It returns nil for any other type.
func members(s *ast.TypeSpec) (all []string) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return nil
	}
	_, methods := s.Type.(*ast.InterfaceType)
	for _, f := range list.List {
		what := " " + text(f.Type)
		if t, is := f.Type.(*ast.FuncType); is && methods {
			what = signature(t)
		}
		if len(f.Names) == 0 {
			all = append(all, s.Name.Name+": "+text(f.Type))
		}
		for _, name := range f.Names {
			if name.IsExported() {
				all = append(all, s.Name.Name+"."+name.Name+what)
			}
		}
	}
	return all
}

// signature returns a function's type without the word func.
func signature(t *ast.FuncType) string { return strings.TrimPrefix(text(t), "func") }

// text returns the source text of a node in one line or, if it cannot be printed, the text of the error.
func text(n ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
