package kustomize

import (
	"bytes"
	"regexp"
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

// maySet is in a change that may be one of settings: it speaks of leader election, or of a container's arguments.
var maySet = regexp.MustCompile(setting.Hint.String() + "|(?i)args|command")

// hasPolicy tells whether a file perhaps has a policy or an overlay.
func hasPolicy(data []byte) bool {
	for _, group := range policies {
		if bytes.Contains(data, []byte(group)) {
			return true
		}
	}
	return bytes.Contains(data, overlay)
}

// policies adds to r.changes what the policies and overlays in an input change in all inputs, if that may be settings. A policy of Karmada
// or Clusternet changes the objects that it names alone.
func (r *reader) policies(in File, roots []*yaml.Node) {
	outset := len(r.changes)
	if bytes.Contains(in.Data, overlay) && maySet.Match(in.Data) {
		r.add("ytt overlay", in.Path, nil, everything)
	}
	for _, root := range roots {
		if root == nil {
			continue
		}
		tree.Each(root, func(n *yaml.Node) {
			all := r.Fields(n)
			kind := tree.Text(all, "kind")
			group, is := policies[kind]
			spec, _ := tree.Get(all, "spec")
			if !is || spec.Value == nil || !strings.Contains(tree.Text(all, "apiVersion"), group) || !changesSettings(kind, spec.Value) {
				return
			}
			for _, target := range r.selected(r.Fields(spec.Value)) {
				r.add(kind, in.Path, target, everything)
				r.changes[len(r.changes)-1].policy = true
			}
		})
	}
	if len(r.changes) > outset {
		r.folder(".")
	}
}

// changesSettings tells whether a policy of that kind may change settings. Kyverno's also check objects.
func changesSettings(kind string, spec *yaml.Node) bool {
	speaks, mutates := false, kind != "Policy" && kind != "ClusterPolicy"
	tree.Each(spec, func(n *yaml.Node) {
		speaks = speaks || maySet.MatchString(n.Value)
		mutates = mutates || n.Value == "mutate"
	})
	return speaks && mutates
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
