// Package evidence has what the logs of a cluster say about elections, line by line, without conclusions. Package investigate draws
// them.
//
// Every source has a clock of its own: times of different sources are not comparable as they stand.
package evidence

import (
	"slices"
	"time"
)

// Kind is the kind of a source.
type Kind string

// The kinds of source.
const (
	// Audit is an audit log of an API server; its times are by the server's clock.
	Audit Kind = "audit log"
	// Log is what a process has written; its times are by the clock of the process's node.
	Log Kind = "process log"
	// Events are Kubernetes events, whose times are those of whoever reported them, in whole seconds or microseconds.
	Events Kind = "events"
	// Objects are Leases, or ConfigMaps and Endpoints with a record, as kubectl prints them.
	Objects Kind = "objects"
	// Metrics are answers of Prometheus; their times are by its clock.
	Metrics Kind = "metrics"
)

// Source is one file, or the part of it that one process, or one API server, has written.
type Source struct {
	// File is the path as it was given; "-" is standard input.
	File string
	Kind Kind
	// Process is the pod or process that has written it, as the file says; "" if it does not. Of an audit log it is what tells the API server from
	// others, such as the name of a stream in CloudWatch.
	Process string
	// Container is the container of the pod, "" if the log does not say it. A pod's containers are processes of their own.
	Container string
	// Assumed: Process is guessed from the file's name.
	Assumed bool
	// First and Last are the earliest and the latest time in it; zero if there is none.
	First, Last time.Time
	// Zoneless: some of its stamps name no zone, and nobody said which one they are in. What was taken for it is in Notes.
	Zoneless bool
	// Order is in which order the lines of a process log are, by their stamps.
	Order Order
	// Unsure is why the times in an audit log are not known to be those of one clock: nothing that needs them is certain. It is "" if they are.
	Unsure string
	// OneTime: each request in an audit log has one time, which stands for its receipt and its answer.
	OneTime bool
	// Lines is how many lines, or objects, were read. Skipped says of how many nothing was kept, and why.
	Lines   int64
	Skipped []Skipped
	// Notes say what was assumed to read it, such as the year of stamps that have none.
	Notes []string
}

// Kept returns of how many of the lines, or objects, something was kept.
func (s *Source) Kept() int64 {
	kept := s.Lines
	for _, k := range s.Skipped {
		kept -= k.Count
	}
	return kept
}

// Note adds a note, unless it is there already.
func (s *Source) Note(text string) {
	if !slices.Contains(s.Notes, text) {
		s.Notes = append(s.Notes, text)
	}
}

// Order is the order of lines in a file.
type Order string

// The orders. In a file of another order than the last two a line is not written before the one above it.
const (
	// NewestFirst: no line is written after the one above it.
	NewestFirst Order = "newest first"
	// NoOrder: nothing follows from where a line stands.
	NoOrder Order = "none"
)

// Skipped counts the lines or objects of a source of which nothing was kept, for one reason.
type Skipped struct {
	Why   string
	Count int64
}

// Place is where something stands in the sources.
type Place struct {
	// Source is an index into Evidence.Sources; Line counts from 1. In Kubernetes' objects and in answers of Prometheus it is the number
	// of the object or of the value.
	Source, Line int
}

// Lock names a lock.
type Lock struct {
	// Resource is leases, configmaps or endpoints.
	Resource, Namespace, Name string
}

// Record is an election record as it stands in an object. Times are by the clock of whoever has written them.
type Record struct {
	// Holder is "" if the lock is released, or has never been held.
	Holder string
	// Duration is the record's lease duration, in whole seconds; 0 if it has none.
	Duration       time.Duration
	Acquire, Renew time.Time
	Transitions    int
}

// Request is a request about a lock, as the API server's audit log has it.
type Request struct {
	Place
	Lock Lock
	// Verb is get, create, update, patch, delete, list or watch.
	Verb string
	// User is the server's name for whoever asked, Agent its user agent, From its address, Pod the pod that its token was made for; each is "" if it
	// is not logged.
	User, Agent, From, Pod string
	// Received is when the server had received it, Answered when it had sent the answer.
	Received, Answered time.Time
	// Status is the HTTP status of the answer; 0 if the server has panicked or given up.
	Status int
	// Wrote is the record as it was sent, Saw the one in the answer; nil if the audit level does not log it, or there is none.
	Wrote, Saw *Record
	// Decision is what the authorizer said, "" if the log does not say it, or the request was refused before it was asked.
	Decision string
	// Sent is the resourceVersion that was sent, Got the one in the answer; "" if it is not logged.
	Sent, Got string
	// UID is that of the object, "" if it is not logged.
	UID string
}

// Step is what a line of a process's log says that the process does.
type Step string

// The steps.
const (
	// Tries: it begins to stand for election.
	Tries Step = "tries"
	// Acquired: it has acquired the lock.
	Acquired Step = "acquired"
	// Held: an attempt has found that Identity holds the lock.
	Held Step = "held"
	// Waits: an attempt to acquire the lock has not succeeded; the process goes on standing for election.
	Waits Step = "waits"
	// Failed: a request, or an attempt, has failed; Text says why.
	Failed Step = "failed"
	// Waited: the client held a request about the lock back; Text says why.
	Waited Step = "waited"
	// Lost: it has given up renewing, and believes no longer.
	Lost Step = "lost"
	// Released: it has released the lock.
	Released Step = "released"
	// Observed: it has seen that Identity leads.
	Observed Step = "observed"
	// Ends: it says that it exits, or that the work has ended.
	Ends Step = "ends"
)

// Saying is a line of a process's log about an election.
type Saying struct {
	Place
	// At is the earliest time that the stamp stands for; the line was written before At+Unit. A Unit of 0 is as a second.
	At   time.Time
	Unit time.Duration
	// Relayed: the stamp is that of the container's runtime, and later than the writing.
	Relayed bool
	// Strange: what stands before the line has no known form, so that the line may be another process's.
	Strange bool
	// Lock is the zero value if the line does not name it; its Resource is always "". Resource is that of the object that the line's
	// error names, "" if it names none.
	Lock     Lock
	Resource string
	Step     Step
	// Identity is whom the line names: the holder, for Held and Observed; "" if it names nobody.
	Identity string
	// Text is the message of the line, without its stamp.
	Text string
	// Client is the client in another language whose words these are, "" for those of client-go, and of others that elect as it does.
	// From another client's line nothing follows that only client-go's algorithm implies.
	Client string
}

// Silence is a time in which a process has written nothing, between two lines of its log.
type Silence struct {
	Place
	From, Until time.Time
}

// Notice is a Kubernetes event about a lock, or the line of a log with which a process has reported one. Its times are by the clock of
// whoever reported it, each the earliest that the event stands for: it was before the time and Unit.
type Notice struct {
	Place
	// Count is how often it happened, First the first time and At the last one.
	First, At time.Time
	Count     int
	Unit      time.Duration
	Lock      Lock
	Identity  string
	// Leads: it became the leader; otherwise it stopped leading.
	Leads bool
	// Relayed: it is a line of a process's log, and its times are those of the container's runtime, which are later.
	Relayed bool
}

// Snapshot is an object of a lock as somebody has read it.
type Snapshot struct {
	Place
	// At is when it was read, zero if the file does not say.
	At      time.Time
	Lock    Lock
	Record  Record
	Version string
}

// Sample is one value of a process's metric: whether the process leads.
type Sample struct {
	Place
	// At is the sample's time; what it says was so by Age before that at the earliest.
	At  time.Time
	Age time.Duration
	// Process is the pod or the instance of the series; Name is that of the election. Namespace is that of the series, "" if it has none.
	Process, Name, Namespace string
	Leads                    bool
}

// Evidence is all that the sources say. Each list is in the order of the sources, and of the lines in each.
type Evidence struct {
	Sources   []Source
	Requests  []Request
	Sayings   []Saying
	Silences  []Silence
	Notices   []Notice
	Snapshots []Snapshot
	Samples   []Sample
	// Elsewhere are requests about any lock that were slow, refused or failed, by when they were received. Readers leave it empty; what divides the
	// evidence by locks fills it.
	Elsewhere []Request
}
