package trace

import "strconv"

// field is one field of an event in a trace file. A field of Event that means different things for different
// kinds has a name for each meaning.
type field struct {
	// label precedes the value in a line of a trace file: a comma, the name and a colon.
	label string
	// write appends the value to a line, and read takes it from one.
	write func(t *Writer, b []byte, e *Event) []byte
	read  func(f *fileEvent, e *Event)
	// says tells whether the field would say anything in a line; nil if it always does. It is left out otherwise.
	says func(t *Writer, e *Event) bool
}

// signed returns a field with a signed number. The function of returns a pointer to the number in an event. The function in
// returns the number of a line that was read.
func signed[N int16 | int32 | int64](name string, of func(*Event) *N, in func(*fileEvent) N) *field {
	return &field{
		label: `,"` + name + `":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return strconv.AppendInt(b, int64(*of(e)), 10) },
		read:  func(f *fileEvent, e *Event) { *of(e) = in(f) },
	}
}

// unsigned returns a field with an unsigned number. The parameters are those of signed.
func unsigned(name string, of func(*Event) *uint64, in func(*fileEvent) uint64) *field {
	return &field{
		label: `,"` + name + `":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return strconv.AppendUint(b, *of(e), 10) },
		read:  func(f *fileEvent, e *Event) { *of(e) = in(f) },
	}
}

// text returns a field whose value is the event's Holder. The function in returns the value of a line that was read.
func text(name string, in func(*fileEvent) string) *field {
	return &field{
		label: `,"` + name + `":`,
		write: func(t *Writer, b []byte, e *Event) []byte { return append(b, t.quoted(e.Holder)...) },
		read:  func(f *fileEvent, e *Event) { e.Holder = in(f) },
	}
}

// cause returns a field whose value is the name of the event's Cause. The function in returns that name from a line that was
// read.
func cause(name string, in func(*fileEvent) string) *field {
	return &field{
		label: `,"` + name + `":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return appendName(b, e.Cause.String()) },
		read:  func(f *fileEvent, e *Event) { e.Cause = named(causes, in(f)) },
	}
}

var (
	requestField     = unsigned("request", func(e *Event) *uint64 { return &e.Request }, func(f *fileEvent) uint64 { return f.Request })
	causeField       = cause("cause", func(f *fileEvent) string { return f.Cause })
	metricField      = cause("metric", func(f *fileEvent) string { return f.Metric })
	holderField      = text("holder", func(f *fileEvent) string { return f.Holder })
	identityField    = text("identity", func(f *fileEvent) string { return f.Identity })
	textField        = text("text", func(f *fileEvent) string { return f.Text })
	statusField      = signed("status", func(e *Event) *int16 { return &e.Status }, func(f *fileEvent) int16 { return f.Status })
	versionField     = unsigned("version", func(e *Event) *uint64 { return &e.Version }, func(f *fileEvent) uint64 { return f.Version })
	baseField        = unsigned("base", func(e *Event) *uint64 { return &e.Base }, func(f *fileEvent) uint64 { return f.Base })
	transitionsField = signed("transitions", func(e *Event) *int64 { return &e.Transitions }, func(f *fileEvent) int64 { return f.Transitions })
	delayField       = signed("delayNs", amount, func(f *fileEvent) int64 { return f.DelayNs })
	leaseField       = signed("leaseSeconds", amount, func(f *fileEvent) int64 { return f.LeaseSeconds })
	jumpField        = signed("jumpNs", amount, func(f *fileEvent) int64 { return f.JumpNs })
	driftField       = signed("driftPPM", func(e *Event) *int32 { return &e.Rate }, func(f *fileEvent) int32 { return f.DriftPPM })
	termField        = signed("term", func(e *Event) *int32 { return &e.Term }, func(f *fileEvent) int32 { return f.Term })
	faultField       = signed("fault", func(e *Event) *int32 { return &e.Fault }, func(f *fileEvent) int32 { return f.Fault })
	verbField        = &field{
		label: `,"verb":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return appendName(b, e.Verb.String()) },
		read:  func(f *fileEvent, e *Event) { e.Verb = named(verbs, f.Verb) },
	}
	// onField is written only where a fault is on some candidates: see Event.On.
	onField = &field{
		label: `,"on":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return appendList(b, e.On) },
		read:  func(f *fileEvent, e *Event) { e.On = f.On },
		says:  func(_ *Writer, e *Event) bool { return e.On != nil },
	}
	// objectField is written only where objects other than the Lease are locked: see Candidate.Objects.
	objectField = &field{
		label: `,"object":`,
		write: func(_ *Writer, b []byte, e *Event) []byte { return appendName(b, e.Object.String()) },
		read: func(f *fileEvent, e *Event) {
			if f.Object != "" {
				e.Object = named(Object(Objects), f.Object)
			}
		},
		says: func(t *Writer, _ *Event) bool { return t.objects },
	}
	// electionField is written only if there are several elections: see Header.Elections. The reader, which knows them,
	// reads it.
	electionField = &field{
		label: `,"election":`,
		write: func(t *Writer, b []byte, e *Event) []byte { return append(b, t.elections[e.Election]...) },
		read:  func(*fileEvent, *Event) {},
		says:  func(t *Writer, _ *Event) bool { return t.elections != nil },
	}
	// endField is written only for a process that ended, or was told to, without a fault of its own.
	endField = &field{
		label: causeField.label, write: causeField.write, read: causeField.read,
		says: func(_ *Writer, e *Event) bool { return e.Cause != NoCause },
	}
)

// amount returns a pointer to the event's Amount. What that means depends on the event's kind.
func amount(e *Event) *int64 { return &e.Amount }

var applied = []*field{requestField, verbField, statusField, versionField, baseField, holderField,
	transitionsField, leaseField, objectField}

// fieldsOf lists the fields of each kind, as the comments beside the kinds do.
var fieldsOf = [kinds][]*field{
	RunStarted:       {identityField},
	RequestSent:      {requestField, verbField, holderField, delayField, objectField},
	RequestLost:      {requestField, verbField, objectField},
	RequestRefused:   {requestField, verbField, statusField, objectField},
	RequestApplied:   applied,
	Written:          applied,
	ResponseLost:     {requestField, verbField, objectField},
	ResponseHandled:  {requestField, verbField, statusField, objectField},
	ResponseLate:     {requestField, verbField, objectField},
	GaveUp:           {requestField, verbField, causeField, objectField},
	RequestQueued:    {requestField, verbField, delayField, objectField},
	RequestHeld:      {requestField, verbField, statusField, delayField, objectField},
	LocalError:       {verbField, causeField, objectField},
	WorkStarted:      {termField, versionField},
	WorkCancelled:    {termField},
	WorkEnded:        {termField},
	Stopped:          {termField},
	LeaderReported:   {holderField},
	EventRecorded:    {textField},
	MetricSet:        {metricField},
	ClockChanged:     {jumpField, driftField},
	Deleted:          {faultField, objectField, electionField},
	FaultBegan:       {faultField, onField},
	FaultEnded:       {faultField},
	FaultVoid:        {faultField},
	ResourceWritten:  {termField, versionField},
	Edited:           {faultField, versionField, holderField, leaseField, electionField},
	CandidacyWritten: {holderField, versionField},
	Expired:          {objectField, electionField},
	Crashed:          {endField},
	CancelAsked:      {endField},
	ServiceClock:     {jumpField, driftField},
}
