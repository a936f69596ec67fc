package world

import (
	"net/http"
	"slices"
	"strings"

	"interregnum/electiontest/internal/lockobject"
	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// call is what one HTTP request of a process asks for, read from the request.
type call struct {
	// part is the process's part in the election whose lock the request is about, or in its first election if it is about none.
	part *Part
	// verb is that of Kubernetes; kind what a fault may name, "" for any other.
	verb, kind string
	// about is the text that a request not on a lock is known by, since goroutines may send such requests in any order at one
	// instant. nth is its number among those of the same text, and drawn counts what has been drawn for it.
	about      string
	nth, drawn int
	// op is the verb if it is one of those of an election, else 0.
	op machine.Verb
	// lock: it is about a lock, with such a verb. object is which of the lock's objects it is about.
	lock   bool
	object trace.Object
	// edits: it is about a lock, with another verb.
	edits bool
	body  []byte
	// inJSON: the body is in JSON, whatever its header says.
	inJSON bool
	// asks names the object that it is about, if that could be a lock and is none; otherwise "".
	asks string
	// holder is whom it would write.
	holder string
	// record is the object that it would write, nil if it writes no lock.
	record *lockobject.Record
	// base is the version that it replaces, version the one after it.
	base, version uint64
}

// objects are the kinds of object that a fault may name, by resource.
var objects = map[string]trace.Object{
	"leases": trace.Lease, "configmaps": trace.ConfigMap, "endpoints": trace.Endpoints,
}

// ops are the verbs of an election.
var ops = map[string]machine.Verb{"get": machine.Get, "create": machine.Create, "update": machine.Update}

// newCall returns what a request of p asks for: its verb, the object that it is about, whose lock that is, and what it would
// write. For a resource that no lock uses, only part, verb, op and about are set.
func newCall(q *http.Request, body []byte, p *process) *call {
	c := &call{body: body, part: p.parts[0], about: q.Method + " " + q.URL.Path}
	namespace, resource, name := split(q.URL.Path)
	c.verb = verb(q, name)
	c.op = ops[c.verb]
	object, known := objects[resource]
	if !known {
		return c
	}
	c.kind, c.object = object.String(), object
	record := lockobject.Read(object, body)
	if name == "" && record != nil {
		name = record.Name
	}
	i := slices.IndexFunc(p.parts, func(p *Part) bool { return p.seat.locks(object, namespace, name) })
	if i < 0 {
		if c.op != 0 && name != "" {
			c.asks = c.kind + " " + namespace + "/" + name
		}
		return c
	}
	c.part = p.parts[i]
	c.lock, c.edits = c.op != 0, c.verb == "patch" || c.verb == "delete"
	if c.lock && record != nil {
		c.holder, c.base, c.record = record.HolderIdentity, record.Version(), record
	}
	return c
}

// relabels turns a call that updates a lock into an edit (lock false, edits true) if the update would not change the stored record,
// and that record names another holder than this process: then the update perhaps sets a label, and is no attempt to lead. The
// caller holds w.mu.
func (c *call) relabels() {
	p := c.part
	if !c.lock || c.op != machine.Update || c.record == nil || c.holder == "" || c.holder == p.process.identity {
		return
	}
	if stored := p.world().stored[p.seat.election][c.object]; stored != nil && stored.Version() == c.base && stored.SaysTheSame(c.record) {
		c.lock, c.edits = false, true
	}
}

// split takes the path of a request apart: /api/v1 or /apis/GROUP/VERSION, then /namespaces/NAMESPACE or nothing, then
// /RESOURCE/NAME. A part that is not there is "".
func split(path string) (namespace, resource, name string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		parts = parts[3:]
	default:
		return "", "", ""
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 {
		name = parts[1]
	}
	return namespace, parts[0], name
}

// verb returns the request's verb in Kubernetes, such as list. The name is that of the object in its path, "" for none.
func verb(q *http.Request, name string) string {
	watch := q.URL.Query().Get("watch")
	switch {
	case q.Method == http.MethodGet && (watch == "1" || watch == "true"):
		return "watch"
	case q.Method == http.MethodGet && name == "":
		return "list"
	case q.Method == http.MethodPost:
		return "create"
	case q.Method == http.MethodPut:
		return "update"
	}
	return strings.ToLower(q.Method)
}

// order returns the text by which messages of one candidate at one instant are sorted. It is "" for requests on the
// lock, which come first.
func (c *call) order() string {
	if c.lock || c.edits {
		return ""
	}
	return c.about
}

// locks tells whether the object of that kind, namespace and name is one in which this seat's lock is kept.
func (s *seat) locks(o trace.Object, namespace, name string) bool {
	return s.key.Namespace == namespace && s.key.Name == name && slices.Contains(s.plan.Lock.Objects(), simlock.Object(o))
}
