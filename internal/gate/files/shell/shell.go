// Package shell runs scripts, command lines and units of systemd without their commands: it tells which commands these run, with which words and
// variables. What only the shell can tell is not known, or a condition.
package shell

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxShells is how many shells may be started by one another's scripts.
const maxShells = 4

var (
	shells = []string{"sh", "bash", "ash", "dash", "zsh", "ksh"}
	// windowsShells take a command line after /c, -c or -Command, whose words are read without their syntax.
	windowsShells = []string{"cmd", "powershell", "pwsh"}
)

// commandLine is what a container runs: its commands. parsed tells that it is a script that could be parsed. unused are arguments after a script
// that does not use them.
type commandLine struct {
	commands []Command
	parsed   bool
	unused   []Word
}

// Command is one command: its words. OneCase tells that a script runs it in a branch of an if or a case alone, and Carriage that its script
// has the line ends of Windows.
type Command struct {
	Words             []Word
	OneCase, Carriage bool
	// Changed has the variables that are not as the container has them.
	Changed Variables
	// Provided are conditions under which these are its words, and Doubts those under which the variables are as they are known.
	Provided, Doubts []string
}

// Commands returns the commands that a command line runs, and arguments that none of them uses. For sh -c and the like these are those of the
// script; for a shell of Windows, the words after its name, up to a comment. Any other command line is returned as it is. all are the variables
// that it gets.
func (all Variables) Commands(words []Word) (commands []Command, unused []Word) {
	line := all.shell(words, 0)
	return line.commands, line.unused
}

// File returns the commands of a script whose arguments are not known; none if it cannot be parsed. text stands for a command line of one script.
func File(text Word) []Command {
	if line := (Variables{"@": {list: true}}).script(text, nil, 0); line.parsed {
		return line.commands
	}
	return nil
}

// Text returns the commands of a command line that is one text.
func Text(text Word) []Command { return Variables{}.script(text, nil, 0).commands }

// Joined returns one command that has the words of all of them, and their conditions.
func Joined(commands []Command) (one Command) {
	for _, run := range commands {
		one.Words = append(one.Words, run.Words...)
		one.Provided, one.Doubts = union(one.Provided, run.Provided), union(one.Doubts, run.Doubts)
		one.Carriage = one.Carriage || run.Carriage
	}
	return one
}

// shell does what commandsOf does. depth is how many shells are around the command line; from maxShells on, no script is read.
func (all Variables) shell(words []Word, depth int) commandLine {
	for i, it := range words {
		name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(it.Text, `\`, "/"))), ".exe")
		switch {
		case slices.Contains(windowsShells, name):
			var line []Word
			for _, w := range words[i+1:] {
				line = append(line, Fields(w)...)
			}
			if end := slices.IndexFunc(line, isComment); end >= 0 {
				line = line[:end]
			}
			return commandLine{commands: []Command{{Words: line, Changed: all.changed()}}}
		case !slices.Contains(shells, name) || depth == maxShells:
			continue
		}
		if at := scriptOf(words[i+1:]); at >= 0 {
			return all.throughEnv(words[:i]).script(words[i+1+at], words[i+2+at:], depth)
		}
	}
	return commandLine{commands: []Command{{Words: words, Changed: all.throughEnv(words).changed()}}}
}

// isComment tells whether a comment begins with a word of a shell of Windows.
func isComment(it Word) bool { return it.Text[0] == '#' || strings.EqualFold(it.Text, "rem") }

// scriptOf returns the index of the script among a shell's arguments, which follows -c; -1 where there is none.
func scriptOf(arguments []Word) int {
	given := false
	for i := 0; i < len(arguments); i++ {
		text := arguments[i].Text
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

// throughEnv returns the variables as words leave them, if these are the program env with its options and assignments.
func (all Variables) throughEnv(words []Word) Variables {
	i := slices.IndexFunc(words, func(it Word) bool { return path.Base(it.Text) == "env" })
	if i < 0 || slices.ContainsFunc(words[:i], func(it Word) bool { return !IsWrapper(it.Text) && !IsFlag(it.Text) }) {
		return all
	}
	all = maps.Clone(all)
	for i++; i < len(words); i++ {
		name, value, assigns := strings.Cut(words[i].Text, "=")
		switch {
		case name == "-i" || name == "-" || name == "--ignore-environment":
			for name := range all {
				all[name] = Variable{Known: true}
			}
		case name == "--unset" && assigns:
			all[value] = Variable{Known: true}
		case name == "-u" || name == "--unset":
			i++
			all[words[min(i, len(words)-1)].Text] = Variable{Known: true}
		case name == "-C" || name == "--chdir" && !assigns:
			i++
		case IsFlag(name):
		case !assigns:
			return all
		default:
			all[name] = Variable{words: []string{value}, Known: true, Exported: true, Line: words[i].Line}
		}
	}
	return all
}
