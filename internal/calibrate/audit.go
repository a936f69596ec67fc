package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/evidence/read"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
)

// maxProblems is how many broken lines are reported one by one.
const maxProblems = 20

// Filter says which requests count. A field that is "" leaves none out.
type Filter struct {
	// Resource is leases, configmaps or endpoints. User is the name that the server gives to whoever made the request.
	Resource, Namespace, Name, User string
}

// Audit measures round trips on the server's side, from its audit logs: from when it received a request until it had
// sent the answer. Every line is in exactly one of the counts or in the measurement.
type Audit struct {
	Filter
	Measurement
	Counts
	// Problems has the first of the lines that are broken.
	Problems []files.Problem
	// Backwards says where the clock of a log ran backwards, by more than answers that are logged late explain; nil if none did.
	Backwards *files.Problem
	latest    time.Time
	// seen has hashes of the measured events' IDs, as many as moments are kept.
	seen map[uint64]struct{}
}

// Counts says what the lines of audit logs are.
type Counts struct {
	// Lines is how many lines are not blank.
	Lines int64 `json:"lines"`
	// OtherStages counts events of requests in progress. OtherRequests counts those about other resources, or with other
	// verbs than get, create, update and patch. Filtered counts those that the rest of the filter leaves out.
	OtherStages   int64 `json:"otherStages"`
	OtherRequests int64 `json:"otherRequests"`
	Filtered      int64 `json:"filtered"`
	// Repeated counts events that were read before: one file was given twice, or a copy of it.
	Repeated int64 `json:"repeated,omitempty"`
	// Broken counts lines that are no event.
	Broken int64 `json:"broken"`
	// First and Last are when the server received the first and the last of the measured requests.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// event has those fields of an Event of audit.k8s.io/v1 that are needed.
type event struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	AuditID    string `json:"auditID"`
	Stage      string `json:"stage"`
	Verb       string `json:"verb"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		APIGroup    string `json:"apiGroup"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
	StageTimestamp           time.Time `json:"stageTimestamp"`
}

// Read reads an audit log, which may be compressed with gzip or be an export of a provider, and adds it to the measurement. name is the log's name in
// messages. Broken lines are counted and skipped. The error is a files.Problem; it means that the rest of the log could
// not be read.
func (a *Audit) Read(name string, r io.Reader) error {
	a.latest = time.Time{}
	at := files.Position{File: name}
	b, err := read.Plain(r)
	if err != nil {
		return files.Problem{Position: at, Text: "cannot be read: " + err.Error()}
	}
	if read.IsExport(b) {
		err := read.Export(b, func(entry []byte) {
			at.Line++
			a.line(at, entry, len(entry) > read.MaxLine)
		})
		if err != nil {
			return files.Problem{Position: files.Position{File: name}, Text: "is an export that is not whole: " + err.Error()}
		}
		return nil
	}
	var line []byte
	for {
		at.Line++
		var long bool
		var err error
		line, long, err = read.Line(b, line[:0])
		if err != nil && !errors.Is(err, io.EOF) {
			return files.Problem{Position: at, Text: "cannot be read: " + err.Error()}
		}
		a.line(at, line, long)
		if err != nil {
			return nil
		}
	}
}

// line counts one line of a log in a, unless it is blank. If the line is broken, it adds a problem at position at. If the
// clock ran backwards before the line, it notes that in a.Backwards. If long is true, the line was longer than
// read.MaxLine, and not kept whole.
func (a *Audit) line(at files.Position, line []byte, long bool) {
	if line = bytes.TrimSpace(line); len(line) == 0 && !long {
		return
	}
	a.Lines++
	err := fmt.Errorf("the line is longer than %d MiB", read.MaxLine>>20)
	before := a.latest
	if !long {
		if inside := read.AuditIn(line); inside != nil {
			line = inside
		}
		err = a.event(line)
	}
	if by := before.Sub(a.latest); err == nil && by > lateBy && a.Backwards == nil {
		a.Backwards = &files.Problem{Position: at, Text: fmt.Sprintf("stageTimestamp is %v before that of an earlier line: the clock ran "+
			"backwards, or several logs are in one file; want a log in the order of time", by)}
	}
	if before.After(a.latest) {
		a.latest = before
	}
	if err == nil {
		return
	}
	a.Broken++
	if len(a.Problems) < maxProblems {
		a.Problems = append(a.Problems, files.Problem{Position: at, Text: phrase.OneLine(err.Error())})
	}
}

// lateBy is how much later than others an event may be logged.
const lateBy = time.Minute

// event adds an audit event to the measurement if it ends a request of an elector, and only counts it otherwise. An
// error says what is wrong with the line.
func (a *Audit) event(line []byte) error {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("want an audit event in JSON on one line: %s", phrase.JSON(err))
	}
	switch {
	case e.Kind != "Event" || e.APIVersion != "audit.k8s.io/v1":
		return fmt.Errorf("want kind Event of audit.k8s.io/v1, got kind %s of %s", phrase.Quote(e.Kind),
			phrase.Quote(e.APIVersion))
	case e.Stage != "ResponseComplete" && e.Stage != "Panic":
		return a.otherStage(e.Stage)
	case !a.about(&e):
		a.OtherRequests++
		return nil
	case a.leavesOut(&e):
		a.Filtered++
		return nil
	}
	if a.again(&e) {
		a.Repeated++
		return nil
	}
	return a.measure(&e)
}

// again tells whether the event was measured before. If not, it remembers the event in a.seen, unless that has mostMoments already.
// An event without an ID is always new.
func (a *Audit) again(e *event) bool {
	if e.AuditID == "" {
		return false
	}
	h := fnv.New64a()
	fmt.Fprint(h, e.AuditID, e.Verb, e.ResponseStatus.Code, e.RequestReceivedTimestamp.UnixNano(), e.StageTimestamp.UnixNano())
	_, before := a.seen[h.Sum64()]
	if !before && len(a.seen) < mostMoments {
		if a.seen == nil {
			a.seen = map[uint64]struct{}{}
		}
		a.seen[h.Sum64()] = struct{}{}
	}
	return before
}

// otherStage counts an event of an earlier stage of a request in a.OtherStages. It returns an error for an unknown
// stage.
func (a *Audit) otherStage(stage string) error {
	if stage != "RequestReceived" && stage != "ResponseStarted" {
		return fmt.Errorf("stage: want RequestReceived, ResponseStarted, ResponseComplete or Panic, got %s", phrase.Quote(stage))
	}
	a.OtherStages++
	return nil
}

// about tells whether an event is of a get, create, update or patch of the filter's resource, as electors make. Lists
// and watches are none.
func (a *Audit) about(e *event) bool {
	o := &e.ObjectRef
	switch e.Verb {
	case "get", "create", "update", "patch":
		return o.Resource == a.Resource && o.APIGroup == groups[o.Resource] && o.Subresource == ""
	}
	return false
}

// groups are the API groups of the resources in which electors keep their records; the core's is "".
var groups = map[string]string{"leases": "coordination.k8s.io"}

// leavesOut tells whether the filter's namespace, name or user leaves the event out.
func (a *Audit) leavesOut(e *event) bool {
	return a.Namespace != "" && a.Namespace != e.ObjectRef.Namespace || a.Name != "" && a.Name != e.ObjectRef.Name ||
		a.User != "" && a.User != e.User.Username
}

// measure adds the length and the status of an event's request to the measurement, and sets a.latest, a.First and a.Last.
// An error names the field that is wrong.
func (a *Audit) measure(e *event) error {
	if !e.StageTimestamp.IsZero() {
		a.latest = e.StageTimestamp
	}
	received, took := e.RequestReceivedTimestamp, e.StageTimestamp.Sub(e.RequestReceivedTimestamp)
	switch {
	case received.IsZero():
		return errors.New("requestReceivedTimestamp: want a time, got none")
	case e.StageTimestamp.IsZero():
		return errors.New("stageTimestamp: want a time, got none")
	case took < 0:
		return fmt.Errorf("stageTimestamp: want a time after requestReceivedTimestamp, got one %v before it", -took)
	case took > bound.MaxDuration:
		return fmt.Errorf("stageTimestamp: want a time within a year of requestReceivedTimestamp, got %v", took)
	case e.Stage == "Panic":
		a.keep(received, took, 0)
		a.fail("panic", took)
		return nil
	case e.ResponseStatus.Code < 100 || e.ResponseStatus.Code > 599:
		return fmt.Errorf("responseStatus.code: want an HTTP status, got %d", e.ResponseStatus.Code)
	}
	a.keep(received, took, e.ResponseStatus.Code)
	a.answer(e.Verb, e.ResponseStatus.Code, took)
	if a.First.IsZero() || received.Before(a.First) {
		a.First = received
	}
	if received.After(a.Last) {
		a.Last = received
	}
	return nil
}
