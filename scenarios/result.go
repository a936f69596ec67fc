package scenarios

// Result is what a run showed. Its JSON form is part of the contract: fields may be added, never changed.
// All times are in nanoseconds of true time since the start of the run.
type Result struct {
	Scenario  string `json:"scenario"`
	Seed      uint64 `json:"seed"`
	TraceHash string `json:"traceHash"`
	Stats     Stats  `json:"stats"`
	// Terms and Writes are nil where they were not asked for.
	Terms      []Term     `json:"terms,omitzero"`
	Writes     []Write    `json:"writes,omitzero"`
	Properties []Property `json:"properties"`
	// Resource is nil where no work writes (writeEvery).
	Resource *Resource `json:"resource,omitempty"`
	// Void are the faults that found nobody.
	Void       []VoidFault `json:"void,omitempty"`
	AsExpected bool        `json:"asExpected"`
}

// Stats counts what a run did.
type Stats struct {
	// Events is the number of events in the trace.
	Events uint64 `json:"events"`
	// StoreOps is the number of requests that reached the store, reads included.
	StoreOps  uint64 `json:"storeOps"`
	VirtualNs int64  `json:"virtualNs"`
}

// Term is one stretch of guarded work. A time is nil where it had not come by the horizon.
type Term struct {
	Candidate   string `json:"candidate"`
	Incarnation int32  `json:"incarnation"`
	// Election is "" where there is but one.
	Election    string `json:"election,omitempty"`
	StartedNs   int64  `json:"startedNs"`
	CancelledNs *int64 `json:"cancelledNs,omitempty"`
	EndedNs     *int64 `json:"endedNs,omitempty"`
	StoppedNs   *int64 `json:"stoppedNs,omitempty"`
}

// Write is one write that the lock service applied and that changed something.
type Write struct {
	AtNs        int64  `json:"atNs"`
	Candidate   string `json:"candidate"`
	Verb        string `json:"verb"`
	Holder      string `json:"holder"`
	Version     uint64 `json:"version"`
	Transitions int64  `json:"transitions"`
	// Object is the kind of object, "" where all candidates' locks are on the Lease.
	Object string `json:"object,omitempty"`
	// Election is "" where there is but one.
	Election string `json:"election,omitempty"`
}

// VoidFault is a fault that did nothing, since it found nobody.
type VoidFault struct {
	AtNs int64 `json:"atNs"`
	// Fault is its place in the file, from 0.
	Fault int    `json:"fault"`
	Kind  string `json:"kind"`
}
