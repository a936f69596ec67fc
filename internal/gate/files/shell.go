package files

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
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

// commandLine is what a container runs: its words, and the settings among the variables that scripts assign.
type commandLine struct {
	words    []word
	assigned []raw
}

// shell returns the words of the program that a command line runs, and the settings among the variables that scripts assign. For sh
// -c and the like the words are what the script runs, and the arguments after the script; for a shell of Windows they are the words
// after its name. Any other command line is returned as it is. depth is how many shells are around it; from maxShells on, no script
// is read.
func (e environment) shell(words []word, depth int) commandLine {
	for i, it := range words {
		name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(it.text, `\`, "/"))), ".exe")
		switch {
		case slices.Contains(windowsShells, name):
			var all []word
			for _, w := range words[i+1:] {
				all = append(all, fieldsOf(w)...)
			}
			return commandLine{words: all}
		case !slices.Contains(shells, name) || depth == maxShells:
			continue
		}
		if at := scriptOf(words[i+1:]); at >= 0 {
			line := e.script(words[i+1+at], depth)
			line.words = append(line.words, words[i+2+at:]...)
			return line
		}
	}
	return commandLine{words: words}
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

// telling are letters of which each name of a setting has some: of leader and lease, election, renewal, and retry.
var telling = []string{"lea", "elect", "renew", "retr"}

// script returns what all commands of a shell script run, and the settings among the variables that it assigns. It returns
// nothing if no name of a setting can be in the script, and the words at white space if the script is too long or cannot be
// parsed. depth is how many shells are around it.
func (e environment) script(it word, depth int) commandLine {
	text := normal(it.text)
	if !slices.ContainsFunc(telling, func(some string) bool { return strings.Contains(text, some) }) {
		return commandLine{}
	}
	if len(it.text) > maxScript {
		return commandLine{words: fieldsOf(it)}
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(it.text), "")
	if err != nil {
		// Only the words that no quotes or operators touch can be made out.
		return commandLine{words: fieldsOf(it)}
	}
	all, assigned := e.assignments(it, file)
	line := commandLine{assigned: assigned}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			var words []word
			for _, arg := range call.Args {
				for _, text := range all.split(it.text, arg.Parts) {
					words = append(words, word{text, it.line})
				}
			}
			inner := all.shell(words, depth+1)
			line.words = append(line.words, inner.words...)
			line.assigned = append(line.assigned, inner.assigned...)
		}
		return true
	})
	return line
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

// fieldsOf returns a word split at white space, each part on the line of the whole.
func fieldsOf(it word) []word {
	var words []word
	for s := range strings.FieldsSeq(it.text) {
		words = append(words, word{s, it.line})
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
