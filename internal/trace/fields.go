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
	fields
)

var fieldLabels = [fields]string{`,"request":`, `,"verb":`, `,"cause":`, `,"metric":`, `,"holder":`, `,"identity":`,
	`,"text":`, `,"status":`, `,"version":`, `,"base":`, `,"transitions":`, `,"delayNs":`, `,"leaseSeconds":`,
	`,"jumpNs":`, `,"driftPPM":`, `,"term":`, `,"fault":`}

// label is what precedes the value.
func (f field) label() string { return fieldLabels[f] }

var applied = []field{requestField, verbField, statusField, versionField, baseField, holderField,
	transitionsField, leaseField}

// fieldsOf is the comments beside the kinds, for machines.
var fieldsOf = [kinds][]field{
	RunStarted:      {identityField},
	RequestSent:     {requestField, verbField, holderField, delayField},
	RequestLost:     {requestField, verbField},
	RequestRefused:  {requestField, verbField, statusField},
	RequestApplied:  applied,
	Written:         applied,
	ResponseLost:    {requestField, verbField},
	ResponseHandled: {requestField, verbField, statusField},
	ResponseLate:    {requestField, verbField},
	GaveUp:          {requestField, verbField, causeField},
	LocalError:      {verbField, causeField},
	WorkStarted:     {termField, versionField},
	WorkCancelled:   {termField},
	WorkEnded:       {termField},
	Stopped:         {termField},
	LeaderReported:  {holderField},
	EventRecorded:   {textField},
	MetricSet:       {metricField},
	ClockChanged:    {jumpField, driftField},
	Deleted:         {faultField},
	FaultBegan:      {faultField},
	FaultEnded:      {faultField},
	FaultVoid:       {faultField},
	ResourceWritten: {termField, versionField},
}
