package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/evidence/read"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
)

// maxProblems bounds how many broken lines are reported one by one.
const maxProblems = 20

// Filter says which requests count: those that match each of its fields. Namespace, Name and User match everything if they are
// "".
type Filter struct {
	// Resource is leases, configmaps or endpoints. User is the name that the server gives to the one who made the request.
	Resource, Namespace, Name, User string
}

// Audit measures round trips on the server's side, from its audit logs: from when the server received a request until it had sent
// the answer. Every line that is not blank is either in exactly one of the counts from OtherStages to Broken, or in the
// measurement.
type Audit struct {
	Filter
	Measurement
	Counts
	// Problems has the first broken lines, at most maxProblems.
	Problems []files.Problem
	// Backwards says where the clock of a log first ran backwards, by more than lateBy; nil if no clock did.
	Backwards *files.Problem
	latest    time.Time
	// seen has hashes of the measured events, at most mostMoments.
	seen map[uint64]struct{}
}

// Counts says how many lines of audit logs there are of each sort.
type Counts struct {
	// Lines counts all lines that are not blank.
	Lines int64 `json:"lines"`
	// OtherStages counts events of requests that are still in progress. OtherRequests counts events about other resources, or
	// with other verbs than get, create, update and patch. Filtered counts events that the filter's namespace, name or user
	// leaves out.
	OtherStages   int64 `json:"otherStages"`
	OtherRequests int64 `json:"otherRequests"`
	Filtered      int64 `json:"filtered"`
	// Repeated counts events that were measured before, since a file, or a copy of it, was given twice.
	Repeated int64 `json:"repeated,omitempty"`
	// Broken counts lines that are no audit event, or an event that cannot be measured.
	Broken int64 `json:"broken"`
	// First and Last are when the server received the first and the last measured request that it answered.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

// Read reads an audit log, and adds it to the measurement. The log can be compressed with gzip, or be an export of a provider.
// name is the log's name in messages. Broken lines are counted and skipped. The error is a files.Problem: the rest of the log
// could not be read, and what came before it is kept.
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

// line counts one line of a log in a, unless it is blank. If the line is broken, it adds a problem at the position at, as long as
// there are fewer than maxProblems. If the clock ran backwards before the line, it stores that in a.Backwards. If long is true,
// the line was longer than read.MaxLine, and line has only a part of it.
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

// lateBy is how much later than others an event can be logged without a clock that ran backwards.
const lateBy = time.Minute

// event adds an audit event to the measurement if it ends a request of an elector. Otherwise it only counts it, in OtherStages,
// OtherRequests, Filtered or Repeated. It returns an error if the line is no audit event, or one that cannot be measured.
func (a *Audit) event(line []byte) error {
	var e read.Event
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

// again tells whether the event was measured before. If it was not, again stores its hash in a.seen, unless that has mostMoments
// already. An event without an ID always counts as new.
func (a *Audit) again(e *read.Event) bool {
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

// otherStage counts in a.OtherStages an event of an earlier stage of a request. If the stage is unknown, it returns an error, and
// counts nothing.
func (a *Audit) otherStage(stage string) error {
	if stage != "RequestReceived" && stage != "ResponseStarted" {
		return fmt.Errorf("stage: want RequestReceived, ResponseStarted, ResponseComplete or Panic, got %s", phrase.Quote(stage))
	}
	a.OtherStages++
	return nil
}

// about tells whether an event is of a get, create, update or patch of the filter's resource, as electors send them. It is false
// for lists, watches and subresources.
func (a *Audit) about(e *read.Event) bool {
	o := &e.ObjectRef
	switch e.Verb {
	case "get", "create", "update", "patch":
		return o.Resource == a.Resource && o.APIGroup == groups[o.Resource] && o.Subresource == ""
	}
	return false
}

// groups are the API groups of the resources in which electors keep their records; the core's is "".
var groups = map[string]string{"leases": "coordination.k8s.io"}

// leavesOut tells whether the event does not match the namespace, the name or the user of the filter.
func (a *Audit) leavesOut(e *read.Event) bool {
	return a.Namespace != "" && a.Namespace != e.ObjectRef.Namespace || a.Name != "" && a.Name != e.ObjectRef.Name ||
		a.User != "" && a.User != e.User.Username
}

// requestOf returns the request of an event, with that status.
func requestOf(e *read.Event, status int) *Request {
	return &Request{
		Verb: e.Verb, Received: e.RequestReceivedTimestamp, Answered: e.StageTimestamp, Status: status,
		Client: strings.Join(e.SourceIPs, " ") + "\n" + e.UserAgent + "\n" + e.User.Username,
		Lock:   e.ObjectRef.Resource + "/" + e.ObjectRef.Namespace + "/" + e.ObjectRef.Name,
	}
}

// measure adds the length and the status of an event's request to the measurement. It sets a.First and a.Last if the event is no
// panic. It returns an error that names the field, and adds nothing, if a field is wrong. It sets a.latest if the event has a
// StageTimestamp, even if another field is wrong.
func (a *Audit) measure(e *read.Event) error {
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
		a.keep(requestOf(e, 0))
		a.fail("panic", took)
		return nil
	case e.ResponseStatus.Code < 100 || e.ResponseStatus.Code > 599:
		return fmt.Errorf("responseStatus.code: want an HTTP status, got %d", e.ResponseStatus.Code)
	}
	a.keep(requestOf(e, e.ResponseStatus.Code))
	a.answer(e.Verb, e.ResponseStatus.Code, took)
	if a.First.IsZero() || received.Before(a.First) {
		a.First = received
	}
	if received.After(a.Last) {
		a.Last = received
	}
	return nil
}
