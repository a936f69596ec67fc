package scenarios

// Result is the result of a run. Its JSON form is stable: fields may be added, never changed.
// All times are in nanoseconds of true time since the start of the run.
type Result struct {
	Scenario  string `json:"scenario"`
	Seed      uint64 `json:"seed"`
	TraceHash string `json:"traceHash"`
	Stats     Stats  `json:"stats"`
	// Terms and Writes are nil if Options.Brief was set.
	Terms      []Term     `json:"terms,omitzero"`
	Writes     []Write    `json:"writes,omitzero"`
	Properties []Property `json:"properties"`
	// Held are the requests that their client did not send, or kept back for a tenth of RenewDeadline or longer. It is nil if
	// Options.Brief was set.
	Held []HeldRequest `json:"held,omitempty"`
	// Resource is nil if no work wrote the guarded resource (writeEvery).
	Resource *Resource `json:"resource,omitempty"`
	// Void lists the faults that had no effect.
	Void []VoidFault `json:"void,omitempty"`
	// AsExpected tells whether each property is as the scenario expects: see Fulfils.
	AsExpected bool `json:"asExpected"`
	// Expect is the scenario's. It is nil only in a result that was saved before results had it.
	Expect map[string]Expectation `json:"expect,omitzero"`
}

// Stats measures a run.
type Stats struct {
	// Events is the number of events in the trace.
	Events uint64 `json:"events"`
	// StoreOps is the number of requests that reached the store, reads included.
	StoreOps uint64 `json:"storeOps"`
	// VirtualNs is how much true time the run covered.
	VirtualNs int64 `json:"virtualNs"`
}

// Term is a candidate's guarded work from its start to its end. StoppedNs is when OnStoppedLeading was called. A time is
// nil if it had not come by the horizon.
type Term struct {
	Candidate   string `json:"candidate"`
	Incarnation int32  `json:"incarnation"`
	// Election is "" if there is only one.
	Election    string `json:"election,omitempty"`
	StartedNs   int64  `json:"startedNs"`
	CancelledNs *int64 `json:"cancelledNs,omitempty"`
	EndedNs     *int64 `json:"endedNs,omitempty"`
	StoppedNs   *int64 `json:"stoppedNs,omitempty"`
}

// Write is a write that the lock service applied and that changed the object.
type Write struct {
	AtNs        int64  `json:"atNs"`
	Candidate   string `json:"candidate"`
	Verb        string `json:"verb"`
	Holder      string `json:"holder"`
	Version     uint64 `json:"version"`
	Transitions int64  `json:"transitions"`
	// Object is the kind of object, "" if all candidates' locks are on the Lease.
	Object string `json:"object,omitempty"`
	// Election is "" if there is only one.
	Election string `json:"election,omitempty"`
}

// HeldRequest is a request of the lock that its client kept back.
type HeldRequest struct {
	AtNs      int64     `json:"atNs"`
	Candidate string    `json:"candidate"`
	Verb      string    `json:"verb"`
	Cause     HeldCause `json:"cause"`
	// ForNs is for how long, on the candidate's clock; 0 if the request was never sent. The wait may go on beyond the horizon.
	ForNs int64 `json:"forNs,omitempty"`
	// Election is "" if there is only one.
	Election string `json:"election,omitempty"`
}

// HeldCause is why a client keeps back a request.
type HeldCause string

// The causes.
const (
	// HeldByLimiter: it waits for a token of its client's limiter.
	HeldByLimiter HeldCause = "limiter"
	// HeldByRetryAfter: its answer has asked the client to send it again after that time.
	HeldByRetryAfter HeldCause = "retryAfter"
	// HeldRefused: it was never sent, since it would have waited for the limiter beyond the end of its context.
	HeldRefused HeldCause = "refused"
)

// VoidFault is a fault that had no effect: there was nobody or nothing that it could affect or change, or AtNs is not before the horizon.
type VoidFault struct {
	AtNs int64 `json:"atNs"`
	// Fault is its index in the scenario's faults.
	Fault int    `json:"fault"`
	Kind  string `json:"kind"`
}
