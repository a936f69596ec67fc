package files

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/phrase"
)

// walker goes through one file and collects what it finds: notes and problems in out, candidates in found.
type walker struct {
	out   File
	found []*candidate
	// pos is where the walk is; base is the number of lines before the document in hand.
	pos  Position
	base int
	// namespace and configMap are those of the object in hand; configMap is "" in any other.
	namespace, configMap string
	// component is the kind of the document in hand, if it is a configuration, and program the one that it is for.
	component string
	program   *Program
	// charts has the names of the charts among the inputs, by the folder of their values.
	charts map[string]string
	// valuesIn is the field around the value in hand that says where a chart has more values, such as valuesFrom; "" for none.
	valuesIn string
	// renderedLater: a field postRenderers around the value in hand has patches of what containers run.
	renderedLater bool
	// target is the program of the workload that the patch in hand changes, and workload the name of the Deployment or the like in hand.
	target   *Program
	workload string
	// cluster is the release of Kubernetes, with a colon before it, that a field around the value in hand names; "" if none does.
	cluster string
	// image is the image of the program imageOf, which a chart's values around the value in hand name; "" and nil if none do.
	image   string
	imageOf *Program
	// kustomizations are those of the same input that make something of the file's objects.
	kustomizations []kustomized
	// layers stand over the chart's values in hand.
	layers []layer
	// self is the object in hand, which is not in another one. above has the names of the fields around the text in hand, which is a document.
	self  object
	above []string
	// maker is the kustomization that makes a ConfigMap of the file; "" for none.
	maker string
	// inFolder: the file was not named, but its folder.
	inFolder bool
	// elects: a note says that a program elects, although it is not judged.
	elects bool
	// configMaps are those that the file has, namespace/name.
	configMaps []string
	// mounts are the ConfigMaps that pods have as volumes.
	mounts []mount
	// replicas is how many pods the template in hand is for; 0 if the file does not say it.
	replicas int
	// inChart: the object in hand, or one around it, has a chart's values.
	inChart bool
	// shared are ConfigMaps of the same input.
	shared ConfigMaps
	// language is that of programs whose client is known without the files. spoken is that of the program in hand, "" for Go and where none
	// is recognised.
	language, spoken string
	// repeated are keys that are given twice in the document in hand.
	repeated []repeatedKey
	// read has the settings that were read in the document in hand. off has the ConfigMaps in which leader election is turned off.
	read readings
	off  map[string]bool
	// used has the ConfigMaps from which variables have settings; "" is no ConfigMap.
	used map[string]bool
	// generated are the files of which a kustomization makes ConfigMaps.
	generated []made
	// contents has what is in each input, by its path.
	contents map[string][]byte
	// elsewhere tells that what the file says is judged with another one.
	elsewhere bool
	// readers are containers without settings of their own, of programs that are known.
	readers []*candidate
	// stanzas has what inStanza has returned, by name.
	stanzas map[string]setting
	// path has the names from the document to the value in hand.
	path []string
	// nested counts the ConfigMaps around the document in hand.
	nested, visits int
}

// repeatedKey is a key that a mapping has twice, and the problem with that.
type repeatedKey struct {
	name    string
	problem Problem
}

// documents reads a stream of YAML documents into w. before is how many lines of the file come before the stream. A document that
// cannot be parsed is reported as a problem, unless it is a chart's template in a folder that does not mention leader election,
// and the next one is read; more than maxDocuments are a problem, and none is read. If the root of a document that is not in a
// ConfigMap looks like a scenario, the whole stream is read as one scenario.
func (w *walker) documents(data []byte, before int) {
	all := split(data)
	if len(all) > maxDocuments {
		text := fmt.Sprintf("more than %d documents; split the file", maxDocuments)
		w.problem(w.pos.at(before+all[maxDocuments].before+1), text)
		return
	}
	outer := w.pos.Document
	for i, d := range all {
		if w.nested == 0 && len(all) > 1 {
			w.pos.Document = i + 1
		}
		w.base = before + d.before
		if w.nested == 0 {
			w.read = readings{}
		}
		found := w.counts()
		switch {
		case bytes.HasPrefix(d.text, []byte("#!")) && w.scriptFile(d.text):
			w.settled(d, nil, found)
			continue
		case hasCommands(d.text):
			w.unit(d.text)
			w.settled(d, nil, found)
			continue
		}
		root, err := parse(d.text)
		switch {
		case err != nil && w.inFolder && template(string(d.text)) != "" && (!hint.Match(d.text) || runsNothing(d.text)):
			// A chart's template of something else.
		case err != nil && w.flagLines(d.text):
			w.settled(d, nil, found)
		case err != nil:
			w.problem(w.pos.at(w.base+err.Line), err.Problem)
		case root == nil:
		case w.nested == 0 && isScenario(root):
			w.scenario(data)
			return
		case w.nested == 0 && w.isSuite(root):
			if mentioned(d.text) != nil {
				w.note(w.here(root), Ignored, "tests of a chart, which install nothing; not judged")
			}
		default:
			w.document(root, d.text)
			w.settled(d, root, found)
		}
	}
	w.pos.Document = outer
}

// settled reports what can be told only after the whole document d was read: keys that are given twice, if settings were found,
// and leader election that is mentioned but was not read. before are the counts from before the document was read. A candidate with a
// setting that is given twice fails, since programs differ in which one counts. It empties w.repeated. root is d parsed, nil for no YAML.
func (w *walker) settled(d document, root *yaml.Node, before counts) {
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
		w.unread(d, root, before)
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
	w.walk(resolve(root), 0)
}

// walk searches a value, and all that is in it, for settings of leader election, and adds what it finds to the walker. Afterwards
// the walker's position, program and so on are what they were before. depth is how many values are around n. It does nothing
// beyond the walker's limits.
func (w *walker) walk(n *yaml.Node, depth int) {
	if !w.visit(n, depth) {
		return
	}
	items := w.items(n)
	if w.isPatch(items) {
		w.patch(items, depth)
		return
	}
	for _, item := range items {
		w.walk(item, depth+1)
	}
	switch {
	case n.Kind == yaml.ScalarNode && len(w.path) > 0:
		w.block(w.path[len(w.path)-1], n)
		return
	case n.Kind != yaml.MappingNode:
		return
	}
	all := w.fields(n)
	outer, namespace, configMap := w.pos, w.namespace, w.configMap
	component, program, inChart, spoken, cluster, replicas := w.component, w.program, w.inChart, w.spoken, w.cluster, w.replicas
	target, workload, valuesIn, renderedLater := w.target, w.workload, w.valuesIn, w.renderedLater
	image, imageOf, self, layers := w.image, w.imageOf, w.self, w.layers
	w.cluster = cmp.Or(clusterOf(all), w.cluster)
	if w.object(all, n) {
		w.target = cmp.Or(w.patched(all), w.target)
		w.replicated(all)
		before, installs := w.counts(), w.chart(all)
		w.valuesIn = cmp.Or(w.moreValues(all), w.valuesIn)
		w.layers = slices.Concat(layers, w.layersIn(all))
		w.renderedLater = w.renderedLater || w.rendersLater(all)
		w.spoken = cmp.Or(w.languageHere(all), w.spoken)
		w.flat(all, n)
		for _, f := range all {
			w.member(f, all, depth)
		}
		if len(w.path) < 2 || w.path[len(w.path)-2] != "chart" { // a HelmRelease's chart.spec, beside which the values are
			w.silentChart(installs, n.Line, before)
		}
	}
	w.pos, w.namespace, w.configMap = outer, namespace, configMap
	w.component, w.program, w.inChart, w.spoken, w.cluster, w.replicas = component, program, inChart, spoken, cluster, replicas
	w.target, w.workload, w.valuesIn, w.renderedLater = target, workload, valuesIn, renderedLater
	w.image, w.imageOf, w.self, w.layers = image, imageOf, self, layers
}

// object sets the walker's namespace, component, program, workload and pos.Object to those of a Kubernetes object, if the mapping n is
// one, and inChart to true for an object with a chart's values. For any other mapping it calls oneOf. It returns true if the
// mapping is still to be walked into. It returns false for a Lease and a ConfigMap, which it reads itself, and for a Secret,
// which nobody reads. all are the fields of n.
func (w *walker) object(all []field, n *yaml.Node) bool {
	kind, version := text(all, "kind"), text(all, "apiVersion")
	if kind == "" || version == "" {
		w.oneOf(all)
		return true
	}
	metadata, _ := get(all, "metadata")
	meta := w.fields(metadata.value)
	name := text(meta, "name")
	if name == "" && text(meta, "generateName") != "" {
		name = text(meta, "generateName") + "*"
	}
	w.namespace = text(meta, "namespace")
	w.name(kind, name)
	if w.self.kind == "" || strings.HasSuffix(w.self.kind, "List") {
		w.self = object{kind, text(meta, "name"), len(w.trail())}
	}
	switch {
	case kind == "Kustomization":
		w.namespace = cmp.Or(w.namespace, text(all, "namespace"))
	case isWorkload(kind):
		w.workload = name
	}
	program := programOfKind(version, kind)
	if w.nested > 0 {
		program = cmp.Or(program, w.program)
	}
	w.component, w.program = phrase.Clip(kind), program
	w.silent(all, n)
	switch kind {
	case "HelmRelease", "HelmChart", "HelmChartConfig", "Application", "ApplicationSet", "Bundle":
		w.inChart = true
	case "Lease":
		w.lease(n)
		return false
	case "Secret":
		return false // what is in it is not for a report
	case "ConfigMap":
		w.configMap = w.namespace + "/" + name
		w.configMaps = append(w.configMaps, w.configMap)
		w.program = cmp.Or(w.program, programOfObject(w.namespace, name))
		data, _ := get(all, "data")
		w.data(w.fields(data.value), data.line)
		return false
	}
	return true
}

// oneOf sets the walker's namespace and position for an object without a kind, if what is around it tells the kind: a list of one
// kind, as API servers answer, or the deployments of a ClusterServiceVersion. For any other mapping it changes nothing.
func (w *walker) oneOf(all []field) {
	in := ""
	if len(w.path) > 0 {
		in = w.path[len(w.path)-1]
	}
	kind, list := strings.CutSuffix(w.component, "List")
	switch metadata, is := get(all, "metadata"); {
	case list && in == "items" && is:
		meta := w.fields(metadata.value)
		w.namespace = text(meta, "namespace")
		w.name(kind, text(meta, "name"))
	case in == "deployments" && w.component == "ClusterServiceVersion":
		w.pos.Object += ": Deployment " + phrase.Clip(text(all, "name"))
	}
}

// silent settles a candidate for a KubeSchedulerConfiguration without the field leaderElection, since a scheduler elects unless
// it is told not to. It does nothing for any other object.
func (w *walker) silent(all []field, n *yaml.Node) {
	if _, says := get(all, "leaderElection"); says || w.component != "KubeSchedulerConfiguration" {
		return
	}
	c := w.candidate("", n.Line)
	c.addMention()
	w.settle(c)
}

// name sets w.pos.Object to a kind, the walker's namespace and a name. If the object is nested in another one, it appends them,
// and w.pos.Part before them, to that one's.
func (w *walker) name(kind, name string) {
	if w.nested == 0 {
		w.pos.Object = ""
	}
	object := phrase.Clip(kind)
	switch {
	case name != "" && w.namespace != "":
		object += " " + phrase.Clip(w.namespace) + "/" + phrase.Clip(name)
	case name != "":
		object += " " + phrase.Clip(name)
	}
	switch {
	case w.pos.Part != "" && w.pos.Object == "":
		w.pos.Object, w.pos.Part = w.pos.Part, ""
	case w.pos.Part != "":
		w.pos.Object, w.pos.Part = w.pos.Object+": "+w.pos.Part, ""
	}
	if w.pos.Object != "" {
		object = w.pos.Object + ": " + object
	}
	w.pos.Object = object
}

// member reads field f of a mapping in the form that its name tells: containers, a leaderElection mapping, flags, ConfigMaps that
// a kustomization makes, or any other value. It leaves out annotations and schemas. all are the fields of the mapping.
func (w *walker) member(f field, all []field, depth int) {
	w.path = append(w.path, f.name)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	switch {
	case f.name == "annotations" && len(w.path) > 1 && w.path[len(w.path)-2] == "metadata":
		// kubectl keeps a copy of the object in one.
	case f.name == "secretGenerator" && w.nested == 0 && len(w.path) == 1:
		// What is in a Secret is not for a report.
	case isSchemaField(f.name, f.value):
		// A schema, such as a CustomResourceDefinition's, has the names of settings and no settings.
	case f.name == "endpoint" && len(w.path) > 1 && w.path[len(w.path)-2] == "management":
		// What Spring Boot tells of itself, such as of a leaderElection.
	case f.name == "configMapGenerator" && w.nested == 0 && len(w.path) == 1:
		w.generators(f)
	case (f.name == "command" || f.name == "entrypoint") && f.value.Kind == yaml.ScalarNode && hint.MatchString(f.value.Value) &&
		!strings.Contains(strings.TrimSpace(f.value.Value), "\n") && w.commandText(f, all):
		// A service of docker compose.
	case isContainers(f.name) && f.value.Kind == yaml.SequenceNode:
		w.containers(f, all)
	case isStanza(f.name) && f.value.Kind == yaml.MappingNode:
		w.stanza(f, all)
	case holdsFlags(f), f.name == "parameters" && len(w.path) > 1 && w.path[len(w.path)-2] == "helm": // an Application's
		w.arguments(f, all)
	default:
		outer := w.program
		w.program = w.subchart(f.name)
		if values, ok := w.helmOf(f); ok {
			w.path = append(w.path, values.name)
			w.walk(values.value, depth+2)
			w.path = w.path[:len(w.path)-1]
		} else {
			w.walk(f.value, depth+1)
		}
		w.program = outer
	}
}

// here returns the position of a node in the file: the walker's position with the node's line.
func (w *walker) here(n *yaml.Node) Position { return w.pos.at(w.base + n.Line) }

// problem adds a problem to w.out.Problems, unless it is there already or there are maxProblems. Its text becomes one line.
func (w *walker) problem(at Position, text string) {
	w.report(Problem{Position: at, Text: phrase.OneLine(text)})
}

// report adds p to w.out.Problems, unless it is there already or there are maxProblems.
func (w *walker) report(p Problem) {
	// A mapping that is looked at twice, or through two aliases, has its problem once.
	if len(w.out.Problems) < maxProblems && !slices.Contains(w.out.Problems, p) {
		w.out.Problems = append(w.out.Problems, p)
	}
}

// note adds a note to w.out.Notes. Its text becomes one line.
func (w *walker) note(at Position, kind NoteKind, text string) {
	w.out.Notes = append(w.out.Notes, Note{Position: at, Kind: kind, Text: phrase.OneLine(text)})
}
