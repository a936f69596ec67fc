package trace

// fileEvent is an event as a line of a trace file. Its fields are those of fieldsOf.
type fileEvent struct {
	AtNs         int64   `json:"atNs"`
	Seq          uint64  `json:"seq"`
	Kind         string  `json:"kind"`
	Candidate    string  `json:"candidate"`
	Incarnation  int32   `json:"incarnation"`
	Request      uint64  `json:"request"`
	Verb         string  `json:"verb"`
	Cause        string  `json:"cause"`
	Metric       string  `json:"metric"`
	Holder       string  `json:"holder"`
	Identity     string  `json:"identity"`
	Text         string  `json:"text"`
	Status       int16   `json:"status"`
	Version      uint64  `json:"version"`
	Base         uint64  `json:"base"`
	Transitions  int64   `json:"transitions"`
	DelayNs      int64   `json:"delayNs"`
	LeaseSeconds int64   `json:"leaseSeconds"`
	JumpNs       int64   `json:"jumpNs"`
	DriftPPM     int32   `json:"driftPPM"`
	Term         int32   `json:"term"`
	Fault        int32   `json:"fault"`
	On           []int32 `json:"on"`
	Object       string  `json:"object"`
	Election     string  `json:"election"`
}

// event converts the line to an Event, without its candidate. An unknown kind becomes 0. An unknown verb, cause or
// object becomes the bound above all others. A field that the event's kind does not have is ignored.
func (f *fileEvent) event() Event {
	e := Event{At: f.AtNs, Seq: f.Seq, Incarnation: f.Incarnation}
	for k := RunStarted; k < kinds; k++ {
		if kindNames[k] == f.Kind {
			e.Kind = k
		}
	}
	for _, field := range fieldsOf[e.Kind] {
		field.read(f, &e)
	}
	return e
}

// named returns the value below bound whose String is name, and bound where there is none.
func named[T interface {
	~uint8
	String() string
}](bound T, name string) T {
	for v := range bound {
		if v.String() == name {
			return v
		}
	}
	return bound
}
