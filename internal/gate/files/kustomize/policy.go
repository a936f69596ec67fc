package kustomize

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
)

// policies are the kinds of objects that change other objects, with a part of their API group: in a cluster, as Kyverno and Gatekeeper do, or on the way
// to one, as Karmada and Clusternet do.
var policies = map[string]string{
	"OverridePolicy": "karmada", "ClusterOverridePolicy": "karmada",
	"Localization": "clusternet", "Globalization": "clusternet",
	"Assign": "gatekeeper", "ModifySet": "gatekeeper",
	"ClusterPolicy": "kyverno", "Policy": "kyverno", "MutatingPolicy": "kyverno",
	"MutatingAdmissionPolicy": "admissionregistration",
}

// overlay is in each of ytt's overlays.
var overlay = []byte("#@overlay/match")

// overOthers is a word in each document that puts a chart's values over those of another one.
var overOthers = []string{"valuesFrom", "HelmChartConfig"}

// maySet is in a change that may be one of settings: it speaks of leader election, or of a container's arguments.
var maySet = regexp.MustCompile(setting.Hint.String() + "|(?i)args|command")

// mutate is the field of Kyverno's policies that change objects.
var mutate = regexp.MustCompile(`^mutate$`)

// hasPolicy tells whether a file perhaps has a policy.
func hasPolicy(data []byte) bool {
	for _, group := range policies {
		if bytes.Contains(data, []byte(group)) {
			return true
		}
	}
	return false
}

// ofPolicies is the key in Set.in of what policies and overlays do. No file has that name.
const ofPolicies = "\x00policies"

// readPolicies adds what the policies, overlays and HelmReleases in the inputs change in all inputs, if that may be settings. A policy of Karmada or Clusternet
// changes the objects that it names alone.
func (all *Set) readPolicies(inputs []File) {
	r := reader{kustomization: &kustomization{within: true}, data: all.contents}
	for _, in := range inputs {
		if bytes.Contains(in.Data, overlay) && maySet.Match(in.Data) {
			r.add("ytt overlay", in.Path, nil, everything)
		}
		if hasPolicy(in.Data) || slices.ContainsFunc(overOthers, func(word string) bool { return bytes.Contains(in.Data, []byte(word)) }) {
			for _, root := range tree.Roots(in.Data) {
				r.policies(in.Path, root)
			}
		}
	}
	if len(r.changes) > 0 {
		for i := range r.changes {
			r.changes[i].policy = true
		}
		r.resources = slices.Sorted(maps.Keys(all.contents))
		all.in[ofPolicies] = r.kustomization
	}
}

// policies adds to r.changes what the policies in a document change; root is nil for one that cannot be parsed.
func (r *reader) policies(file string, root *yaml.Node) {
	if root == nil {
		return
	}
	tree.Each(root, func(n *yaml.Node) {
		all := r.Fields(n)
		kind := tree.Text(all, "kind")
		group, is := policies[kind]
		spec, has := tree.Get(all, "spec")
		if is && has && strings.Contains(tree.Text(all, "apiVersion"), group) && changesSettings(kind, spec.Value) {
			for _, target := range r.selected(r.Fields(spec.Value)) {
				r.add(kind, file, target, everything)
			}
		}
		switch {
		case kind == "HelmRelease" && has:
			r.overValues(file, r.Fields(spec.Value))
		case kind == "HelmChartConfig" && has && changesSettings("", spec.Value): // of k3s and RKE2, put over the HelmChart of its name
			name := regexp.QuoteMeta(tree.Text(r.Inside(all, "metadata"), "name"))
			r.add(kind, file, []tree.Field{tree.TextField("kind", "HelmChart", n), tree.TextField("name", name, n)}, everything)
		}
	})
}

// overValues adds to r.changes what a HelmRelease of Flux with that spec puts over the values that are in ConfigMaps: its own, and those of the later
// ones in valuesFrom.
func (r *reader) overValues(file string, spec []tree.Field) {
	own, has := tree.Get(spec, "values")
	over := has && changesSettings("", own.Value)
	for _, from := range slices.Backward(r.Listed(spec, "valuesFrom")) {
		source := r.Fields(from)
		if name := regexp.QuoteMeta(tree.Text(source, "name")); over && tree.Text(source, "kind") == "ConfigMap" {
			r.add("HelmRelease", file, []tree.Field{tree.TextField("kind", "ConfigMap", from), tree.TextField("name", name, from)}, everything)
		}
		over = true
	}
}

// changesSettings tells whether a policy of that kind may change settings. Kyverno's also check objects.
func changesSettings(kind string, spec *yaml.Node) bool {
	checks := kind == "Policy" || kind == "ClusterPolicy"
	return tree.Matches(spec, maySet) && (!checks || tree.Matches(spec, mutate))
}

// selected returns the fields kind and name of each object that a policy with that spec selects; one without fields for all objects.
func (r *reader) selected(spec []tree.Field) (all [][]tree.Field) {
	for _, item := range r.Listed(spec, "resourceSelectors") {
		all = append(all, r.Fields(item))
	}
	if feed := r.Inside(spec, "feed"); feed != nil {
		all = append(all, feed)
	}
	if len(all) == 0 {
		return [][]tree.Field{nil}
	}
	for i, fields := range all {
		all[i] = nil
		for _, name := range []string{"kind", "name"} {
			all[i] = append(all[i], tree.TextField(name, regexp.QuoteMeta(tree.Text(fields, name)), &yaml.Node{}))
		}
	}
	return all
}
