package files

import (
	"path"
	"regexp"
	"strings"

	"interregnum/internal/phrase"
)

// command matches the beginning of a line with a command in a unit of systemd, or with flags in a file of variables such as
// KUBE_SCHEDULER_ARGS; commands finds such a line in a text. Groups are the name, and without its end the name of the program.
var (
	command  = regexp.MustCompile(`^(ExecStart|([A-Z][A-Z0-9_]*)_(?:ARGS|OPTS|OPTIONS|FLAGS))=[-@+!:|]*`)
	commands = regexp.MustCompile(`(?m)^(?:ExecStart=|[A-Z][A-Z0-9_]*_(?:ARGS|OPTS|OPTIONS|FLAGS)=["']?[ \\\n]*--?[a-z])`)
)

// unit reads each command of a unit of systemd, and each variable with flags in a file of variables, into a candidate, and settles those
// that have settings or whose program always elects. A backslash at the end of a line continues it.
func (w *walker) unit(data []byte) {
	const continues = "\v"
	line := 1
	for text := range strings.SplitSeq(strings.ReplaceAll(string(data), "\\\n", continues), "\n") {
		part := command.FindStringSubmatch(text)
		var words []word
		c := w.candidate("", line)
		if part != nil {
			text = text[len(part[0]):]
			c.pos.Part = phrase.Clip(part[1])
		}
		for segment := range strings.SplitSeq(text, continues) {
			for s := range strings.FieldsSeq(segment) {
				if s = strings.Trim(s, `"'`); s != "" {
					words = append(words, word{s, w.base + line})
				}
			}
			line++
		}
		if part != nil && len(words) > 0 {
			w.command(c, part[2], words)
		}
	}
}

// command reads a command line, or flags alone, into candidate c, and settles it if it has settings or its program always elects. name is
// what a variable with the flags is called, "" for a command line, whose first words name the program.
func (w *walker) command(c *candidate, name string, words []word) {
	c.program = programNamed("", name)
	for _, it := range words[:min(2, len(words))] { // a program may be the argument of another: hyperkube kube-scheduler
		if c.program == nil && name == "" && !isFlag(it.text) {
			c.program = programNamed("", path.Base(it.text))
		}
	}
	w.flags(c, words)
	w.passedOn(c, words)
	if c.program != nil {
		c.component = c.program.Name
		if c.program.always {
			c.raws = append(c.raws, raw{setting: setting{key: mention, certain: true}})
		}
	}
	if before := len(w.found); len(c.raws) > 0 {
		if w.settle(c); len(w.found) > before && !c.setsAll() {
			w.unknownFlags(c, words)
		}
	}
}
