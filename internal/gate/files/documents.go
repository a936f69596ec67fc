package files

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/gate/files/unread"
	"interregnum/internal/phrase"
)

// maxNested is how many ConfigMaps may be inside one another.
const maxNested = 3

// documentKey is a key whose value is meant to be YAML or JSON.
var documentKey = regexp.MustCompile(`\.(ya?ml|json)$`)

// maxDocuments in one file; each costs some microseconds, whatever is in it.
const maxDocuments = 100_000

// documents reads a stream of YAML documents into w. before is how many lines of the file come before the stream. A document that
// cannot be parsed is reported as a problem, unless it is a chart's template in a folder that does not mention leader election,
// and the next one is read; more than maxDocuments are a problem, and none is read. If the root of a document that is not in a
// ConfigMap looks like a scenario, the whole stream is read as one scenario.
func (w *walker) documents(data []byte, before int) {
	all := tree.Split(data)
	if len(all) > maxDocuments {
		text := fmt.Sprintf("more than %d documents; split the file", maxDocuments)
		w.problem(w.pos.at(before+all[maxDocuments].Before+1), text)
		return
	}
	outer := w.pos.Document
	for i, d := range all {
		if w.nested == 0 && len(all) > 1 {
			w.pos.Document = i + 1
		}
		w.base = before + d.Before
		if w.nested == 0 {
			w.read = unread.Readings{}
		}
		found := w.counts()
		switch {
		case bytes.HasPrefix(d.Text, []byte("#!")) && w.scriptFile(d.Text):
			w.settled(d, nil, found)
			continue
		case shell.IsUnit(d.Text):
			w.unit(d.Text)
			w.settled(d, nil, found)
			continue
		}
		root, err := tree.Parse(d.Text)
		switch {
		case err != nil && w.inFolder && tree.Template(string(d.Text)) != "" && (!setting.Hint.Match(d.Text) || unread.RunsNothing(d.Text)):
			// A chart's template of something else.
		case err != nil && w.flagLines(d.Text):
			w.settled(d, nil, found)
		case err != nil:
			w.problem(w.pos.at(w.base+err.Line), err.Problem)
		case root == nil:
		case w.nested == 0 && isScenario(root):
			w.scenario(data)
			return
		case w.nested == 0 && w.isSuite(root):
			if unread.IsMentioned(d.Text) {
				w.note(w.here(root), Ignored, "tests of a chart, which install nothing; not judged")
			}
		default:
			w.document(root, d.Text)
			w.settled(d, root, found)
		}
	}
	w.pos.Document = outer
}

// settled reports what can be told only after the whole document d was read: keys that are given twice, if settings were found,
// and leader election that is mentioned but was not read. before are the counts from before the document was read. A candidate with a
// setting that is given twice fails, since programs differ in which one counts. It empties w.repeated. root is d parsed, nil for no YAML.
func (w *walker) settled(d tree.Document, root *yaml.Node, before counts) {
	found := w.found[before.found:]
	for _, key := range w.repeated {
		if len(found) > 0 {
			w.report(key.problem)
		}
		for _, c := range found {
			c.failed = c.failed || slices.ContainsFunc(c.raws, func(r raw) bool { return r.name == phrase.Clip(key.name) })
		}
	}
	w.repeated = nil
	if w.nested == 0 {
		halves(found)
		w.unread(d, root, before)
	}
}

// unread adds a note if document d mentions leader election, but no candidate, note or problem came of it. If candidates were
// found, or notes, it adds one for a setting that d has and that was not read. root is d parsed, nil for no YAML. before are the counts
// from before the document was read. A schema gets no note.
func (w *walker) unread(d tree.Document, root *yaml.Node, before counts) {
	const forms = "docs/gate-files.md has the forms that are read"
	if word, line := unread.Encoded(root); word != "" {
		w.note(w.pos.at(w.base+line), Unread, phrase.Clip(word)+" is mentioned in a text that is encoded in base64; what is encoded is not read")
	}
	switch now := w.counts(); {
	case now.problems > before.problems:
	case now != before:
		if name, line := unread.Left(d.Text, root, w.base, w.read); name != "" {
			w.note(w.pos.at(line), Unread, phrase.Clip(name)+" is mentioned, and was not read as a setting; "+forms)
		}
	default:
		if word, line := unread.Mention(d.Text); word != "" {
			w.note(w.pos.at(w.base+line), Unread, phrase.Clip(word)+" is mentioned, but no settings of leader election were found here; "+forms)
		}
	}
}

// document reads one YAML document with that text: a text as a script or as a file of flags, anything else as a tree of values.
func (w *walker) document(root *yaml.Node, text []byte) {
	if root.Kind == yaml.ScalarNode {
		if root.Style != 0 || !w.scriptFile(text) {
			w.flagFile(root) // as snaps and systemd units have them
		}
		return
	}
	w.walk(tree.Resolve(root), 0)
}

// embedded reads a field's value as documents of its own, and adds the candidates, notes and problems that it finds to the walker.
// If the field's name is that of a YAML or JSON file, it can tell the program. If isYAML is false, embedded does nothing for a
// single line that begins like neither a list nor a mapping, and reports no problems if it finds no candidate. It does nothing if
// maxNested is reached.
func (w *walker) embedded(f tree.Field, isYAML bool) {
	if w.nested == maxNested {
		return
	}
	inner := *w
	inner.To = &inner
	defer func() { w.To = w }()
	inner.nested++
	inner.pos.Part = "key " + phrase.Clip(f.Name)
	inner.above, inner.path, inner.renderedLater = append(w.trail(), f.Name), nil, false
	inner.out, inner.component, inner.repeated = File{}, "", nil
	if documentKey.MatchString(f.Name) {
		inner.program = cmp.Or(programs.Named("", path.Base(documentKey.ReplaceAllString(f.Name, ""))), w.program)
	}
	line := w.base + f.Value.Line - 1
	if f.Value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		line++
	}
	value := f.Value.Value
	if !isYAML && !strings.Contains(value, "\n") && !strings.HasPrefix(value, "{") &&
		!strings.HasPrefix(value, "-") && !strings.HasPrefix(value, "[{") {
		// A word or a sentence.
		return
	}
	before := len(w.found)
	inner.read = unread.Readings{}
	inner.documents([]byte(value), line)
	if f.Value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 { // its lines are none of the file
		inner.onLine(w.base+f.Value.Line, before)
	}
	w.read.AddAll(inner.read, 0)
	if !isYAML && len(inner.found) == before {
		// Most likely a script or a template, of which nobody said that it is YAML.
		inner.out.Problems = nil
	}
	w.found, w.readers, w.configMaps, w.mounts = inner.found, inner.readers, inner.configMaps, inner.mounts
	w.out.Notes = append(w.out.Notes, inner.out.Notes...)
	for _, p := range inner.out.Problems {
		w.report(p)
	}
}

// onLine sets to line the line of each candidate in w.found[from:], of the settings of each of them, of all notes and problems in
// w.out, and of what is in w.read.
func (w *walker) onLine(line, from int) {
	read := unread.Readings{}
	read.AddAll(w.read, line)
	w.read = read
	for _, c := range w.found[from:] {
		c.pos.Line = line
		for i := range c.raws {
			c.raws[i].line = line
		}
		for k, s := range c.set {
			s.at.Line, s.raw.line = line, line
			c.set[k] = s
		}
	}
	for i := range w.out.Notes {
		w.out.Notes[i].Line = line
	}
	for i := range w.out.Problems {
		w.out.Problems[i].Line = line
	}
}

// block reads a text that is itself a document: a patch in a kustomization, the values of an Application, a file in a chart's
// values. It does nothing if the text is not several lines or a list in JSON, or does not mention leader election.
func (w *walker) block(name string, n *yaml.Node) {
	if (strings.Contains(n.Value, "\n") || strings.HasPrefix(n.Value, "[{") || strings.HasPrefix(n.Value, "- {")) && setting.Hint.MatchString(n.Value) && w.Spend(n, len(n.Value)/4) {
		w.embedded(tree.Field{Name: name, Line: n.Line, Value: n}, false)
	}
}
