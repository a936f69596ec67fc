package trace

// field is one field of an event in a trace file. A field of Event that means different things for different
// kinds has a name for each meaning.
type field uint8

const (
	requestField field = iota
	verbField
	causeField
	metricField
	holderField
	identityField
	textField
	statusField
	versionField
	baseField
	transitionsField
	delayField
	leaseField
	jumpField
	driftField
	termField
	faultField
	// onField is written only where a fault is on some candidates: see Event.On.
	onField
	// objectField is written only where objects other than the Lease are locked: see Candidate.Objects.
	objectField
	// electionField is written only if there are several elections: see Header.Elections.
	electionField
	// endField is written only for a process that ended, or was told to, without a fault of its own.
	endField
	fields
)

var fieldLabels = [fields]string{`,"request":`, `,"verb":`, `,"cause":`, `,"metric":`, `,"holder":`, `,"identity":`,
	`,"text":`, `,"status":`, `,"version":`, `,"base":`, `,"transitions":`, `,"delayNs":`, `,"leaseSeconds":`,
	`,"jumpNs":`, `,"driftPPM":`, `,"term":`, `,"fault":`, `,"on":`, `,"object":"`,
	`,"election":`, `,"cause":`}

// label returns the text that precedes the field's value in a line of a trace file: a comma, the name and a colon.
func (f field) label() string { return fieldLabels[f] }

var applied = []field{requestField, verbField, statusField, versionField, baseField, holderField,
	transitionsField, leaseField, objectField}

// fieldsOf lists the fields of each kind, as the comments beside the kinds do.
var fieldsOf = [kinds][]field{
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
	Edited:           {faultField, versionField, holderField, electionField},
	CandidacyWritten: {holderField, versionField},
	Expired:          {objectField, electionField},
	Crashed:          {endField},
	CancelAsked:      {endField},
	ServiceClock:     {jumpField, driftField},
}
