package files

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"interregnum/internal/phrase"
)

const (
	// maxScript is the length of the longest script that is parsed; a parser of expressions may need much stack.
	maxScript = 64 << 10
	// maxShells is how many shells may be started by one another's scripts.
	maxShells = 4
)

var (
	shells = []string{"sh", "bash", "ash", "dash", "zsh", "ksh"}
	// windowsShells take a command line after /c, -c or -Command, whose words are read without their syntax.
	windowsShells = []string{"cmd", "powershell", "pwsh"}
)

// commandLine is what a container runs: its commands, and the settings among the variables that scripts assign. parsed tells that it is a
// script that could be parsed. unused are arguments after a script that does not use them.
type commandLine struct {
	commands []invocation
	assigned []raw
	parsed   bool
	unused   []word
}

// invocation is one command: its words, and the known program that they start, which judged sets. oneCase tells that a script runs it in a
// branch of an if or a case alone.
type invocation struct {
	words   []word
	program *Program
	oneCase bool
}

// shell returns the commands that a command line runs, and the settings among the variables that scripts assign. For sh -c and the
// like these are those of the script; for a shell of Windows, the words after its name. Any other command line is returned as it
// is. depth is how many shells are around it; from maxShells on, no script is read.
func (e environment) shell(words []word, depth int) commandLine {
	for i, it := range words {
		name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(it.text, `\`, "/"))), ".exe")
		switch {
		case slices.Contains(windowsShells, name):
			var all []word
			for _, w := range words[i+1:] {
				all = append(all, fieldsOf(w)...)
			}
			return commandLine{commands: []invocation{{words: all}}}
		case !slices.Contains(shells, name) || depth == maxShells:
			continue
		}
		if at := scriptOf(words[i+1:]); at >= 0 {
			return e.script(words[i+1+at], words[i+2+at:], depth)
		}
	}
	return commandLine{commands: []invocation{{words: words}}}
}

// scriptOf returns the index of the script among a shell's arguments, which follows -c; -1 where there is none.
func scriptOf(arguments []word) int {
	given := false
	for i := 0; i < len(arguments); i++ {
		text := arguments[i].text
		option := len(text) > 1 && (text[0] == '-' || text[0] == '+')
		short := option && !strings.HasPrefix(text, "--")
		switch {
		case !option && given:
			return i
		case !option:
			return -1
		}
		given = given || short && text[0] == '-' && strings.Contains(text, "c")
		if short && strings.HasSuffix(text, "o") {
			i++ // the option's name, as in -o pipefail
		}
	}
	return -1
}

// positional is in a script that uses the arguments after it.
var positional = regexp.MustCompile(`\$\{?[@*#0-9]`)

// printers are commands that run nothing of what their words say.
var printers = []string{"echo", "printf", ":", "true", "[", "test"}

// script returns the commands that a shell script runs, without those that only print, and the settings among the variables that it
// assigns. Arguments are the words after the script, of which the first is $0 and the others are $@. It returns the words at white
// space as one command if the script is too long or cannot be parsed. depth is how many shells are around it.
func (e environment) script(it word, arguments []word, depth int) commandLine {
	whole := commandLine{commands: []invocation{{words: append(fieldsOf(it), arguments...)}}}
	if len(it.text) > maxScript {
		return whole
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(it.text), "")
	if err != nil {
		// Only the words that no quotes or operators touch can be made out.
		return whole
	}
	all, assigned := e.assignments(it, file)
	line := commandLine{assigned: assigned, parsed: true}
	if !positional.MatchString(it.text) {
		line.unused = arguments
	}
	var around []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		inner := all.shell(all.call(it, call, arguments), depth+1)
		for _, c := range inner.commands {
			if len(c.words) > 0 && !slices.Contains(printers, c.words[0].text) {
				c.oneCase = c.oneCase || slices.ContainsFunc(around, isChoice)
				line.commands = append(line.commands, c)
			}
		}
		line.assigned = append(line.assigned, inner.assigned...)
		return true
	})
	return line
}

// isChoice tells whether a part of a script runs some of its commands and leaves others out.
func isChoice(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.IfClause, *syntax.CaseClause:
		return true
	}
	return false
}

// call returns the words of one command of the script it, with $0, $1 and so on, and $@ replaced by the arguments of the script.
func (e environment) call(it word, call *syntax.CallExpr, arguments []word) (words []word) {
	for _, arg := range call.Args {
		line := it.line
		if it.literal {
			line += int(arg.Pos().Line())
		}
		for _, text := range e.split(it.text, arg.Parts) {
			n, err := strconv.Atoi(strings.TrimPrefix(text, "$"))
			switch {
			case err == nil && text[0] == '$' && n < len(arguments):
				words = append(words, arguments[n])
			case strings.HasPrefix(text, "$@"), strings.HasPrefix(text, "$*"), strings.HasPrefix(text, "${@"), strings.HasPrefix(text, "${*"):
				words = append(words, arguments[min(1, len(arguments)):]...)
			default:
				words = append(words, word{text: text, line: line})
			}
		}
	}
	return words
}

// assignments returns a copy of the environment with the variables that a script assigns, and those assignments that are settings.
// The copy leaves out a variable that the script assigns twice, that has a different value in the container, or whose value only
// the shell can tell. it is the word that is the script, and file is the script parsed.
func (e environment) assignments(it word, file *syntax.File) (environment, []raw) {
	all := maps.Clone(e)
	if all == nil {
		all = environment{}
	}
	var settings []raw
	seen := map[string]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		assign, ok := n.(*syntax.Assign)
		if !ok || assign.Name == nil || assign.Naked || assign.Value == nil {
			return true
		}
		name, value := assign.Name.Value, e.word(it.text, assign.Value.Parts)
		if s := settingOf(name); s.key != noKey {
			settings = append(settings, raw{setting: s, name: name, text: value, line: it.line, wholeSeconds: true, loose: true})
		}
		old, known := e[name]
		if seen[name] || known && old != value || given(value) != nil {
			delete(all, name)
		} else {
			all[name] = value
		}
		seen[name] = true
		return true
	})
	return all, settings
}

// assignedByEnv returns the settings among the variables that the command env sets for the program that it starts.
func assignedByEnv(words []word) (settings []raw) {
	i := slices.IndexFunc(words, func(it word) bool { return path.Base(it.text) == "env" })
	if i < 0 || slices.ContainsFunc(words[:i], func(it word) bool { return !isWrapper(it.text) && !isFlag(it.text) }) {
		return nil
	}
	for _, it := range words[i+1:] {
		name, value, assigns := strings.Cut(it.text, "=")
		switch s := settingOf(name); {
		case isFlag(it.text):
		case !assigns:
			return settings
		case s.key != noKey:
			settings = append(settings, raw{setting: s, name: phrase.Clip(name), text: value, line: it.line, wholeSeconds: true, loose: true})
		}
	}
	return settings
}

// fieldsOf returns a word split at white space, each part on the line of the whole.
func fieldsOf(it word) []word {
	var words []word
	for s := range strings.FieldsSeq(it.text) {
		words = append(words, word{text: s, line: it.line})
	}
	return words
}

// apart stands where a shell splits a word.
const apart = "\x00"

// split returns the words that a shell makes of one word, given in parts, with known variables replaced, and without empty
// words. The shell splits, at white space, only what comes from a variable outside quotes.
func (e environment) split(script string, parts []syntax.WordPart) []string {
	var b strings.Builder
	for _, p := range parts {
		text := e.word(script, []syntax.WordPart{p})
		if _, isVariable := p.(*syntax.ParamExp); isVariable {
			text = strings.Map(func(r rune) rune {
				if strings.ContainsRune(" \t\n", r) {
					return 0
				}
				return r
			}, text)
		}
		b.WriteString(text)
	}
	return slices.DeleteFunc(strings.Split(b.String(), apart), func(s string) bool { return s == "" })
}

// word returns a shell word, given in parts, without its quotes and with known variables replaced. A part that only the shell can
// compute stays as it is written in script.
func (e environment) word(script string, parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(e.word(script, p.Parts))
		default:
			text := script[p.Pos().Offset():p.End().Offset()]
			name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "$"), "{"), "}")
			if value, known := e[name]; known {
				text = value
			}
			b.WriteString(text)
		}
	}
	return b.String()
}
