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

// readings counts how often settings were read, by their names, as normal has them, and their lines in the file.
type readings map[string]map[int]int

// add counts that the setting of that name and line was read n times.
func (r readings) add(name string, line, n int) {
	name = normal(name)
	if r[name] == nil {
		r[name] = map[int]int{}
	}
	r[name][line] += n
}

// addAll adds the counts of other to r, on one line if that is not 0.
func (r readings) addAll(other readings, line int) {
	for name, lines := range other {
		for of, n := range lines {
			r.add(name, cmp.Or(line, of), n)
		}
	}
}

// take takes away one reading of that name in the line, or else in the last line before it that is not before first. It returns false
// if there is none.
func (r readings) take(name string, first, line int) bool {
	lines, at := r[normal(name)], 0
	if lines[line] > 0 {
		at = line
	} else {
		for l := range lines {
			if first <= l && l < line {
				at = max(at, l)
			}
		}
	}
	if at == 0 {
		return false
	}
	if lines[at]--; lines[at] == 0 {
		delete(lines, at)
	}
	return true
}

// timingName is a name that may be one of a timing of leader election, or a flag that may turn one on.
var timingName = regexp.MustCompile(`(?i)[\w.-]*(?:lease[-_.]?duration|renew[-_.]?(?:deadline|duration)|retry[-_.]?period)[\w-]*|--[\w-]*leader-?elect[\w-]*`)

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

// fields adds to l what the names and values of a mapping name and was not read.
func (l *leftOver) fields(n *yaml.Node) {
	value := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		if name := n.Content[i].Value; name == "value" || name == "valueFrom" {
			value = n.Content[i].Line
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, v := n.Content[i], n.Content[i+1]
		if name.Value == applied || isSchemaField(name.Value, v) || v.ShortTag() == "!!null" && v.Kind == yaml.ScalarNode {
			continue
		}
		if found := timingName.FindString(name.Value); found != "" {
			l.add(found, name.Line, name.Line, 0)
		}
		l.in(v, value)
	}
}

// text adds to l what a text names and was not read. It leaves out references to variables, and a name alone, unless the field in line
// beside has its value.
func (l *leftOver) text(n *yaml.Node, beside int) {
	text := comment.ReplaceAll([]byte(n.Value), nil)
	for _, at := range timingName.FindAllIndex(text, -1) {
		name, before := string(text[at[0]:at[1]]), string(bytes.TrimRight(text[:at[0]], "({"))
		whole := len(bytes.TrimSpace(text)) == len(name)
		if strings.HasSuffix(before, "$") || whole && beside == 0 && name[0] != '-' {
			continue
		}
		line := n.Line
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line += 1 + bytes.Count(text[:at[0]], []byte("\n"))
		}
		l.add(name, n.Line, line, beside)
	}
}

// add adds a setting of that name, which stands in a line of the document, unless it is no timing, or was read there or in a line from first on. In beside
// there may be another line in which it may have been read, 0 for none.
func (l *leftOver) add(name string, first, line, beside int) {
	s := settingOf(name)
	turns := (s.key == enable || s.key == disable) && strings.HasPrefix(name, "--")
	if l.certain != nil || s.key == noKey || s.key > retryPeriod && !turns {
		return
	}
	base := l.w.base
	r := raw{name: name, line: base + line}
	switch {
	case slices.ContainsFunc(l.bare, func(before raw) bool { return normal(before.name) == normal(name) }):
	case l.w.read.take(name, base+first, base+line), beside > 0 && l.w.read.take(name, base+beside, base+beside):
	case s.certain:
		l.certain = &r
	default:
		l.bare = append(l.bare, r)
		l.deadline = l.deadline || s.key == renewDeadline
	}
}
