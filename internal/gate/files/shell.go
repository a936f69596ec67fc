package files

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
	commands []invocation
	parsed   bool
	unused   []word
}

// invocation is one command: its words. oneCase tells that a script runs it in a branch of an if or a case alone, and carriage that its script
// has the line ends of Windows.
type invocation struct {
	words             []word
	oneCase, carriage bool
	// changed has the variables that are not as the container has them.
	changed shellVars
	// provided are conditions under which these are its words, and doubts those under which the variables are as they are known.
	provided, doubts []string
}

// commandsOf returns the commands that a command line runs, and arguments that none of them uses. For sh -c and the like these are those of the script; for a shell of Windows, the
// words after its name, up to a comment. Any other command line is returned as it is. all are the variables that it gets.
func (all shellVars) commandsOf(words []word) (commands []invocation, unused []word) {
	line := all.shell(words, 0)
	return line.commands, line.unused
}

// file returns the commands of a script whose arguments are not known; none if it cannot be parsed. text stands for a command line of one script.
func file(text word) []invocation {
	if line := (shellVars{"@": {list: true}}).script(text, nil, 0); line.parsed {
		return line.commands
	}
	return nil
}

// line returns the commands of a command line that is one text.
func line(text word) []invocation { return shellVars{}.script(text, nil, 0).commands }

// joined returns one command that has the words of all of them, and their conditions.
func joined(commands []invocation) (one invocation) {
	for _, run := range commands {
		one.words = append(one.words, run.words...)
		one.provided, one.doubts = union(one.provided, run.provided), union(one.doubts, run.doubts)
		one.carriage = one.carriage || run.carriage
	}
	return one
}

// shell does what commandsOf does. depth is how many shells are around the command line; from maxShells on, no script is read.
func (all shellVars) shell(words []word, depth int) commandLine {
	for i, it := range words {
		name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(it.text, `\`, "/"))), ".exe")
		switch {
		case slices.Contains(windowsShells, name):
			var line []word
			for _, w := range words[i+1:] {
				line = append(line, fieldsOf(w)...)
			}
			if end := slices.IndexFunc(line, isComment); end >= 0 {
				line = line[:end]
			}
			return commandLine{commands: []invocation{{words: line, changed: all.changed()}}}
		case !slices.Contains(shells, name) || depth == maxShells:
			continue
		}
		if at := scriptOf(words[i+1:]); at >= 0 {
			return all.throughEnv(words[:i]).script(words[i+1+at], words[i+2+at:], depth)
		}
	}
	return commandLine{commands: []invocation{{words: words, changed: all.throughEnv(words).changed()}}}
}

// isComment tells whether a comment begins with a word of a shell of Windows.
func isComment(it word) bool { return it.text[0] == '#' || strings.EqualFold(it.text, "rem") }

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

// throughEnv returns the variables as words leave them, if these are the program env with its options and assignments.
func (all shellVars) throughEnv(words []word) shellVars {
	i := slices.IndexFunc(words, func(it word) bool { return path.Base(it.text) == "env" })
	if i < 0 || slices.ContainsFunc(words[:i], func(it word) bool { return !isWrapper(it.text) && !isFlag(it.text) }) {
		return all
	}
	all = maps.Clone(all)
	for i++; i < len(words); i++ {
		name, value, assigns := strings.Cut(words[i].text, "=")
		switch {
		case name == "-i" || name == "-" || name == "--ignore-environment":
			for name := range all {
				all[name] = shellVar{known: true}
			}
		case name == "--unset" && assigns:
			all[value] = shellVar{known: true}
		case name == "-u" || name == "--unset":
			i++
			all[words[min(i, len(words)-1)].text] = shellVar{known: true}
		case name == "-C" || name == "--chdir" && !assigns:
			i++
		case isFlag(name):
		case !assigns:
			return all
		default:
			all[name] = shellVar{words: []string{value}, known: true, exported: true, line: words[i].line}
		}
	}
	return all
}
