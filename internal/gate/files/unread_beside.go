package files

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// readings count how often settings were read in a document: by their names, as normal has them, and the lines in the file. A name with
// = and a value is in it, too.
type readings map[string]map[int]int

// add counts that the setting was read once more.
func (r readings) add(s raw) {
	r.count(normal(s.name), s.line, 1)
	r.count(normal(s.name)+"="+s.text, s.line, 1)
}

func (r readings) count(key string, line, n int) {
	if r[key] == nil {
		r[key] = map[int]int{}
	}
	r[key][line] += n
}

// addAll adds other to r, all on one line if that is not 0.
func (r readings) addAll(other readings, line int) {
	for key, lines := range other {
		for of, n := range lines {
			r.count(key, cmp.Or(line, of), n)
		}
	}
}

// mostFlags is how many lines a text of flags may have for each to be found, since all may have been read in its first line.
const mostFlags = 200

// take takes away one reading of that name, as normal has it, in the line or else in one before it, from first on. It returns false if
// there is none.
func (r readings) take(name string, first, line int) bool {
	for at := line; at >= max(first, line-mostFlags); at-- {
		if r[name][at] > 0 {
			r[name][at]--
			return true
		}
	}
	return false
}

// timingName is a name that may be one of a timing of leader election, or a flag that may turn one on.
var timingName = regexp.MustCompile(`(?i)[\w.-]*(?:lease[-_.]?duration|renew[-_.]?(?:deadline|duration)|retry[-_.]?period)[\w-]*|--[\w-]*leader-?elect[\w-]*`)

// computed is in a line with a value that ytt computes, which is a comment to YAML.
var computed = regexp.MustCompile(`[-:][ \t]+#@`)

// applied is the annotation with kubectl's copy of an object.
const applied = "kubectl.kubernetes.io/last-applied-configuration"

// leftOver collects the settings in a document that were not read where they stand: the first one that surely is about leader election,
// and the first of each other name. deadline: a renew deadline is among these.
type leftOver struct {
	w        *walker
	certain  *raw
	bare     []raw
	deadline bool
}

// unreadBeside adds a note for the first timing of leader election in document d that was not read there. Names that may be about
// anything count if a renew deadline is among them. Other settings of the document were read, or have notes. root is d parsed, nil for
// no YAML.
func (w *walker) unreadBeside(d document, root *yaml.Node) {
	l := leftOver{w: w}
	n := 0
	for line := range bytes.Lines(d.text) {
		n++
		if at := computed.FindIndex(line); at != nil {
			l.text(&yaml.Node{Value: string(line[at[0]:]), Line: n}, 0)
		}
	}
	whole := &yaml.Node{Style: yaml.LiteralStyle, Value: string(d.text)}
	switch {
	case root == nil:
		l.text(whole, 0)
	case root.Kind == yaml.ScalarNode:
		l.text(whole, root.Line)
	default:
		l.in(root, 0)
	}
	if l.certain == nil && l.deadline {
		l.certain = &l.bare[0]
	}
	if r := l.certain; r != nil {
		w.note(w.pos.at(r.line), Unread, phrase.Clip(r.name)+" is mentioned, and was not read as a setting; "+
			"docs/gate-files.md has the forms that are read")
	}
}

// in adds to l what the value n names and was not read. In beside there may be the line of the field that has the value of a name, 0 for
// none.
func (l *leftOver) in(n *yaml.Node, beside int) {
	switch n.Kind {
	case yaml.ScalarNode:
		l.text(n, beside)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			l.in(item, 0)
		}
	case yaml.MappingNode:
		l.fields(n)
	}
}

// fields adds to l what the names and values of a mapping name and was not read. A key alone, as in a configMapKeyRef, sets nothing.
func (l *leftOver) fields(n *yaml.Node) {
	value := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if name := n.Content[i].Value; name == "value" || name == "valueFrom" {
			value = n.Content[i].Line
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, v := n.Content[i], n.Content[i+1]
		switch {
		case name.Value == applied, name.Value == "managedFields", isSchemaField(name.Value, v), v.ShortTag() == "!!null" && v.Kind == yaml.ScalarNode:
			continue
		case name.Value == "key" && value == 0 && v.Kind == yaml.ScalarNode && timingName.FindString(v.Value) == v.Value:
			continue
		}
		if found := timingName.FindString(name.Value); found != "" {
			l.add(raw{name: found, line: name.Line}, name.Line, 0)
		}
		l.in(v, value)
	}
}

// text adds to l what a text names and was not read. It leaves out references to variables. The field in line beside, if that is not 0, has
// the value of what is named.
func (l *leftOver) text(n *yaml.Node, beside int) {
	text := comment.ReplaceAllString(n.Value, "")
	start, lines, done := 0, 0, 0 // where the line in hand starts, how many are before it, and what was counted
	for _, at := range timingName.FindAllStringIndex(text, -1) {
		part := text[done:at[0]]
		if i := strings.LastIndex(part, "\n"); i >= 0 {
			start, lines = done+i+1, lines+strings.Count(part, "\n")
		}
		done = at[0]
		if strings.HasSuffix(strings.TrimRight(part, "({"), "$") {
			continue
		}
		r := raw{name: text[at[0]:at[1]], line: n.Line}
		if beside > 0 || assigning.MatchString(text[start:at[0]]) {
			r.text = valueIn(text[at[1]:])
		}
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			r.line += 1 + lines
		}
		l.add(r, n.Line, beside)
	}
}

// assigning begins a line in which a variable is assigned.
var assigning = regexp.MustCompile(`^[ \t]*(?:export[ \t]+)?\w+=`)

// valueIn returns the value that a text begins with after the name of a setting. A flag that another one follows is true.
func valueIn(text string) string {
	value := strings.TrimLeft(text, "=: ")
	if end := strings.IndexAny(value, " \t\n\"')"); end >= 0 {
		value = value[:end]
	}
	if value == "" || isFlag(value) {
		return "true"
	}
	return value
}

// add adds setting r, whose line is one of the document, unless it is no timing, or was read there or in a line from first on. The flags in
// a variable are read where that is used: with the value r.text, if that is not "", it counts as read in any line. In beside there may be
// another line in which it may have been read, 0 for none.
func (l *leftOver) add(r raw, first, beside int) {
	s := settingOf(r.name)
	turns := (s.key == enable || s.key == disable) && strings.HasPrefix(r.name, "--")
	if l.certain != nil || s.key == noKey || s.key > retryPeriod && !turns {
		return
	}
	read, name, base := l.w.read, normal(r.name), l.w.base
	r.line += base
	switch {
	case slices.ContainsFunc(l.bare, func(before raw) bool { return normal(before.name) == name }):
	case read.take(name, base+first, r.line), beside > 0 && read.take(name, base+beside, base+beside):
	case r.text != "" && read[name+"="+r.text] != nil:
	case s.certain:
		l.certain = &r
	default:
		l.bare = append(l.bare, r)
		l.deadline = l.deadline || s.key == renewDeadline
	}
}
