package electiontest

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"interregnum/internal/trace"
)

// call is what an HTTP request asks.
type call struct {
	// part is that in the election whose lock it is about; of another request, that in the first.
	part *part
	// verb is that of Kubernetes; kind what a fault may name, "" for any other.
	verb, kind string
	// about is what tells apart requests that goroutines may send in any order at one instant; nth is its number
	// among those, and drawn counts what has been drawn for it.
	about      string
	nth, drawn int
	// lock: it is about a lock, with one of the verbs of an election: event. object is which of the lock's.
	lock   bool
	event  trace.Verb
	object trace.Object
	// edits: it is about a lock, with another verb.
	edits bool
	body  []byte
	// inJSON: the body is in JSON, whatever its header says.
	inJSON bool
	// holder is whom it would write.
	holder string
	// base is the version that it is conditioned on, version that after it.
	base, version uint64
}

// objects are the kinds of object that a fault may name, by resource.
var objects = map[string]trace.Object{
	"leases": trace.Lease, "configmaps": trace.ConfigMap, "endpoints": trace.Endpoints,
}

// newCall works out what a request of a process asks: its verb, the object that it is about, whose lock that is, and
// what it would write.
func newCall(q *http.Request, body []byte, p *process) *call {
	c := &call{body: body, part: p.parts[0], about: q.Method + " " + q.URL.Path}
	namespace, resource, name := split(q.URL.Path)
	c.verb = verb(q, name)
	object, known := objects[resource]
	if !known {
		return c
	}
	c.kind, c.object = object.String(), object
	record := recordOf(object, body)
	if name == "" && record != nil {
		name = record.Name
	}
	i := slices.IndexFunc(p.parts, func(p *part) bool { return p.seat.locks(object, namespace, name) })
	if i < 0 {
		return c
	}
	c.part = p.parts[i]
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
	if c.lock && record != nil {
		c.holder, c.base = record.HolderIdentity, record.version()
	}
	return c
}

// split finds what a path is about: /api/v1 or /apis/GROUP/VERSION, /namespaces/NAMESPACE or nothing, /RESOURCE/NAME.
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

// verb is the verb of Kubernetes of a request; name is that of the object in its path, "" for none.
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

// calls notes that the process calls itself holder in a record, and returns its identity: the trace knows that alone.
// Code may hold the lock under a name of its own, as controller-runtime's managers do, which may be another in each
// run. Where two candidates have one name the run fails. The caller holds world.mu.
func (p *process) calls(holder string) string {
	if holder == "" || holder == p.identity {
		return holder
	}
	w, id := p.node.world, p.node.plan.ID
	other, taken := w.aliases[holder]
	for _, n := range w.nodes {
		if n.process != nil && n.process.identity == holder {
			other, taken = n.process, true
		}
	}
	if taken && other.node != p.node {
		w.fail("candidates %s and %s both hold the lock as %q, so that each takes the other's lease for its own: want an "+
			"identity that differs, such as Candidate.Identity", other.node.plan.ID, id, holder)
	}
	w.aliases[holder] = p
	return p.identity
}

// known is the identity of the process that a record names, whatever name it has there; of an unknown one it is that
// name.
func (w *world) known(holder string) string {
	if p, ok := w.aliases[holder]; ok {
		return p.identity
	}
	return holder
}

// applied notes what the server has done about a lock with a request that was executed, as its answer says. The caller
// holds world.mu.
func (m *message) applied(r *http.Response) {
	w := m.part.world()
	if !m.lock && !m.edits {
		return
	}
	text, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(text))
	record := recordOf(m.object, text)
	if err != nil || r.StatusCode >= http.StatusBadRequest {
		record = nil
	}
	if m.edits {
		m.edited(r, record)
		return
	}
	w.storeOps++
	e := trace.Event{Kind: trace.RequestApplied, Status: int16(r.StatusCode), Base: m.base}
	if record != nil {
		m.version = record.version()
		e.Version, e.Holder = m.version, w.known(record.HolderIdentity)
		e.Transitions, e.Amount = int64(record.LeaderTransitions), int64(record.LeaseDurationSeconds)
		if m.event != trace.Get && m.version != m.base {
			e.Kind = trace.Written
			m.checkTimings(record)
			w.holders[m.part.seat.election][m.object] = e.Holder
		}
	}
	m.note(e)
}

// checkTimings takes note of a lease that is not as long as the scenario says, by which properties are judged. Whole seconds
// may be either way of rounding. The caller holds world.mu.
func (m *message) checkTimings(r *record) {
	plan, got := m.part.seat.plan, time.Duration(r.LeaseDurationSeconds)*time.Second
	if r.HolderIdentity != "" && (got <= plan.LeaseDuration-time.Second || got >= plan.LeaseDuration+time.Second) {
		m.part.world().fail("candidate %s takes the lock for %v, and the scenario has a leaseDuration of %v, by which "+
			"safety-window and liveness would be judged: want the code to take its timings from Candidate.Settings, or the "+
			"scenario to say the code's", plan.ID, got, plan.LeaseDuration)
	}
}

// edited notes that the code under test has deleted the lock's object or patched its Lease, which an elector never does. It does
// not note a request that was refused. The caller holds world.mu.
func (m *message) edited(r *http.Response, record *record) {
	w, election := m.part.world(), m.part.seat.election
	switch {
	case r.StatusCode >= http.StatusBadRequest:
	case m.verb == "delete":
		w.noteDeleted(-1, m.object, election)
	case record != nil && m.object == trace.Lease:
		w.noteEdited(-1, record, election)
	}
}
