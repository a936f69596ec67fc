package files

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
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

// unitLine is a command, or the flags that a variable has: then name is the variable, and program what it is called without its end.
type unitLine struct {
	name, program string
	words         []word
	used          bool
}

// unit reads each command of a unit of systemd, each command beside such in a script, and each variable with flags that none of these
// uses, into a candidate, and settles those that have settings or whose program always elects.
func (w *walker) unit(data []byte) {
	all := w.unitLines(data)
	variables := map[string]*unitLine{}
	for _, line := range all {
		if line.program != "" {
			variables[line.name] = line
		}
	}
	env, files := unitEnvironment(data)
	for _, line := range all {
		if line.program == "" {
			line.words = w.spliced(line.words, variables)
		}
	}
	for _, line := range all {
		if !line.used {
			run := env.inUnit(line.words, files)
			w.command(w.candidate(phrase.Clip(line.name), line.words[0].line-w.base), line.program, run)
		}
	}
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
func unitEnvironment(data []byte) (env environment, files bool) {
	env = environment{}
	for _, line := range assignments.FindAllSubmatch(data, -1) {
		for _, m := range assigned.FindAllStringSubmatch(string(line[1]), -1) {
			env[m[1]+m[3]+m[5]] = m[2] + m[4] + m[6]
		}
	}
	return env, otherFiles.Match(data)
}

// inUnit returns a command with its variables replaced as systemd does: ${NAME} in a word, and $NAME as a word, which is split. files tells that
// files may assign them, which is a condition.
func (e environment) inUnit(words []word, files bool) (run invocation) {
	for _, it := range words {
		name, alone := strings.CutPrefix(it.text, "$")
		value, known := e[name]
		text := braced.ReplaceAllStringFunc(it.text, func(s string) string {
			if value, known := e[s[2:len(s)-1]]; known {
				return value
			}
			return s
		})
		if files && (text != it.text || alone && known) {
			run.provided = union(run.provided, []string{"the files of EnvironmentFile leave " + clipped(it.text) + " as it is"})
		}
		if alone && known {
			run.words = append(run.words, fieldsOf(word{text: value, line: it.line})...)
		} else {
			run.words = append(run.words, word{text: text, line: it.line})
		}
	}
	return run
}

// unitLines returns the commands and the flags of variables in a text. A backslash at the end of a line continues it.
func (w *walker) unitLines(data []byte) (all []*unitLine) {
	const continues = "\v"
	line := 1
	for text := range strings.SplitSeq(strings.ReplaceAll(string(data), "\\\n", continues), "\n") {
		one := &unitLine{}
		part := command.FindStringSubmatch(text)
		if part != nil {
			text, one.name, one.program = text[len(part[0]):], part[1], part[2]
		}
		for segment := range strings.SplitSeq(text, continues) {
			for s := range strings.FieldsSeq(segment) {
				if s = strings.Trim(s, `"'`); s != "" {
					one.words = append(one.words, word{text: s, line: w.base + line})
				}
			}
			line++
		}
		if len(one.words) > 0 && (part != nil || startsCommand(one.words)) {
			all = append(all, one)
		}
	}
	return all
}

// startsCommand tells whether the words of a line are a command with flags, and neither a comment nor an assignment.
func startsCommand(words []word) bool {
	first := words[0].text
	return first[0] != '#' && !strings.Contains(first, "=") && !isFlag(first) && isCommandLine(texts(words))
}

// spliced returns the words with each $NAME or ${NAME} of a known variable replaced by its words, up to the walker's limit of values; it
// marks that variable as used.
func (w *walker) spliced(words []word, variables map[string]*unitLine) (all []word) {
	for _, it := range words {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(it.text, "$"), "{"), "}")
		if v := variables[name]; v != nil && strings.HasPrefix(it.text, "$") && w.spend(&yaml.Node{Line: it.line - w.base}, len(v.words)) {
			v.used = true
			all = append(all, v.words...)
		} else {
			all = append(all, it)
		}
	}
	return all
}

// texts returns the words without their lines.
func texts(words []word) (all []string) {
	for _, it := range words {
		all = append(all, it.text)
	}
	return all
}

// command reads a command, or flags alone, into candidate c, and settles it if it has settings or its program always elects. name is what a
// variable with the flags is called, "" for a command, whose first words name the program.
func (w *walker) command(c *candidate, name string, run invocation) {
	if c.program = programNamed(c.image, name); c.program == nil && name == "" {
		c.program = programStarted(run.words)
	}
	w.startedWith(c, nil, run)
	w.flags(c, run.words)
	w.passedOn(c, run.words)
	if c.program != nil {
		c.component = c.program.Name
		if c.program.always {
			c.addMention()
		}
	}
	if before := len(w.found); len(c.raws) > 0 {
		if w.settle(c); len(w.found) > before {
			w.unknownFlags(c, run)
		}
	}
}
