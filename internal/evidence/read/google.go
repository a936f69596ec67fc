package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// googleAudit is how an entry of Google Cloud's audit logs says what it is.
const googleAudit = "google.cloud.audit.AuditLog"

// oneTime is why nothing is certain of an audit log of Google Cloud.
const oneTime = "An entry of Google Cloud's audit log has one time, and it is not documented whether that is when the server received the request or when it answered. Nor does the entry say which of " +
	"the cluster's API servers wrote it."

// googleEntry has the fields that are read here of an entry of Google Cloud's audit logs about Kubernetes.
type googleEntry struct {
	InsertID  string    `json:"insertId"`
	Timestamp time.Time `json:"timestamp"`
	Labels    struct {
		Decision string `json:"authorization.k8s.io/decision"`
	} `json:"labels"`
	Operation *struct {
		ID   string `json:"id"`
		Last bool   `json:"last"`
	} `json:"operation"`
	Resource struct {
		Labels struct {
			Cluster string `json:"cluster_name"`
		} `json:"labels"`
	} `json:"resource"`
	ProtoPayload struct {
		Type           string `json:"@type"`
		ServiceName    string `json:"serviceName"`
		MethodName     string `json:"methodName"`
		ResourceName   string `json:"resourceName"`
		Authentication struct {
			Principal string `json:"principalEmail"`
		} `json:"authenticationInfo"`
		Metadata struct {
			From  string `json:"callerIp"`
			Agent string `json:"callerSuppliedUserAgent"`
		} `json:"requestMetadata"`
		Status struct {
			Code int `json:"code"`
		} `json:"status"`
		Request  googleObject `json:"request"`
		Response googleObject `json:"response"`
	} `json:"protoPayload"`
}

// googleObject is the object of a request, or of an answer, which may be a Status: then code is the HTTP status.
type googleObject struct {
	item
	uid  string
	code int
}

// UnmarshalJSON never fails, since the objects of other requests have other forms: they are left empty.
func (o *googleObject) UnmarshalJSON(text []byte) error {
	var more struct {
		Code     int
		Metadata struct{ UID string }
	}
	var x item
	if json.Unmarshal(text, &x) == nil && json.Unmarshal(text, &more) == nil {
		o.item, o.uid, o.code = x, more.Metadata.UID, more.Code
	}
	return nil
}

// isGoogle tells whether a line in JSON is an entry of Google Cloud's audit logs.
func isGoogle(line []byte) bool {
	if line[0] != '{' || !bytes.Contains(line, []byte(googleAudit)) {
		return false
	}
	var e struct {
		ProtoPayload struct {
			Type string `json:"@type"`
		} `json:"protoPayload"`
	}
	_ = json.Unmarshal(line, &e) // the type may be found in spite of an error further on
	return strings.HasSuffix(e.ProtoPayload.Type, googleAudit)
}

// google keeps the request of an entry of Google Cloud's audit logs, which is the line. If it keeps nothing it counts the line as skipped, with the
// reason. Each cluster has a source of its own.
func (f *file) google(line []byte) {
	var x googleEntry
	err := json.Unmarshal(line, &x)
	s := f.of(x.Resource.Labels.Cluster, evidence.Audit)
	s.at().Unsure, s.at().OneTime = oneTime, true
	if err != nil || x.Timestamp.IsZero() {
		f.remember(line)
		s.skip(broken)
		return
	}
	s.known = true
	e := x.event()
	if x.ProtoPayload.ServiceName != "k8s.io" || !keepsRecords(e.ObjectRef.Resource) {
		s.skip(otherResource)
		return
	}
	if why := s.leaveOut(e); why != "" {
		s.skip(why)
		return
	}
	s.request(e)
}

// keepsRecords tells whether records are kept in objects of the resource.
func keepsRecords(resource string) bool {
	return slices.Contains(slices.Collect(maps.Values(kinds)), resource)
}

// event returns the entry as an event of an API server, which was received and answered at the entry's one time.
func (x *googleEntry) event() *event {
	p := &x.ProtoPayload
	e := &event{Event: Event{Kind: "Event", AuditID: x.InsertID, Stage: "ResponseComplete", UserAgent: p.Metadata.Agent, RequestReceivedTimestamp: x.Timestamp, StageTimestamp: x.Timestamp}}
	if x.Operation != nil {
		e.AuditID = cmp.Or(x.Operation.ID, x.InsertID)
		if !x.Operation.Last {
			e.Stage = "ResponseStarted"
		}
	}
	e.Verb = p.MethodName[strings.LastIndex(p.MethodName, ".")+1:]
	e.User.Username, e.Annotations.Decision = p.Authentication.Principal, x.Labels.Decision
	if p.Metadata.From != "" {
		e.SourceIPs = []string{p.Metadata.From}
	}
	e.RequestObject, e.ResponseObject = p.Request.item, p.Response.item
	// coordination.k8s.io/v1/namespaces/NAMESPACE/leases/NAME
	if path := strings.Split(p.ResourceName, "/"); len(path) >= 5 && path[2] == "namespaces" {
		e.ObjectRef.Namespace, e.ObjectRef.Resource = path[3], path[4]
		if len(path) > 5 {
			e.ObjectRef.Name = path[5]
		}
		e.ObjectRef.Subresource = strings.Join(path[min(6, len(path)):], "/")
	}
	e.ObjectRef.UID = cmp.Or(p.Response.uid, p.Request.uid)
	e.ResponseStatus.Code = googleStatus(p.Status.Code, &p.Response)
	return e
}

// googleStatus returns the HTTP status of an answer: the one that the answer itself has, if it is an error, or else that of
// the code of google.rpc in the entry; 500 for a code that is not known.
func googleStatus(code int, answer *googleObject) int {
	switch {
	case answer.Kind == "Status" && answer.code >= 100:
		return answer.code
	case code >= 0 && code < len(googleCodes):
		return googleCodes[code]
	}
	return 500
}

// googleCodes has for each code of google.rpc the HTTP status that google/rpc/code.proto gives for it.
var googleCodes = []int{200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401}

// isEntry tells whether a document in JSON is an entry of Google Cloud's logs that has the line of a process.
func isEntry(raw []byte) bool {
	var t tree
	return bytes.Contains(raw, []byte(`Payload"`)) && json.Unmarshal(raw, &t) == nil && t["logName"] != nil && (t["textPayload"] != nil || t["jsonPayload"] != nil)
}
