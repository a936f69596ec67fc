package lockscript

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// apply carries out a request of that method on the object of a resource as a server does: it reads or changes the stored
// object, or refuses. name is the object's name in the path. It returns the answer: 404 for an object that does not exist, 405
// for another method than GET, POST and PUT.
func (s *server) apply(method, resource, name string, body tree) answer {
	stored := s.objects[resource]
	switch method {
	case http.MethodGet:
		if stored == nil || name != metaOf(stored)["name"] {
			return answer{status: 404, reason: "NotFound"}
		}
		return answer{status: 200, object: stored}
	case http.MethodPost:
		return s.create(resource, stored, body)
	case http.MethodPut:
		return s.update(resource, name, stored, body)
	}
	return answer{status: 405, reason: "MethodNotAllowed"}
}

// create carries out a POST as a server does: it stores the body and answers with it. It refuses invalid content, a body with a
// version, and a body for an object that exists. stored is the present object, nil for none.
func (s *server) create(resource string, stored, body tree) answer {
	switch {
	case invalid(resource, body):
		return answer{status: 422, reason: "Invalid"}
	case metaOf(body)["resourceVersion"] != nil:
		return answer{status: 500, reason: "InternalError"}
	case stored != nil:
		return answer{status: 409, reason: "AlreadyExists"}
	}
	return answer{status: 201, object: s.store(resource, body, s.newUID())}
}

// update carries out a PUT as a server does: it stores the body and answers with it, or refuses it after checks of name, uid,
// version and content, some of which depend on the resource. A missing object it creates, except a ConfigMap. A body that
// changes nothing gets no new version. stored is the present object, nil for none.
func (s *server) update(resource, name string, stored, body tree) answer {
	meta := metaOf(body)
	uid, version := meta["uid"], meta["resourceVersion"]
	switch {
	case meta["name"] != name:
		return answer{status: 400, reason: "BadRequest"}
	case resource == "leases" && version == nil:
		return answer{status: 422, reason: "Invalid"}
	case stored == nil && uid == nil && resource == "configmaps":
		return answer{status: 404, reason: "NotFound"}
	case stored == nil && uid == nil:
		return answer{status: 201, object: s.store(resource, body, s.newUID())}
	case stored == nil, uid != nil && uid != metaOf(stored)["uid"],
		version != nil && version != metaOf(stored)["resourceVersion"]:
		return answer{status: 409, reason: "Conflict"}
	case invalid(resource, body):
		return answer{status: 422, reason: "Invalid"}
	}
	meta["uid"], meta["resourceVersion"] = metaOf(stored)["uid"], metaOf(stored)["resourceVersion"]
	if text(body) == text(stored) {
		return answer{status: 200, object: stored}
	}
	return answer{status: 200, object: s.store(resource, body, meta["uid"].(string))}
}

// invalid tells whether a server would refuse the content, which it checks only for a Lease: a duration of 0 or below, or a
// negative number of transitions.
func invalid(resource string, body tree) bool {
	spec, ok := body["spec"].(tree)
	if resource != "leases" || !ok {
		return false
	}
	seconds, hasSeconds := number(spec["leaseDurationSeconds"])
	transitions, _ := number(spec["leaseTransitions"])
	return hasSeconds && seconds <= 0 || transitions < 0
}

// number returns a JSON value as a whole number. The bool is false if it is not one.
func number(value any) (int64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

// newUID returns a uid that no object has had.
func (s *server) newUID() string {
	s.uids++
	return fmt.Sprintf("uid-%d", s.uids)
}

// store stores a copy of the object as the resource's only one, with that uid and the next version, and returns the copy.
func (s *server) store(resource string, object tree, uid string) tree {
	s.version++
	kept := typed(resource, copied(object))
	meta := metaOf(kept)
	meta["name"], meta["namespace"], meta["uid"] = name, namespace, uid
	meta["resourceVersion"] = strconv.Itoa(s.version)
	meta["creationTimestamp"] = "2020-01-01T00:00:00Z"
	if s.objects == nil {
		s.objects = map[string]tree{}
	}
	s.objects[resource] = kept
	return kept
}

// copied returns a deep copy of the object; lists in it are shared.
func copied(object tree) tree {
	out := tree{}
	for key, value := range object {
		if inner, ok := value.(tree); ok {
			value = copied(inner)
		}
		out[key] = value
	}
	return out
}

// edit creates, changes or deletes the stored object as somebody other than the players would, and adds that to the transcript. Of
// an object that is not there, only an edit that replaces it or gives it a content does anything.
func (s *server) edit(e edit) {
	if e.kind == editDelete || e.kind == editBare || e.kind == editTouch {
		e.text = ""
	}
	s.note("  somebody edits %s: %s %s", e.resource, e.kind, e.text)
	object := s.objects[e.resource]
	if e.kind == editDelete {
		s.version++
		delete(s.objects, e.resource)
		return
	}
	if object == nil && e.kind != editReplace && e.kind != editContent {
		return
	}
	if object == nil || e.kind == editReplace {
		object = tree{"metadata": tree{"uid": s.newUID()}}
	}
	object = copied(object)
	meta := metaOf(object)
	switch {
	case e.kind == editTouch:
		s.touch(e.resource, object)
	case e.kind == editBare:
		delete(meta, "annotations")
		delete(object, "spec")
	case e.resource == "leases":
		var spec tree
		// The texts are constants.
		_ = json.Unmarshal([]byte(e.text), &spec)
		object["spec"] = spec
	default:
		meta["annotations"] = tree{"control-plane.alpha.kubernetes.io/leader": e.text, "other": "kept"}
	}
	s.store(e.resource, object, meta["uid"].(string))
}

// touch adds labels and finalizers to an object in place, and content to a ConfigMap or Endpoints; a lock must keep all of it
// when it writes.
func (s *server) touch(resource string, object tree) {
	meta := metaOf(object)
	meta["labels"] = tree{"version": strconv.Itoa(s.version)}
	meta["finalizers"] = []any{"example.org/keep"}
	switch resource {
	case "configmaps":
		object["data"] = tree{"key": "value"}
	case "endpoints":
		object["subsets"] = []any{tree{"addresses": []any{tree{"ip": "10.0.0.1"}}, "ports": []any{tree{"port": 80}}}}
	}
}
