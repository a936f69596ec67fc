package files

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// patchOf is what the operations of a JSON patch set of one program.
type patchOf struct {
	program *programs.Program
	c       *candidate
	words   []shell.Word
}

// patch reads the values of a JSON patch as if they stood where its paths say, except those that it removes or tests. All flags,
// environment variables and single values become one candidate, and those of each program that a path names another one; a candidate is
// settled if it has settings. Containers, mappings and texts of several lines are read for themselves. items must not be empty. depth is
// how many values are around them.
func (w *walker) patch(items []*yaml.Node, depth int) {
	var parts []*patchOf
	outer := w.program
	for _, item := range items {
		all := w.Fields(item)
		if op := tree.Text(all, "op"); op == "remove" || op == "test" {
			continue
		}
		steps := strings.Split(strings.TrimPrefix(tree.Text(all, "path"), "/"), "/")
		program := programOfSteps(steps)
		w.program = cmp.Or(program, outer)
		i := slices.IndexFunc(parts, func(p *patchOf) bool { return p.program == program })
		if i < 0 {
			i = len(parts)
			parts = append(parts, &patchOf{program: program, c: w.patchCandidate(program, items[0].Line)})
		}
		if value, ok := tree.Get(all, "value"); ok {
			w.patchValue(parts[i], steps, value, depth)
		}
		if template, ok := tree.Get(w.Inside(all, "valueFrom"), "template"); ok && template.Value.Kind == yaml.ScalarNode { // a ClusterClass's
			w.block(steps[len(steps)-1], template.Value)
		}
	}
	w.program = outer
	for _, p := range parts {
		if p.c.flags(p.words); len(p.c.raws) > 0 {
			w.settle(p.c)
		}
	}
}

// patchCandidate returns a candidate for what a JSON patch sets of a program, which a path in it names, or for all else if that is nil.
func (w *walker) patchCandidate(program *programs.Program, line int) *candidate {
	part := w.where()
	if program != nil {
		part = strings.TrimPrefix(part+": "+program.Name, ": ")
	}
	c := w.candidate(part, line)
	c.program = cmp.Or(program, c.program, w.target)
	return c
}

// programOfSteps returns the program of the control plane whose flags the path of a JSON patch leads to; nil if it leads to none.
func programOfSteps(steps []string) *programs.Program {
	for i := len(steps) - 1; i > 0; i-- {
		if isArguments(steps[i]) {
			program := programs.OfArguments(steps[i])
			if slices.ContainsFunc(steps[:i], isOfCluster) {
				program = cmp.Or(program, programs.OfOverride(steps[i-1]))
			}
			return program
		}
	}
	return nil
}

// patchValue reads one value that a JSON patch puts at the path of steps.
func (w *walker) patchValue(p *patchOf, steps []string, value tree.Field, depth int) {
	last := steps[len(steps)-1]
	switch entry := w.Fields(value.Value); {
	case value.Value.Kind == yaml.SequenceNode && isArguments(last):
		w.argumentsOf(p.c, value)
	case value.Value.Kind == yaml.SequenceNode:
		w.patchList(p, value, depth)
	case value.Value.Kind == yaml.ScalarNode && strings.HasPrefix(value.Value.Value, "-"):
		p.words = append(p.words, shell.Word{Text: value.Value.Value, Line: w.base + value.Line})
	case value.Value.Kind == yaml.ScalarNode && len(steps) > 1 && isArguments(steps[len(steps)-2]) && strings.Contains(value.Value.Value, "="):
		p.words = append(p.words, shell.Word{Text: "--" + value.Value.Value, Line: w.base + value.Line})
	case value.Value.Kind == yaml.ScalarNode:
		w.patchScalar(p.c, steps, value)
	case w.variableIn(p.c, entry):
	case len(steps) > 1 && setting.IsContainers(steps[len(steps)-2]):
		name := "container " + phrase.Clip(tree.Text(entry, "name"))
		w.container(w.candidate(name, value.Value.Line), value.Value, nil)
	default:
		w.member(tree.Field{Name: last, Line: value.Line, Value: value.Value}, nil, depth+1)
	}
}

// patchList reads a list that a JSON patch puts somewhere: flags, variables and other values.
func (w *walker) patchList(p *patchOf, value tree.Field, depth int) {
	for _, it := range w.Items(value.Value) {
		switch {
		case it.Kind == yaml.ScalarNode:
			p.words = append(p.words, shell.Word{Text: it.Value, Line: w.base + it.Line})
		case w.variableIn(p.c, w.Fields(it)):
		default:
			w.walk(it, depth+1)
		}
	}
}

// patchScalar adds to c.raws a single value that a JSON patch puts at a path, if its name is that of a setting. It reads a text
// of several lines as a document, with block. steps are the names in the path.
func (w *walker) patchScalar(c *candidate, steps []string, value tree.Field) {
	last := phrase.Clip(steps[len(steps)-1])
	s := setting.Of(last)
	if len(steps) > 1 && setting.IsStanza(steps[len(steps)-2]) {
		s = setting.InStanza(last)
	}
	if s.Key != setting.None {
		w.add(c, tree.Field{Name: last, Line: value.Line, Value: value.Value}, s, true)
	}
	if strings.Contains(value.Value.Value, "\n") {
		w.block(last, value.Value)
	}
}
