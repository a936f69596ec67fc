package electiontest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/types"

	"interregnum/internal/trace"
)

// call is what an HTTP request asks.
type call struct {
	// verb is that of Kubernetes; object the kind that a fault may name, "" for any other.
	verb, object string
	// lock: it is about the lock, with one of the verbs of an election: event.
	lock  bool
	event trace.Verb
	// edits: it is about the lock, with another verb.
	edits bool
	body  []byte
	// holder is whom it would write.
	holder string
	// base is the version that it is conditioned on, version that after it.
	base, version uint64
}

// objects are the kinds of object that a fault may name, by resource.
var objects = map[string]trace.Object{
	"leases": trace.Lease, "configmaps": trace.ConfigMap, "endpoints": trace.Endpoints,
}

func newCall(q *http.Request, body []byte, lock types.NamespacedName) *call {
	c := &call{body: body}
	namespace, resource, name := split(q.URL.Path)
	if o, ok := objects[resource]; ok {
		c.object = o.String()
	}
	c.verb = verb(q, name)
	if resource != "leases" || namespace != lock.Namespace {
		return c
	}
	lease := leaseOf(body)
	if name == "" && lease != nil {
		name = lease.Name
	}
	if name != lock.Name {
		return c
	}
	switch c.verb {
	case "get":
		c.lock, c.event = true, trace.Get
	case "create":
		c.lock, c.event = true, trace.Create
	case "update":
		c.lock, c.event = true, trace.Update
	case "patch", "delete":
		c.edits = true
	}
	if c.lock && lease != nil {
		c.holder, c.base = holderOf(lease), versionOf(lease)
	}
	return c
}

// split finds what a path is about.
func split(path string) (namespace, resource, name string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range parts {
		if part == "namespaces" && i+2 < len(parts) {
			if i+3 < len(parts) {
				name = parts[i+3]
			}
			return parts[i+1], parts[i+2], name
		}
	}
	return "", parts[len(parts)-1], ""
}

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

// leaseOf is nil for what is not a Lease in JSON.
func leaseOf(body []byte) *coordinationv1.Lease {
	var l coordinationv1.Lease
	if len(body) == 0 || json.Unmarshal(body, &l) != nil || l.Kind != "" && l.Kind != "Lease" {
		return nil
	}
	return &l
}

func holderOf(l *coordinationv1.Lease) string {
	if l.Spec.HolderIdentity == nil {
		return ""
	}
	return *l.Spec.HolderIdentity
}

func versionOf(l *coordinationv1.Lease) (version uint64) {
	for _, c := range []byte(l.ResourceVersion) {
		version = version*10 + uint64(c-'0')
	}
	return version
}

// calls takes note of what the process calls itself in the record, and returns its identity: the trace knows that alone.
// Code may hold the lock under a name of its own, as controller-runtime's managers do, which may be another in each run.
func (p *process) calls(holder string) string {
	if holder != "" && holder != p.identity {
		p.node.world.aliases[holder] = p.identity
		return p.identity
	}
	return holder
}

// known is the identity of whom the record names.
func (w *world) known(holder string) string {
	if identity, ok := w.aliases[holder]; ok {
		return identity
	}
	return holder
}

// applied notes what became of a request that was executed. The caller holds world.mu.
func (m *message) applied(r *http.Response) {
	w := m.process.node.world
	if !m.lock && !m.edits {
		return
	}
	text, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(text))
	lease := leaseOf(text)
	if err != nil || r.StatusCode >= http.StatusBadRequest {
		lease = nil
	}
	if m.edits {
		m.edited(r, lease)
		return
	}
	w.storeOps++
	e := trace.Event{Kind: trace.RequestApplied, Status: int16(r.StatusCode), Base: m.base}
	if lease != nil {
		m.version = versionOf(lease)
		e.Version, e.Holder = m.version, w.known(holderOf(lease))
		if lease.Spec.LeaseTransitions != nil {
			e.Transitions = int64(*lease.Spec.LeaseTransitions)
		}
		if lease.Spec.LeaseDurationSeconds != nil {
			e.Amount = int64(*lease.Spec.LeaseDurationSeconds)
		}
		if m.event != trace.Get && m.version != m.base {
			e.Kind = trace.Written
			w.holder = e.Holder
		}
	}
	m.note(e)
}

// edited notes that the lock was changed by what is no election.
func (m *message) edited(r *http.Response, lease *coordinationv1.Lease) {
	w := m.process.node.world
	switch {
	case r.StatusCode >= http.StatusBadRequest:
	case m.verb == "delete":
		w.holder = ""
		w.note(trace.Event{Kind: trace.Deleted, Candidate: trace.Nobody, Fault: -1, Object: trace.Lease})
	case lease != nil:
		w.holder = w.known(holderOf(lease))
		w.note(trace.Event{
			Kind: trace.Edited, Candidate: trace.Nobody, Fault: -1, Version: versionOf(lease), Holder: w.holder,
		})
	}
}
