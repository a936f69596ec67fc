package fakekube

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// eventsGroup is the newer API group of Events. An Event of either API is one object, with fields of other names.
const eventsGroup = "events.k8s.io"

// storedAs returns the resource as which objects of a resource are stored: the resource itself, or for Events that of the core group.
func storedAs(resource schema.GroupResource) schema.GroupResource {
	if resource.Group == eventsGroup {
		resource.Group = ""
	}
	return resource
}

// eventFields has the fields of a core Event whose names differ, and their names in events.k8s.io.
var eventFields = [][2]string{
	{"involvedObject", "regarding"}, {"message", "note"}, {"source", "deprecatedSource"}, {"count", "deprecatedCount"},
	{"firstTimestamp", "deprecatedFirstTimestamp"}, {"lastTimestamp", "deprecatedLastTimestamp"},
	{"reportingComponent", "reportingController"},
}

// wireOf returns the JSON text of an object. In an Event of the other API than k's it gives the fields the names that they have in
// k's API.
func (k *kind) wireOf(obj runtime.Object) ([]byte, error) {
	wire, err := json.Marshal(obj)
	gvks, _, unknown := k.scheme.ObjectKinds(obj)
	if err != nil || unknown != nil || gvks[0].Kind != "Event" || gvks[0].Group == k.Group {
		return wire, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(wire, &fields); err != nil {
		return nil, err
	}
	for _, names := range eventFields {
		from, to := names[0], names[1]
		if k.Group == "" {
			from, to = to, from
		}
		if value, ok := fields[from]; ok {
			delete(fields, from)
			fields[to] = value
		}
	}
	return json.Marshal(fields)
}
