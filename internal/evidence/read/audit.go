package read

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// Event has the fields of an Event of audit.k8s.io/v1 that say who asked for what, when, and how that was answered.
type Event struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	AuditID    string `json:"auditID"`
	Stage      string `json:"stage"`
	Verb       string `json:"verb"`
	UserAgent  string `json:"userAgent"`
	User       struct {
		Username string `json:"username"`
		Extra    struct {
			Pods []string `json:"authentication.kubernetes.io/pod-name"`
		} `json:"extra"`
	} `json:"user"`
	SourceIPs []string `json:"sourceIPs"`
	ObjectRef struct {
		APIGroup        string `json:"apiGroup"`
		Resource        string `json:"resource"`
		Subresource     string `json:"subresource"`
		Namespace       string `json:"namespace"`
		Name            string `json:"name"`
		ResourceVersion string `json:"resourceVersion"`
		UID             string `json:"uid"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
	StageTimestamp           time.Time `json:"stageTimestamp"`
}

// event is an Event with the objects that were sent and answered.
type event struct {
	Event
	Annotations struct {
		Decision string `json:"authorization.k8s.io/decision"`
	} `json:"annotations"`
	RequestObject  item `json:"requestObject"`
	ResponseObject item `json:"responseObject"`
}

// Why lines of audit logs are skipped.
const (
	otherResource = "requests about other things than locks"
	otherStage    = "requests in progress"
	twice         = "audit events that were read before"
	broken        = "broken lines"
)

// resources are how an audit event names the resources in which records are kept.
var resources = [][]byte{[]byte(`"leases"`), []byte(`"configmaps"`), []byte(`"endpoints"`)}

// audit keeps the request of an audit event, which is the line; that must not be empty. The event is of the server of that name, ""
// if it is not known: each server has a source of its own. If audit keeps nothing it counts the line as skipped, with the reason.
func (f *file) audit(line []byte, server string) {
	s := f.of(server, evidence.Audit)
	about := false
	for _, r := range resources {
		about = about || bytes.Contains(line, r)
	}
	switch {
	case !about && line[len(line)-1] != '}': // cut off before it says what it is about
		f.remember(line)
		s.skip(broken)
		return
	case !about:
		s.known = true
		s.skip(otherResource)
		return
	}
	var e event
	if !e.parse(line) || e.Kind != "Event" && (e.Kind != "" || e.AuditID == "") || e.RequestReceivedTimestamp.IsZero() || e.StageTimestamp.Before(e.RequestReceivedTimestamp) {
		f.remember(line)
		s.skip(broken)
		return
	}
	if why := s.leaveOut(&e); why != "" {
		s.known = true
		s.skip(why)
		return
	}
	s.request(&e)
}

// eventIn keeps the request of an audit event, and from the line around it which server wrote it, and whether its times are those of one clock.
func (f *file) eventIn(line, event []byte) {
	server := serverOf(line, event)
	f.audit(event, server)
	if why := unsureOf(line, server); why != "" {
		f.of(server, evidence.Audit).at().Unsure = why
	}
}

// parse parses an audit event into e, and tells whether the line is one. The objects in the event need not be of a known form:
// they can be a list of changes.
func (e *event) parse(line []byte) bool {
	err := json.Unmarshal(line, e)
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return strings.HasPrefix(other.Field, "requestObject") || strings.HasPrefix(other.Field, "responseObject")
	}
	return err == nil
}

// leaveOut returns the reason why an audit event is not kept, "" if it is to be kept. Not kept are requests in progress, events that
// were read before, and requests that are not about one lock: lists, watches, subresources, those without a name, nodes' heartbeats,
// and those about ConfigMaps and Endpoints of which no record was seen.
func (s *stream) leaveOut(e *event) string {
	if e.Stage != "ResponseComplete" && e.Stage != "Panic" && !e.unauthenticated() {
		return otherStage
	}
	lock := e.lock()
	switch {
	case e.ObjectRef.Subresource != "" || lock.Name == "" || e.Verb == "list" || e.Verb == "watch" || lock.Namespace == nodes:
		return otherResource
	case lock.Resource != "leases" && !s.locks[lock] && e.RequestObject.kept() == nil && e.ResponseObject.kept() == nil:
		return otherResource
	case e.AuditID != "" && s.audited[digest(e.AuditID)]:
		return twice
	}
	return ""
}

// unauthenticated tells whether the event is that of a request whose credentials the server refused. kube-apiserver logs such a request at
// the stage ResponseStarted alone, and without a user.
func (e *event) unauthenticated() bool {
	return e.Stage == "ResponseStarted" && e.ResponseStatus.Code == 401 && e.User.Username == ""
}

// lock returns the object that the event is about. A request that creates something names it in the object alone. The name is ""
// if nothing tells it.
func (e *event) lock() evidence.Lock {
	l := evidence.Lock{Resource: e.ObjectRef.Resource, Namespace: e.ObjectRef.Namespace, Name: e.ObjectRef.Name}
	if l.Name == "" && e.Verb == "create" {
		l.Name = cmp.Or(e.RequestObject.Metadata.Name, e.ResponseObject.Metadata.Name) // without a name it is not kept
	}
	return l
}

// uid returns the UID of the object that the event is about, "" if it is not logged: that in the answer, or that in a request which the server
// took. A refused request can name an object that is gone.
func (e *event) uid() string {
	if uid := e.ResponseObject.Metadata.UID; uid != "" {
		return uid
	}
	if e.ResponseStatus.Code < 200 || e.ResponseStatus.Code > 299 {
		return ""
	}
	return cmp.Or(e.ObjectRef.UID, e.RequestObject.Metadata.UID)
}

// request keeps the request of an audit event. It also keeps the event's identifier in s.audited, extends the source's times
// and, if the event shows a record, keeps in s.locks that its object is a lock.
func (s *stream) request(e *event) {
	s.count(e.RequestReceivedTimestamp)
	s.at().Last = later(s.at().Last, e.StageTimestamp)
	s.audited[digest(e.AuditID)] = true
	q := evidence.Request{
		Place: s.place(), Lock: e.lock(), Verb: e.Verb, User: e.User.Username, Agent: e.UserAgent,
		Received: e.RequestReceivedTimestamp, Answered: e.StageTimestamp, Status: e.ResponseStatus.Code, Sent: e.ObjectRef.ResourceVersion,
		Decision: e.Annotations.Decision, UID: e.uid(),
	}
	if len(e.SourceIPs) > 0 {
		q.From = e.SourceIPs[0]
	}
	if len(e.User.Extra.Pods) == 1 {
		q.Pod = e.User.Extra.Pods[0]
	}
	if e.Stage == "Panic" {
		q.Status = 0
	}
	if e.Verb == "create" || e.Verb == "update" {
		q.Wrote = e.RequestObject.kept()
		if v := e.RequestObject.Metadata.ResourceVersion; v != "" {
			q.Sent = v
		}
	}
	if q.Saw = e.ResponseObject.kept(); q.Saw != nil {
		q.Got = e.ResponseObject.Metadata.ResourceVersion
	}
	if q.Wrote != nil || q.Saw != nil {
		s.locks[q.Lock] = true
	}
	s.e.Requests = append(s.e.Requests, s.compact(q))
}

// compact returns a request that shares memory with earlier ones: its texts are those kept before if they are equal, and the
// record in the answer is the one that was sent if both are equal.
func (r *Reader) compact(q evidence.Request) evidence.Request {
	for _, text := range []*string{&q.Lock.Resource, &q.Lock.Namespace, &q.Lock.Name, &q.Verb, &q.User, &q.Agent, &q.From, &q.Pod, &q.Decision, &q.UID} {
		r.intern(text)
	}
	for _, record := range []*evidence.Record{q.Wrote, q.Saw} {
		if record != nil {
			r.intern(&record.Holder)
		}
	}
	if q.Wrote != nil && q.Saw != nil && *q.Wrote == *q.Saw {
		q.Saw = q.Wrote
	}
	return q
}

// intern replaces a text by an equal one that was kept before, or keeps a copy of it. The copy holds no longer text in memory.
func (r *Reader) intern(text *string) {
	kept, known := r.texts[*text]
	if !known {
		kept = strings.Clone(*text)
		r.texts[kept] = kept
	}
	*text = kept
}

// digest returns a hash of the identifier of an audit event, which takes less memory.
func digest(id string) (d [16]byte) {
	sum := sha256.Sum256([]byte(id))
	copy(d[:], sum[:])
	return d
}
