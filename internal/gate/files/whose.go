package files

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// whoseArguments sets c.program and c.component to the program whose flags the field of that name holds, if its name or the
// fields around it tell; otherwise it leaves both.
func (w *walker) whoseArguments(c *candidate, name string, beside []field) {
	if program := cmp.Or(programOfArguments(name), w.programOfComponent(beside)); program != nil {
		c.program, c.component = program, program.Name
	}
}

// programOfComponent returns the program of the control plane that the field around the current one is named after, as kubeadm
// and RKE have it. It returns nil for any other field, and where a chart's values perhaps have such a field for the operator that
// they install. beside are the fields next to the current one.
func (w *walker) programOfComponent(beside []field) *Program {
	deployed := w.inChart || w.component == "" && slices.ContainsFunc(beside, func(f field) bool { return slices.Contains(deploys, normal(f.name)) })
	if len(w.path) < 2 || deployed && !slices.ContainsFunc(w.path, isOfCluster) {
		return nil // a chart's values may have such a field for the operator that it installs
	}
	return programOfOverride(w.path[len(w.path)-2])
}

// deploys are fields beside flags which say that a chart deploys the program.
var deploys = []string{"image", "replicas", "replicacount", "resources", "manager", "leaderelection", "nodeselector", "serviceaccount", "podsecuritycontext"}

// isOfCluster tells whether a field of that name holds the components of a control plane, as in Talos, vcluster and Cluster API.
func isOfCluster(name string) bool {
	switch normal(name) {
	case "cluster", "clusterconfiguration", "kubeadmconfigspec", "distro", "k8s", "services":
		return true
	}
	return false
}

// programOfOverride returns the program of the control plane whose settings a field of that name holds; nil for any other field.
func programOfOverride(name string) *Program {
	switch name {
	case "controllerManager", "kube-controller":
		return programNamed("kube-controller-manager", "")
	case "scheduler":
		return programNamed("kube-scheduler", "")
	}
	return nil
}

// programOfPath returns the program of the control plane that one of the fields around a value is named after, such as
// kops' kubeScheduler; nil if there is none.
func programOfPath(names []string) *Program {
	for i, name := range names {
		switch normal(name) {
		case "kubecontrollermanager",
			"kubekubeadmcontrollerextraargs",                                       // Kubespray's
			"controllermanagerextraargs",                                           // kubeadm's v1alpha2
			"extrakubecontrollermanagerargs", "extranodekubecontrollermanagerargs": // Canonical Kubernetes'
			return programNamed("kube-controller-manager", "")
		case "kubescheduler", "kubekubeadmschedulerextraargs", "schedulerextraargs", "extrakubeschedulerargs", "extranodekubeschedulerargs":
			return programNamed("kube-scheduler", "")
		case "cloudcontrollermanager":
			return programNamed("cloud-controller-manager", "")
		case "componentsoverride": // Kubermatic's
			if i+1 < len(names) {
				return programOfOverride(names[i+1])
			}
		}
	}
	return nil
}

// chart sets the walker's program to that of the image in a mapping, as a chart's values have it, or else to that of the Helm
// chart that the mapping installs: an Argo CD source, Flux's HelmRelease, k3s's HelmChart or an entry of a kustomization. It
// leaves the program if neither is known. It returns the program that the chart tells; nil if the mapping installs none.
func (w *walker) chart(all []field) (installs *Program) {
	name := text(all, "chart")
	if f, ok := get(all, "chart"); ok && f.value.Kind == yaml.MappingNode {
		spec, _ := get(w.fields(f.value), "spec")
		name = text(w.fields(spec.value), "chart")
	}
	if f, ok := get(all, "chartRef"); ok && f.value.Kind == yaml.MappingNode {
		name = text(w.fields(f.value), "name")
	}
	if len(w.path) > 0 && w.path[len(w.path)-1] == "helmCharts" {
		name = text(all, "name")
	}
	if name != "" {
		installs = programOfChart(name)
		w.program = cmp.Or(installs, w.program)
	}
	image := w.imageIn(all)
	if p := programNamed(image, ""); p != nil {
		w.program, w.image, w.imageOf = p, image, p
	}
	return installs
}

// subchart returns the program to which the settings in a field of that name belong. Where a chart's values may be, a field
// that is named after a program or its chart has the values of that chart, on which this one depends. Any other field belongs
// to the walker's program.
func (w *walker) subchart(name string) *Program {
	if !w.inChart && (w.component != "" || w.nested > 0) {
		return w.program
	}
	for i := range programs {
		if slices.Contains(programs[i].charts, name) || slices.Contains(programs[i].names, name) {
			return &programs[i]
		}
	}
	return w.program
}

// imageIn returns the image of the field image, which is a name or a chart's {repository, tag}, where some charts have image or name in place
// of repository; "" if there is none.
func (w *walker) imageIn(all []field) string {
	image, ok := get(all, "image")
	if !ok {
		return ""
	}
	parts := w.fields(image.value)
	name, tag := cmp.Or(text(all, "image"), text(parts, "repository"), text(parts, "image"), text(parts, "name")), text(parts, "tag")
	if tag == "" || strings.ContainsAny(tag, "/:@") {
		return name
	}
	return name + ":" + tag
}
