package files

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/kustomize"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/gate/files/unread"
	"interregnum/internal/phrase"
)

// walker goes through one file and collects what it finds.
type walker struct {
	*tree.Reader
	known
	scope
	findings
	// base is the number of lines before the document in hand. above has the names of the fields around the text that is this document, and path
	// those from the document to the value in hand. nested counts the ConfigMaps around the document.
	base        int
	above, path []string
	nested      int
	// repeated are keys that are given twice in the document in hand, and read has the settings that were read in it.
	repeated []repeatedKey
	read     unread.Readings
	// stanzas has what inStanza has returned, by name.
	stanzas map[string]setting.Setting
}

// known is what a walker knows without the file, mostly from others.
type known struct {
	// inFolder: the file was not named, but its folder.
	inFolder bool
	// language is that of programs whose client is known without the files.
	language string
	// shared are the ConfigMaps in the inputs.
	shared ConfigMaps
	// charts has the names of the charts among the inputs, by the folder of their values.
	charts map[string]string
	// kustomizations are those among the inputs, and changers those of them that make something of the file's objects. maker is the one that makes a
	// ConfigMap of the file; "" for none.
	kustomizations *kustomize.Set
	changers       kustomize.Changers
	maker          string
}

// scope is what the fields around the value in hand say.
type scope struct {
	// pos is where the walk is.
	pos Position
	// self is the object in hand, which is not in another one. namespace and configMap are those of the object in hand; configMap is "" in any
	// other. workload is the name of the Deployment or the like, and replicas how many pods its template is for; 0 if the file does not say it.
	self                           object
	namespace, configMap, workload string
	replicas                       int
	// things are those around the value in hand.
	things []thing
	// component is the kind of the document in hand, if it is a configuration, and program the one that it is for. target is the program of the
	// workload that the patch in hand changes.
	component       string
	program, target *programs.Program
	// spoken is the language of the program in hand, "" for Go and where none is recognised.
	spoken string
	// cluster is the release of Kubernetes, with a colon before it, that a field names; "" if none does.
	cluster string
	// inChart: the object in hand, or one around it, has a chart's values. image is that of the program imageOf, which these name.
	inChart bool
	image   string
	imageOf *programs.Program
	// valuesIn is the field that says where the chart has more values, such as valuesFrom; "" for none. layers stand over its values.
	valuesIn string
	layers   []layer
	// renderedLater: a field postRenderers has patches of what containers run.
	renderedLater bool
}

// repeatedKey is a key that a mapping has twice, and the problem with that.
type repeatedKey struct {
	name    string
	problem Problem
}

// TooMuch adds a problem at n.
func (w *walker) TooMuch(n *yaml.Node, text string) { w.problem(w.here(n), text) }

// Twice adds a problem to w.repeated: f is given, and so it was in line first.
func (w *walker) Twice(f tree.Field, first int) {
	text := fmt.Sprintf("%s is given twice; the first is in line %d", phrase.Clip(f.Name), w.base+first)
	if len(w.repeated) < maxProblems {
		w.repeated = append(w.repeated, repeatedKey{f.Name, Problem{Position: w.pos.at(w.base + f.Line), Text: phrase.OneLine(text)}})
	}
}

// under tells whether a field of that name is around the field in hand.
func (w *walker) under(name string) bool { return len(w.path) > 1 && w.path[len(w.path)-2] == name }

// here returns the position of a node in the file: the walker's position with the node's line.
func (w *walker) here(n *yaml.Node) Position { return w.pos.at(w.base + n.Line) }

// where returns the names of the fields around the current value, from the document on, joined by dots, such as spec.template.
func (w *walker) where() string { return phrase.Clip(strings.Join(w.path, ".")) }

// trail returns the names of all fields around the value in hand, also of those around a text that is a document.
func (w *walker) trail() []string { return slices.Concat(w.above, w.path) }

// object is an object of Kubernetes among the documents; depth is how many fields are around it. In the zero object, no kind is known.
type object struct {
	kind, name string
	depth      int
}

// at returns the names of the fields around the value in hand in the object o. What is in a ConfigMap stands below data.
func (w *walker) at(o object) []string {
	trail := w.trail()[o.depth:]
	switch {
	case o.kind == "ConfigMap":
		return slices.Concat([]string{"data"}, trail)
	case o.kind == "": // a chart that a kustomization installs
		return kustomize.PodPath
	}
	return trail
}
