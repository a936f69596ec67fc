package unread

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"

	"go.yaml.in/yaml/v3"
)

// Readings count how often settings were read in a document: by their names, as setting.Normal has them, and the lines in the file. A name with
// = and a value is in it, too.
type Readings map[string]map[int]int

// Add counts that a setting was read once more, with that value as text.
func (r Readings) Add(name, text string, line int) {
	r.count(setting.Normal(name), line, 1)
	r.count(setting.Normal(name)+"="+text, line, 1)
}

func (r Readings) count(key string, line, n int) {
	if r[key] == nil {
		r[key] = map[int]int{}
	}
	r[key][line] += n
}

// AddAll adds other to r, all on one line if that is not 0.
func (r Readings) AddAll(other Readings, line int) {
	for key, lines := range other {
		for of, n := range lines {
			r.count(key, cmp.Or(line, of), n)
		}
	}
}

// mostFlags is how many lines a text of flags may have for each to be found, since all may have been read in its first line.
const mostFlags = 200

// take takes away one reading of that name, as setting.Normal has it, in the line or else in one before it, from first on. It returns false if
// there is none.
func (r Readings) take(name string, first, line int) bool {
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

// name is a name in a document that is perhaps that of a setting, its line, and its value as text, "" where that is not known.
type name struct {
	name, text string
	line       int
}

// leftOver collects the settings in a document that were not read where they stand: the first one that surely is about leader election,
// and the first of each other name. deadline: a renew deadline is among these. base is how many lines of the file are before the document.
type leftOver struct {
	read     Readings
	base     int
	certain  *name
	bare     []name
	deadline bool
}

// Left returns the first timing of leader election in a document that was not read there, and its line in the file; "" if there is none. Names
// that may be about anything count if a renew deadline is among them. read is what was read in the document, before which there are base lines.
// root is the document parsed, nil for no YAML.
func Left(text []byte, root *yaml.Node, base int, read Readings) (setting string, line int) {
	l := leftOver{read: read, base: base}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if at := computed.FindIndex(line); at != nil {
			l.text(&yaml.Node{Value: string(line[at[0]:]), Line: n}, 0)
		}
	}
	whole := &yaml.Node{Style: yaml.LiteralStyle, Value: string(text)}
	switch {
	case root == nil:
		l.text(whole, 0)
	case root.Kind == yaml.ScalarNode:
		l.text(whole, root.Line)
	default:
		l.in(root, 0)
	}
	switch {
	case l.certain != nil:
		return l.certain.name, l.certain.line
	case l.deadline:
		return l.bare[0].name, l.bare[0].line
	}
	return "", 0
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
		if key := n.Content[i].Value; key == "value" || key == "valueFrom" {
			value = n.Content[i].Line
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		switch {
		case key.Value == applied, key.Value == "managedFields", IsSchemaField(key.Value, v), v.ShortTag() == "!!null" && v.Kind == yaml.ScalarNode:
			continue
		case key.Value == "key" && value == 0 && v.Kind == yaml.ScalarNode && timingName.FindString(v.Value) == v.Value:
			continue
		}
		if found := timingName.FindString(key.Value); found != "" {
			l.add(name{name: found, line: key.Line}, key.Line, 0)
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
		r := name{name: text[at[0]:at[1]], line: n.Line}
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
	if value == "" || shell.IsFlag(value) {
		return "true"
	}
	return value
}

// add adds setting r, whose line is one of the document, unless it is no timing, or was read there or in a line from first on. The flags in
// a variable are read where that is used: with the value r.text, if that is not "", it counts as read in any line. In beside there may be
// another line in which it may have been read, 0 for none.
func (l *leftOver) add(r name, first, beside int) {
	s := setting.Of(r.name)
	turns := (s.Key == setting.Enable || s.Key == setting.Disable) && strings.HasPrefix(r.name, "--")
	if l.certain != nil || s.Key == setting.None || s.Key > setting.RetryPeriod && !turns {
		return
	}
	read, plain := l.read, setting.Normal(r.name)
	r.line += l.base
	switch {
	case slices.ContainsFunc(l.bare, func(before name) bool { return setting.Normal(before.name) == plain }):
	case read.take(plain, l.base+first, r.line), beside > 0 && read.take(plain, l.base+beside, l.base+beside):
	case r.text != "" && read[plain+"="+r.text] != nil:
	case s.Certain:
		l.certain = &r
	default:
		l.bare = append(l.bare, r)
		l.deadline = l.deadline || s.Key == setting.RenewDeadline
	}
}
