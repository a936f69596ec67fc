package files

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/gate/files/unread"
	"interregnum/internal/phrase"
)

// unit reads each command of a unit of systemd, each command beside such in a script, and each variable with flags that none of these
// uses, into a candidate, and settles those that have settings or whose program always elects.
func (w *walker) unit(text []byte) {
	starts := func(words []shell.Word) bool { return isCommandLine(shell.Texts(words)) }
	spend := func(line, n int) bool { return w.Spend(&yaml.Node{Line: line - w.base}, n) }
	for _, one := range shell.Unit(text, w.base, starts, spend) {
		w.command(w.candidate(phrase.Clip(one.Name), one.Line-w.base), one.Program, one.Command)
	}
}

// command reads a command, or flags alone, into candidate c, and settles it if it has settings or its program always elects. name is what a
// variable with the flags is called, "" for a command, whose first words name the program.
func (w *walker) command(c *candidate, name string, run shell.Command) {
	if c.program = programs.Named(c.image, name); c.program == nil && name == "" {
		c.program = programs.Started(run.Words)
	}
	w.startedWith(c, nil, run)
	c.flags(run.Words)
	w.passedOn(c, run.Words)
	if c.program != nil {
		c.component = c.program.Name
		if c.program.Always {
			c.addMention()
		}
	}
	if before := len(w.found); len(c.raws) > 0 {
		if w.settle(c); len(w.found) > before {
			w.unknownFlags(c, run)
		}
	}
}

// scriptFile reads the commands of a shell script that start with a path, with the name of a program that the gate knows or with a wrapper,
// and have settings, each into a candidate, and settles these. It returns false if there are none, or the text is no script.
func (w *walker) scriptFile(text []byte) bool {
	runs := slices.DeleteFunc(shell.File(shell.Word{Text: string(text), Line: w.base, Literal: true}), func(run shell.Command) bool {
		return !hasSettings(run) || !startsProgram(run.Words[0].Text) && !shell.IsWrapper(run.Words[0].Text)
	})
	for _, run := range runs {
		part := ""
		if len(runs) > 1 {
			part = phrase.Clip(path.Base(run.Words[0].Text))
		}
		w.command(w.candidate(part, run.Words[0].Line-w.base), "", run)
	}
	return len(runs) > 0
}

// flagFile reads a document that is one text of flags, such as a snap's file of arguments, into a candidate, and settles it if
// there are settings. It reads no other text: a sentence about a flag sets nothing.
func (w *walker) flagFile(n *yaml.Node) {
	if !isCommandLine(strings.Fields(n.Value)) {
		return
	}
	c := w.candidate("", n.Line)
	if c.program = programs.Named("", path.Base(w.pos.File)); c.program != nil {
		c.component = c.program.Name
	}
	if c.flags(shell.Fields(shell.Word{Text: n.Value, Line: w.base + n.Line})); len(c.raws) > 0 {
		w.settle(c)
	}
}

// commandText reads a command line that is a text, as services of docker compose have it, into a candidate, and settles it if it has settings. all
// are the fields of the service. It tells whether there are settings.
func (w *walker) commandText(f tree.Field, all []tree.Field) bool {
	_, image := tree.Get(all, "image")
	_, build := tree.Get(all, "build")
	if !image && !build {
		return false
	}
	runs := shell.Text(shell.Word{Text: f.Value.Value, Line: w.base + f.Value.Line})
	i := slices.IndexFunc(runs, hasSettings)
	if i < 0 {
		return false
	}
	c := w.candidate(w.where(), f.Value.Line)
	c.image = tree.Text(all, "image")
	c.setLanguage(runs[i].Words, nil)
	w.command(c, "", runs[i])
	return true
}

// flagLines reads a document that is no YAML as flagFile does, without its comments, if all its other lines begin with flags. It tells whether they do.
func (w *walker) flagLines(text []byte) bool {
	if text = unread.WithoutComments(text); !onlyFlags.Match(text) {
		return false
	}
	w.flagFile(&yaml.Node{Value: string(text), Line: 1})
	return true
}

// onlyFlags matches a text whose lines begin with flags, or are empty.
var onlyFlags = regexp.MustCompile(`^(?:\s*--?[A-Za-z][^\n]*(?:\n|$))+\s*$`)

// hasSettings tells whether the flags of a command have settings.
func hasSettings(run shell.Command) bool {
	var c candidate
	c.flags(run.Words)
	return len(c.raws) > 0
}

// passedOn reads the flags that k3s and RKE2 pass on to a program of the control plane, such as
// --kube-scheduler-arg=leader-elect-lease-duration=60s. It puts the flags of each program into a new candidate, not into c, and
// settles it if there are any.
func (w *walker) passedOn(c *candidate, words []shell.Word) {
	of := map[*programs.Program][]shell.Word{}
	var order []*programs.Program
	for i, it := range words {
		name, value, given := strings.Cut(it.Text, "=")
		program := programs.OfArguments(strings.TrimLeft(name, "-"))
		if program == nil || name[0] != '-' {
			continue
		}
		if !given && i+1 < len(words) {
			value = words[i+1].Text
		}
		if of[program] == nil {
			order = append(order, program)
		}
		of[program] = append(of[program], shell.Word{Text: "--" + strings.TrimLeft(value, "-"), Line: it.Line})
	}
	for _, program := range order {
		line := of[program][0].Line
		one := w.candidate("", line-w.base)
		one.pos.Part = c.pos.Part + ": " + program.Name
		one.variable, one.variablesOf, one.provided = c.variable, c.variablesOf, slices.Clone(c.provided)
		one.program, one.component = program, program.Name
		if one.flags(of[program]); len(one.raws) > 0 {
			w.settle(one)
		}
	}
}

// isCommandLine tells whether words are a command with flags, or flags and their values alone. A command has a path, the name of a
// program that the gate knows, or exec before its first flag. Of words that begin with a flag, a value follows a flag that has none
// of its own; there may be backslashes between them.
func isCommandLine(words []string) bool {
	first := slices.IndexFunc(words, shell.IsFlag)
	if first != 0 {
		return first > 0 && slices.ContainsFunc(words[:first], startsProgram)
	}
	for i, s := range words {
		if !shell.IsFlag(s) && s != `\` && (!shell.IsFlag(words[i-1]) || strings.Contains(words[i-1], "=")) {
			return false
		}
	}
	return true
}

func startsProgram(s string) bool {
	return s == "exec" || strings.Contains(s, "/") || programs.Named("", s) != nil
}
