package files

import (
	"cmp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// object sets the walker's namespace, component, program, workload and pos.Object to those of a Kubernetes object, if the mapping n is
// one, and inChart to true for an object with a chart's values. For any other mapping it calls oneOf. It returns true if the
// mapping is still to be walked into. It returns false for a Lease and a ConfigMap, which it reads itself, and for a Secret,
// which nobody reads. all are the fields of n.
func (w *walker) object(all []tree.Field, n *yaml.Node) bool {
	kind, version := tree.Text(all, "kind"), tree.Text(all, "apiVersion")
	if kind == "" || version == "" {
		w.oneOf(all)
		return true
	}
	meta := w.Inside(all, "metadata")
	name := tree.Text(meta, "name")
	if name == "" && tree.Text(meta, "generateName") != "" {
		name = tree.Text(meta, "generateName") + "*"
	}
	w.namespace = tree.Text(meta, "namespace")
	w.name(kind, name)
	if w.self.kind == "" || strings.HasSuffix(w.self.kind, "List") {
		w.self = object{kind, tree.Text(meta, "name"), len(w.trail())}
	}
	switch {
	case kind == "Kustomization":
		w.namespace = cmp.Or(w.namespace, tree.Text(all, "namespace"))
	case isWorkload(kind):
		w.workload = name
	}
	program := programs.OfKind(version, kind)
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
		w.program = cmp.Or(w.program, programs.OfObject(w.namespace, name))
		data, _ := tree.Get(all, "data")
		w.data(w.Fields(data.Value), data.Line)
		return false
	}
	return true
}

// isWorkload tells whether objects of that kind have a pod's template.
func isWorkload(kind string) bool {
	switch kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return true
	}
	return false
}

// ofKubernetes tells whether the object in hand is of one of Kubernetes' own kinds with containers.
func (w *walker) ofKubernetes() bool {
	switch strings.TrimSuffix(w.component, "List") {
	case "Pod", "PodTemplate", "ReplicaSet", "ReplicationController", "Job", "CronJob", "":
		return w.component != ""
	}
	return isWorkload(strings.TrimSuffix(w.component, "List"))
}

// oneOf sets the walker's namespace and position for an object without a kind, if what is around it tells the kind: a list of one
// kind, as API servers answer, or the deployments of a ClusterServiceVersion. For any other mapping it changes nothing.
func (w *walker) oneOf(all []tree.Field) {
	in := ""
	if len(w.path) > 0 {
		in = w.path[len(w.path)-1]
	}
	kind, list := strings.CutSuffix(w.component, "List")
	switch _, is := tree.Get(all, "metadata"); {
	case list && in == "items" && is:
		meta := w.Inside(all, "metadata")
		w.namespace = tree.Text(meta, "namespace")
		w.name(kind, tree.Text(meta, "name"))
	case in == "deployments" && w.component == "ClusterServiceVersion":
		w.pos.Object += ": Deployment " + phrase.Clip(tree.Text(all, "name"))
	}
}

// silent settles a candidate for a KubeSchedulerConfiguration without the field leaderElection, since a scheduler elects unless
// it is told not to. It does nothing for any other object.
func (w *walker) silent(all []tree.Field, n *yaml.Node) {
	if _, says := tree.Get(all, "leaderElection"); says || w.component != "KubeSchedulerConfiguration" {
		return
	}
	c := w.candidate("", n.Line)
	c.addMention()
	w.clientConnection(c, all)
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

// replicated sets w.replicas to the field replicas of the mapping with these fields, 0 if there is none or it is no number. A
// DaemonSet counts as two. It does nothing if the mapping has no template of a pod.
func (w *walker) replicated(all []tree.Field) {
	if _, ok := tree.Get(all, "template"); !ok {
		return
	}
	w.replicas, _ = strconv.Atoi(tree.Text(all, "replicas"))
	if w.component == "DaemonSet" {
		w.replicas = 2
	}
}

// lastWith has the last release of Kubernetes that takes a configuration of that version, for versions that are no more.
var lastWith = map[string]string{
	"kubescheduler.config.k8s.io/v1alpha1": "v1.18", "kubescheduler.config.k8s.io/v1alpha2": "v1.19",
	"kubeadm.k8s.io/v1alpha1": "v1.11", "kubeadm.k8s.io/v1alpha2": "v1.12", "kubeadm.k8s.io/v1alpha3": "v1.14",
}

// clusterOf returns the release of Kubernetes, with a colon before it, that one of the fields names as kubeadm, kops, RKE or Cluster
// API have it, or else that the version of a configuration tells; "" if none does.
func clusterOf(all []tree.Field) string {
	version := cmp.Or(tree.Text(all, "kubernetesVersion"), tree.Text(all, "kubernetes_version"))
	if _, ok := tree.Get(all, "kubeadmConfigSpec"); ok {
		version = cmp.Or(tree.Text(all, "version"), version)
	}
	if version = cmp.Or(version, lastWith[tree.Text(all, "apiVersion")]); version == "" {
		return ""
	}
	return ":" + version
}
