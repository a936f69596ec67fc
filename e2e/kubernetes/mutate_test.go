package kubernetes_test

import "strings"

// mutate changes n things of an object.
func (g *generator) mutate(kind int, obj object, n int) {
	for range n {
		if g.rarely(3) {
			if meta, ok := obj["metadata"].(object); ok {
				g.metadata(meta)
			}
			continue
		}
		switch resources[kind].kind {
		case "Lease":
			g.lease(obj)
		case "ConfigMap":
			obj["data"] = pick[any](g, object{"k": "1"}, object{"k": "2"}, object{"k": "1", "l": ""}, object{}, nil)
			if g.rarely(30) {
				obj["data"] = pick[any](g, object{"k": 1}, "x", []any{})
			}
		case "Endpoints":
			obj["subsets"] = pick[any](g, []any{}, nil)
			if g.rarely(30) {
				obj["subsets"] = pick[any](g, "x", object{})
			}
		}
		if g.rarely(25) {
			obj[pick(g, "unknown", "status", "Metadata", "items")] = pick[any](g, "x", object{}, nil)
		}
		if g.rarely(60) {
			obj["kind"] = pick(g, "Pod", "Odd", "lease")
		}
		if g.rarely(60) {
			obj["apiVersion"] = pick(g, "v1", "v9", "coordination.k8s.io/v1beta1", "a/b/c")
		}
		if g.rarely(100) {
			obj["metadata"] = pick[any](g, nil, "x", []any{})
		}
	}
}

func (g *generator) metadata(meta object) {
	odd := g.rarely(5)
	switch g.IntN(8) {
	case 0, 1:
		meta["labels"] = pick[any](g, object{"l": "1"}, object{"l": "2"}, object{"l": "1", "m": "2"}, object{}, nil)
		if odd {
			meta["labels"] = pick[any](g, object{"Bad Key!": "x"}, object{"l": "bad value!"}, object{"l": 1},
				object{"l": strings.Repeat("x", 64)}, object{"a/b/c": "x"}, object{"": "x"})
		}
	case 2, 3:
		meta["annotations"] = pick[any](g, object{"control-plane.alpha.kubernetes.io/leader": `{"a":1}`},
			object{"control-plane.alpha.kubernetes.io/leader": "b"}, object{}, nil)
		if odd {
			meta["annotations"] = pick[any](g, object{"Bad Key!": "x"}, object{"": "x"}, object{"a": nil},
				object{"UPPER": "x"}, object{"a": 1})
		}
	case 4:
		meta["finalizers"] = pick[any](g, []any{"example.com/f"}, []any{"example.com/f", "example.com/g"}, []any{}, nil)
		if odd {
			meta["finalizers"] = pick[any](g, []any{"bad"}, []any{"a b/c"}, []any{"kubernetes"},
				[]any{"example.com/f", "example.com/f"})
		}
	case 5:
		owner := object{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
		other := object{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "w", "controller": true}
		meta["ownerReferences"] = pick[any](g, []any{owner}, []any{owner, other}, []any{}, nil)
		if odd {
			third := object{"apiVersion": "v1", "kind": "Pod", "name": "r", "uid": "x", "controller": true}
			meta["ownerReferences"] = pick[any](g, []any{object{"kind": "Pod"}}, []any{other, third},
				[]any{owner, owner}, []any{object{"apiVersion": "v1", "kind": "Event", "name": "p", "uid": "u"}})
		}
	case 6:
		switch g.IntN(5) {
		case 0:
			meta["generation"] = pick[any](g, 7, 0, -1, "x")
		case 1:
			// Not another time: it is dropped, but who sent it is remembered, which is a change.
			meta["deletionTimestamp"] = nil
		case 2:
			meta["creationTimestamp"] = pick[any](g, "2026-01-02T03:04:05Z", nil, "yesterday")
		case 3:
			meta["generation"] = pick[any](g, 1, nil)
		case 4:
			meta["deletionGracePeriodSeconds"] = pick[any](g, 5, nil)
		}
	case 7:
		switch g.IntN(4) {
		case 0:
			meta["namespace"] = pick[any](g, "other", "", g.namespace, nil)
		case 1:
			meta["unknown"] = "x"
		case 2:
			meta["generateName"] = pick(g, "gen-", "Bad_")
		case 3:
			meta["uid"] = g.anyUID()
		}
	}
}

func (g *generator) lease(obj object) {
	spec, ok := obj["spec"].(object)
	if !ok {
		spec = object{}
		obj["spec"] = spec
	}
	const t1, t2 = "2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:07.000000Z"
	odd := g.rarely(6)
	switch g.IntN(7) {
	case 0, 1:
		spec["holderIdentity"] = pick[any](g, "a", "b", "", nil)
		if odd {
			spec["holderIdentity"] = pick[any](g, 5, "\u0000", " ", object{})
		}
	case 2:
		spec["leaseDurationSeconds"] = pick[any](g, 15, 1, nil)
		if odd {
			spec["leaseDurationSeconds"] = pick[any](g, 0, -1, 1.5, "15", 2147483648, 15.0, 1e3)
		}
	case 3:
		spec["leaseTransitions"] = pick[any](g, 0, 1, 5, nil)
		if odd {
			spec["leaseTransitions"] = pick[any](g, -1, 0.5, true, -2147483649)
		}
	case 4, 5:
		field := pick(g, "acquireTime", "renewTime")
		spec[field] = pick[any](g, t1, t2, nil)
		if odd {
			spec[field] = pick[any](g, "2026-01-02T03:04:05Z", "", "yesterday", 5, "2026-01-02T05:04:05.000000+02:00",
				"2026-01-02T03:04:05.123456789Z")
		}
	case 6:
		if odd {
			obj["spec"] = pick[any](g, nil, "x", object{}, []any{})
			return
		}
		// Not strategy and preferredHolder: a real server drops them, and remembers who set them, which is a change.
		spec["unknown"] = pick[any](g, "x", nil)
	}
}

// patch is the body of a PATCH and its type.
func (g *generator) patch(path string) (contentType, body string) {
	kind := 0
	for i, r := range resources {
		if strings.Contains(path, "/"+r.plural+"/") {
			kind = i
		}
	}
	if g.rarely(4) {
		return "application/json-patch+json", g.jsonPatch()
	}
	p := object{}
	if g.rarely(2) {
		p["metadata"] = object{}
	}
	g.mutate(kind, p, 1+g.IntN(2))
	if meta, ok := p["metadata"].(object); ok {
		if g.rarely(4) {
			meta["resourceVersion"] = g.anyVersion()
		}
		if was := g.objects[path]; was != nil && g.rarely(4) {
			meta["resourceVersion"] = was["metadata"].(object)["resourceVersion"]
		}
		if g.rarely(6) {
			meta["uid"] = g.anyUID()
		}
		if g.rarely(15) {
			meta[pick(g, "name", "namespace", "uid", "resourceVersion", "creationTimestamp")] = pick[any](g, "other", nil)
		}
	}
	body = g.text(p)
	if g.rarely(25) {
		body = pick(g, "", "{", "null", "[]", "x", "5")
	}
	return pick(g, "application/merge-patch+json", "application/strategic-merge-patch+json",
		"application/merge-patch+json", "application/strategic-merge-patch+json",
		"application/merge-patch+json", "application/json", "text/plain")[:], body
}

func (g *generator) jsonPatch() string {
	return pick(g,
		`[{"op":"replace","path":"/metadata/labels","value":{"l":"2"}}]`,
		`[{"op":"add","path":"/metadata/labels","value":{"l":"1"}}]`,
		`[{"op":"add","path":"/metadata/labels/m","value":"2"}]`,
		`[{"op":"remove","path":"/metadata/labels"}]`,
		`[{"op":"test","path":"/metadata/name","value":"a"},{"op":"add","path":"/metadata/annotations","value":{"x":"y"}}]`,
		`[{"op":"test","path":"/metadata/resourceVersion","value":"1"}]`,
		`[{"op":"replace","path":"/spec/holderIdentity","value":"j"}]`,
		`[{"op":"replace","path":"/spec/leaseDurationSeconds","value":0}]`,
		`[{"op":"add","path":"/spec","value":"x"}]`,
		`[{"op":"remove","path":"/metadata/finalizers"}]`,
		`[{"op":"remove","path":"/metadata/name"}]`,
		`[]`, `[`, ``, `[{"op":"odd","path":"/x"}]`, `[{"op":"add"}]`,
	)
}
