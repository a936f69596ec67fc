package kubernetes_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
)

// call is one HTTP request, in the words of fakekube: with the uids and versions that it gave.
type call struct {
	method, path, contentType, agent, body string
	accept                                 string // "" for anything
}

// generator makes up requests on the objects of a namespace. It remembers what fakekube answered.
type generator struct {
	*rand.Rand
	namespace string
	objects   map[string]map[string]any // by path, as they were last seen, deleted ones too
	versions  []string
	uids      []string
	next      string // a continue token
	nextPath  string
}

// resources are the kinds of locks, by their paths before the namespace.
var resources = []struct{ prefix, plural, kind, version string }{
	{"/apis/coordination.k8s.io/v1", "leases", "Lease", "coordination.k8s.io/v1"},
	{"/apis/coordination.k8s.io/v1", "leases", "Lease", "coordination.k8s.io/v1"},
	{"/api/v1", "configmaps", "ConfigMap", "v1"},
	{"/api/v1", "endpoints", "Endpoints", "v1"},
}

type object = map[string]any

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// rarely is true once in n times.
func (g *generator) rarely(n int) bool { return g.IntN(n) == 0 }

func (g *generator) call() call {
	kind := g.IntN(len(resources))
	r := resources[kind]
	c := call{contentType: "application/json", agent: pick(g, "one", "two")}
	all := r.prefix + "/namespaces/" + g.namespace + "/" + r.plural
	name := pick(g, "a", "a", "a", "b", "b", "c")
	if g.rarely(40) {
		name = pick(g, "Bad_Name", "x.y", strings.Repeat("n", 254), "end-")
	}
	c.path = all + "/" + name
	query := url.Values{}
	switch n := g.IntN(100); {
	case n < 12:
		c.method = "GET"
		g.oneVersion(query)
	case n < 24:
		c.method, c.path = "GET", all
		g.list(query, all)
	case n < 44:
		c.method, c.path = "POST", all
		c.body = g.text(g.fresh(kind, name))
		g.writeOptions(query)
	case n < 70:
		c.method = "PUT"
		c.body = g.text(g.changed(kind, name, c.path))
		g.writeOptions(query)
	case n < 84:
		c.method = "PATCH"
		c.contentType, c.body = g.patch(c.path)
		g.writeOptions(query)
	case n < 98:
		c.method, c.body = "DELETE", g.deleteOptions(c.path)
		if g.rarely(15) {
			query.Set("dryRun", "All")
		}
	default:
		c.method, c.path = "DELETE", all
		if g.rarely(2) {
			query.Set("labelSelector", g.selector())
		}
	}
	if len(query) > 0 {
		c.path += "?" + query.Encode()
	}
	return c
}

func (g *generator) text(obj object) string {
	text, err := json.Marshal(obj)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	return string(text)
}

// anyVersion is a version that was seen, or an odd one.
func (g *generator) anyVersion() string {
	if len(g.versions) == 0 || g.rarely(5) {
		return pick(g, "0", "1", "", "abc", "-1", "99999999", "01")
	}
	return pick(g, g.versions...)
}

func (g *generator) anyUID() string {
	if len(g.uids) == 0 || g.rarely(4) {
		return pick(g, "00000000-0000-0000-0000-000000000000", "", "no-uid")
	}
	return pick(g, g.uids...)
}

// oneVersion is what a get wants to see at least. Versions of the future take a real server 3 s to give up.
func (g *generator) oneVersion(query url.Values) {
	if g.rarely(3) {
		v := g.anyVersion()
		if v == "99999999" && !g.rarely(10) {
			v = "0"
		}
		query.Set("resourceVersion", v)
	}
	if g.rarely(20) {
		query.Set("resourceVersionMatch", pick(g, "Exact", "NotOlderThan", "Odd"))
	}
}

func (g *generator) list(query url.Values, all string) {
	if g.next != "" && g.nextPath == all && g.rarely(2) {
		query.Set("continue", g.next)
		query.Set("limit", "1")
		if g.rarely(8) {
			query.Set("resourceVersion", g.anyVersion())
		}
		return
	}
	if g.rarely(2) {
		query.Set("limit", pick(g, "1", "2", "0", "-1", "x"))
	}
	if g.rarely(3) {
		query.Set("labelSelector", g.selector())
	}
	if g.rarely(3) {
		query.Set("fieldSelector", pick(g, "metadata.name=a", "metadata.name!=a", "metadata.name=a,metadata.name=b",
			"metadata.namespace="+g.namespace, "metadata.namespace=other", "spec.holderIdentity=a", "metadata.name", ""))
	}
	if g.rarely(3) {
		// A version that nobody was told means another state on either side.
		if v := g.anyVersion(); v != "1" && v != "01" && (v != "99999999" || g.rarely(10)) {
			query.Set("resourceVersion", v)
		}
	}
	if g.rarely(6) {
		query.Set("resourceVersionMatch", pick(g, "Exact", "NotOlderThan", "Odd"))
	}
	if g.rarely(50) {
		query.Set("continue", pick(g, "x", "e30"))
	}
}

func (g *generator) selector() string {
	return pick(g, "l=1", "l!=1", "l in (1,2)", "l", "!l", "l=1,m=2", "l==2", "l notin (1)", "=", "l in ()", "l>0", "")
}

func (g *generator) writeOptions(query url.Values) {
	if g.rarely(15) {
		query.Set("dryRun", pick(g, "All", "All", "Odd", ""))
	}
	if g.rarely(10) {
		query.Set("fieldValidation", pick(g, "Strict", "Warn", "Ignore", "Odd"))
	}
	if g.rarely(20) {
		query.Set("fieldManager", pick(g, "somebody", strings.Repeat("m", 129)))
	}
}

// fresh is an object as a POST sends it.
func (g *generator) fresh(kind int, name string) object {
	meta := object{"name": name}
	obj := object{"metadata": meta}
	if !g.rarely(20) {
		obj["kind"], obj["apiVersion"] = resources[kind].kind, resources[kind].version
	}
	if g.rarely(2) {
		meta["namespace"] = g.namespace
	}
	g.mutate(kind, obj, 3)
	if g.rarely(12) {
		meta["resourceVersion"] = g.anyVersion()
	}
	if g.rarely(12) {
		meta["uid"] = g.anyUID()
	}
	if g.rarely(40) {
		delete(meta, "name")
		delete(meta, "generateName") // each server draws names of its own
	}
	return obj
}

// changed is an object as a PUT sends it: what was seen last, with changes.
func (g *generator) changed(kind int, name, path string) object {
	obj := g.fresh(kind, name)
	if was := g.objects[path]; was != nil && !g.rarely(6) {
		obj = copied(was)
	}
	meta, _ := obj["metadata"].(object)
	if meta == nil {
		return obj
	}
	if g.rarely(4) {
		meta["resourceVersion"] = g.anyVersion()
	}
	if g.rarely(8) {
		meta["uid"] = g.anyUID()
	}
	for _, field := range []string{"resourceVersion", "uid", "namespace", "name", "kind", "apiVersion"} {
		if g.rarely(12) {
			delete(meta, field)
			delete(obj, field)
		}
	}
	if g.rarely(40) {
		meta["name"] = "other"
	}
	g.mutate(kind, obj, g.IntN(3))
	return obj
}

// deleteOptions is the body of a DELETE, often none.
func (g *generator) deleteOptions(path string) string {
	if g.rarely(3) {
		return ""
	}
	options := object{"kind": "DeleteOptions", "apiVersion": "v1"}
	only := object{}
	if g.rarely(2) {
		only["uid"] = g.anyUID()
	}
	if g.rarely(2) {
		only["resourceVersion"] = g.anyVersion()
	}
	if was := g.objects[path]; was != nil && g.rarely(2) {
		meta := was["metadata"].(object)
		only["uid"], only["resourceVersion"] = meta["uid"], meta["resourceVersion"]
	}
	if len(only) > 0 || g.rarely(5) {
		options["preconditions"] = only
	}
	if g.rarely(8) {
		options["propagationPolicy"] = pick(g, "Background", "Odd")
	}
	if g.rarely(8) {
		options["gracePeriodSeconds"] = pick(g, 0, 30, -1)
	}
	if g.rarely(15) {
		options["dryRun"] = pick(g, []string{"All"}, []string{"Odd"}, []string{})
	}
	if g.rarely(20) {
		options["kind"] = pick(g, "Lease", "")
	}
	if g.rarely(40) {
		return pick(g, "{", "x", "[]", "null")
	}
	return g.text(options)
}

func copied(obj object) object {
	var c object
	text, err := json.Marshal(obj)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		panic(err) // it was JSON
	}
	return c
}
