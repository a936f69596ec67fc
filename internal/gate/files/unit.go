package files

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
	commands = regexp.MustCompile(`(?m)^(?:ExecStart=|[A-Z][A-Z0-9_]*_(?:ARGS|OPTS|OPTIONS|FLAGS)=["']?[ \\\n]*--?[a-z])`)
)

// hasCommands tells whether a text has a line that commands matches. It looks for the ends of names first, which takes less time.
func hasCommands(text []byte) bool {
	ends := func(end string) bool { return bytes.Contains(text, []byte(end)) }
	return slices.ContainsFunc([]string{"ExecStart=", "_ARGS=", "_OPTS=", "_OPTIONS=", "_FLAGS="}, ends) && commands.Match(text)
}

// unitCommand is a command of a unit, or the flags that a variable has: then name is the variable, and program what it is called without its end.
type unitCommand struct {
	invocation
	name, program string
	line          int
	used          bool
}

// commandsInUnit returns the commands of a unit of systemd, of commands beside such in a script, and variables with flags that none of these uses. before is how
// many lines of the file are before the text. starts tells whether the words of a line are a command with flags. spend tells whether n words may
// be put in place of a variable in a line.
func commandsInUnit(text []byte, before int, starts func(words []word) bool, spend func(line, n int) bool) []unitCommand {
	all := unitLines(text, before, starts)
	variables := map[string]*unitCommand{}
	for i, one := range all {
		if one.program != "" {
			variables[one.name] = &all[i]
		}
	}
	env, files := unitEnvironment(text)
	for i, one := range all {
		if one.program == "" {
			all[i].words = spliced(one.words, variables, spend)
		}
	}
	all = slices.DeleteFunc(all, func(one unitCommand) bool { return one.used })
	for i := range all {
		all[i].put(env, files)
	}
	return all
}

var (
	// assignments match what Environment= of a unit has, and assigned each variable there, perhaps in quotes.
	assignments = regexp.MustCompile(`(?m)^Environment=(.*)$`)
	assigned    = regexp.MustCompile(`"(\w+)=([^"]*)"|'(\w+)=([^']*)'|(\w+)=(\S*)`)
	// otherFiles is a line of a unit whose file may assign all variables again, and braced a variable in a word.
	otherFiles = regexp.MustCompile(`(?m)^EnvironmentFile=.`)
	braced     = regexp.MustCompile(`\$\{(\w+)\}`)
)

// unitEnvironment returns the variables that a unit of systemd assigns. files tells that files may assign them again.
func unitEnvironment(text []byte) (env map[string]string, files bool) {
	env = map[string]string{}
	for _, line := range assignments.FindAllSubmatch(text, -1) {
		for _, m := range assigned.FindAllStringSubmatch(string(line[1]), -1) {
			env[m[1]+m[3]+m[5]] = m[2] + m[4] + m[6]
		}
	}
	return env, otherFiles.Match(text)
}

// put puts the values of variables into the command as systemd does: for ${NAME} in a word, and for $NAME as a word, which is split. files tells that
// files may assign them, which is a condition.
func (c *unitCommand) put(env map[string]string, files bool) {
	before := c.words
	c.words = nil
	for _, it := range before {
		name, alone := strings.CutPrefix(it.text, "$")
		value, known := env[name]
		text := braced.ReplaceAllStringFunc(it.text, func(s string) string {
			if value, known := env[s[2:len(s)-1]]; known {
				return value
			}
			return s
		})
		if files && (text != it.text || alone && known) {
			c.provided = append(c.provided, "the files of EnvironmentFile leave "+inCondition(it.text)+" as it is")
		}
		if alone && known {
			c.words = append(c.words, fieldsOf(word{text: value, line: it.line})...)
		} else {
			c.words = append(c.words, word{text: text, line: it.line})
		}
	}
}

// unitLines returns the commands and the flags of variables in a text. A backslash at the end of a line continues it.
func unitLines(data []byte, before int, starts func(words []word) bool) (all []unitCommand) {
	const continues = "\v"
	line := before + 1
	for text := range strings.SplitSeq(strings.ReplaceAll(string(data), "\\\n", continues), "\n") {
		one := unitCommand{}
		part := command.FindStringSubmatch(text)
		if part != nil {
			text, one.name, one.program = text[len(part[0]):], part[1], part[2]
		}
		for segment := range strings.SplitSeq(text, continues) {
			for s := range strings.FieldsSeq(segment) {
				if s = strings.Trim(s, `"'`); s != "" {
					one.words = append(one.words, word{text: s, line: line})
				}
			}
			line++
		}
		if len(one.words) > 0 && (part != nil || startsCommand(one.words[0].text) && starts(one.words)) {
			one.line = one.words[0].line
			all = append(all, one)
		}
	}
	return all
}

// startsCommand tells whether a line that begins with a word is neither a comment nor an assignment, nor flags alone.
func startsCommand(first string) bool {
	return first[0] != '#' && !strings.Contains(first, "=") && !isFlag(first)
}

// spliced returns the words with each $NAME or ${NAME} of a known variable replaced by its words, as long as spend lets it; it marks that variable
// as used.
func spliced(words []word, variables map[string]*unitCommand, spend func(line, n int) bool) (all []word) {
	for _, it := range words {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(it.text, "$"), "{"), "}")
		if v := variables[name]; v != nil && strings.HasPrefix(it.text, "$") && spend(it.line, len(v.words)) {
			v.used = true
			all = append(all, v.words...)
		} else {
			all = append(all, it)
		}
	}
	return all
}
