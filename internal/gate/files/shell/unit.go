package shell

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// command matches the beginning of a line with a command in a unit of systemd, or with flags in a file of variables such as
// KUBE_SCHEDULER_ARGS; commands finds such a line in a text. Groups are the name, and without its end the name of the program.
var (
	command  = regexp.MustCompile(`^(ExecStart|([A-Z][A-Z0-9_]*)_(?:ARGS|OPTS|OPTIONS|FLAGS))=[-@+!:|]*`)
	commands = regexp.MustCompile(`(?m)^(?:ExecStart[ \t]*=|[A-Z][A-Z0-9_]*_(?:ARGS|OPTS|OPTIONS|FLAGS)=["']?[ \\\n]*--?[a-z])`)
)

// setsOfUnit matches where a line of a unit begins that matters here, with the blanks that systemd takes.
var setsOfUnit = regexp.MustCompile(`(?m)^[ \t]*(ExecStart|(?:Unset)?Environment|EnvironmentFile)[ \t]*=[ \t]*`)

// IsUnit tells whether a text has a line that commands matches. It looks for the ends of names first, which takes less time.
func IsUnit(text []byte) bool {
	ends := func(end string) bool { return bytes.Contains(text, []byte(end)) }
	return slices.ContainsFunc([]string{"ExecStart", "_ARGS=", "_OPTS=", "_OPTIONS=", "_FLAGS="}, ends) && commands.Match(text)
}

// UnitCommand is a command of a unit, or the flags that a variable has: then Name is the variable, and Program what it is called without its end.
type UnitCommand struct {
	Command
	Name, Program string
	Line          int
	used          bool
}

// Unit returns the commands of a unit of systemd, those beside such in a script, and the variables with flags that none of these uses. before is
// how many lines of the file are before the text. starts tells whether the words of a line are a command with flags. spend tells whether n words
// may be put in place of a variable in a line.
func Unit(text []byte, before int, starts func(words []Word) bool, spend func(line, n int) bool) []UnitCommand {
	text = setsOfUnit.ReplaceAll(text, []byte("$1="))
	all := unitLines(text, before, starts)
	variables := map[string]*UnitCommand{}
	for i, one := range all {
		if one.Program != "" {
			variables[one.Name] = &all[i]
		}
	}
	env, files := unitEnvironment(text)
	for i, one := range all {
		if one.Program == "" {
			all[i].Words = spliced(one.Words, variables, spend)
		}
	}
	all = slices.DeleteFunc(all, func(one UnitCommand) bool { return one.used })
	for i := range all {
		all[i].put(env, files)
	}
	return all
}

var (
	// assignments match what Environment= and UnsetEnvironment= of a unit have, and assigned each variable there, perhaps in quotes.
	assignments = regexp.MustCompile(`(?m)^(Unset)?Environment=(.*)$`)
	assigned    = regexp.MustCompile(`"(\w+)=([^"]*)"|'(\w+)=([^']*)'|(\w+)=(\S*)`)
	// otherFiles is a line of a unit whose file may assign all variables again, and braced a variable in a word.
	otherFiles = regexp.MustCompile(`(?m)^EnvironmentFile=.`)
	braced     = regexp.MustCompile(`\$\{(\w+)\}`)
)

// unitEnvironment returns the variables that a unit of systemd assigns. files tells that files may assign them again. An empty Environment= takes
// away what stands before it, and UnsetEnvironment= what stands anywhere.
func unitEnvironment(text []byte) (env map[string]string, files bool) {
	env = map[string]string{}
	var unset []string
	for _, line := range assignments.FindAllSubmatch(bytes.ReplaceAll(text, []byte("\\\n"), []byte(" ")), -1) {
		what := string(line[2])
		switch {
		case len(line[1]) > 0:
			unset = append(unset, strings.FieldsFunc(what, func(r rune) bool { return strings.ContainsRune(" \t\r\"'", r) })...)
			continue
		case strings.TrimSpace(what) == "":
			clear(env)
		}
		for _, m := range assigned.FindAllStringSubmatch(what, -1) {
			env[m[1]+m[3]+m[5]] = m[2] + m[4] + m[6]
		}
	}
	for _, name := range unset {
		delete(env, name)
	}
	return env, otherFiles.Match(text)
}

// put puts the values of variables into the command as systemd does: for ${NAME} in a word, and for $NAME as a word, which is split. files tells that
// files may assign them, which is a condition.
func (c *UnitCommand) put(env map[string]string, files bool) {
	before := c.Words
	c.Words = nil
	for _, it := range before {
		name, alone := strings.CutPrefix(it.Text, "$")
		value, known := env[name]
		text := braced.ReplaceAllStringFunc(it.Text, func(s string) string {
			if value, known := env[s[2:len(s)-1]]; known {
				return value
			}
			return s
		})
		if files && (text != it.Text || alone && known) {
			c.Provided = append(c.Provided, "the files of EnvironmentFile leave "+inCondition(it.Text)+" as it is")
		}
		if alone && known {
			c.Words = append(c.Words, Fields(Word{Text: value, Line: it.Line})...)
		} else {
			c.Words = append(c.Words, Word{Text: text, Line: it.Line})
		}
	}
}

// unitLines returns the commands and the flags of variables in a text. A backslash at the end of a line continues it.
func unitLines(data []byte, before int, starts func(words []Word) bool) (all []UnitCommand) {
	const continues = "\v"
	line := before + 1
	for text := range strings.SplitSeq(strings.ReplaceAll(string(data), "\\\n", continues), "\n") {
		one := UnitCommand{}
		part := command.FindStringSubmatch(text)
		if part != nil {
			text, one.Name, one.Program = text[len(part[0]):], part[1], part[2]
		}
		for segment := range strings.SplitSeq(text, continues) {
			for s := range strings.FieldsSeq(segment) {
				if s = strings.Trim(s, `"'`); s != "" {
					one.Words = append(one.Words, Word{Text: s, Line: line})
				}
			}
			line++
		}
		if len(one.Words) > 0 && (part != nil || startsCommand(one.Words[0].Text) && starts(one.Words)) {
			one.Line = one.Words[0].Line
			all = append(all, one)
		}
	}
	return all
}

// startsCommand tells whether a line that begins with a word is neither a comment nor an assignment, nor flags alone.
func startsCommand(first string) bool {
	return first[0] != '#' && !strings.Contains(first, "=") && !IsFlag(first)
}

// spliced returns the words with each $NAME or ${NAME} of a known variable replaced by its words, as long as spend lets it; it marks that variable
// as used.
func spliced(words []Word, variables map[string]*UnitCommand, spend func(line, n int) bool) (all []Word) {
	for _, it := range words {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(it.Text, "$"), "{"), "}")
		if v := variables[name]; v != nil && strings.HasPrefix(it.Text, "$") && spend(it.Line, len(v.Words)) {
			v.used = true
			all = append(all, v.Words...)
		} else {
			all = append(all, it)
		}
	}
	return all
}
