package machine

// Profile is one variant of the algorithm, as data: each field is a point in which variants differ.
type Profile struct {
	// Name is how scenario files and flags call the variant.
	Name string
	// LeaseFrom is the instant from which a leader counts its own lease.
	LeaseFrom LeaseFrom
	// Compare is how an observer tells whether a record has changed.
	Compare Compare
	// Foreign is what a leader does when it reads another holder in the record.
	Foreign Foreign
	// Seconds is how LeaseDuration becomes whole seconds in the record.
	Seconds Rounding
	// Renewal is whether a leader first tries an update without reading.
	Renewal Renewal
}

// LeaseFrom is the instant from which a leader counts its own lease.
type LeaseFrom uint8

// A lease counted from its acknowledgement lasts longer for the leader than for those who saw it applied.
const (
	FromAck LeaseFrom = iota
	FromSend
)

// Compare is how an observer tells whether a record has changed.
type Compare uint8

// CompareSeconds looks at times in whole seconds, as the record's JSON text has them.
const (
	CompareSeconds Compare = iota
	CompareExact
)

// Foreign is what a leader does when it reads another holder in the record.
type Foreign uint8

// ForeignIgnored goes on renewing until the deadline; ForeignObeyed stops at once.
const (
	ForeignIgnored Foreign = iota
	ForeignObeyed
)

// Rounding is how a duration becomes whole seconds.
type Rounding uint8

// RoundDown cuts the fraction off; RoundUp promises others no less than the leader counts on.
const (
	RoundDown Rounding = iota
	RoundUp
)

// Renewal is how a leader renews.
type Renewal uint8

// Optimistic updates on the version last seen and reads only when that fails; ReadFirst reads each time.
const (
	Optimistic Renewal = iota
	ReadFirst
)

// ClientGo is what k8s.io/client-go v0.37.2 does, hazards included.
var ClientGo = Profile{
	Name:      "client-go",
	LeaseFrom: FromAck,
	Compare:   CompareSeconds,
	Foreign:   ForeignIgnored,
	Seconds:   RoundDown,
	Renewal:   Optimistic,
}

// Profiles returns the named variants, in a stable order.
func Profiles() []Profile {
	return []Profile{ClientGo}
}

// ProfileNamed returns the variant of that name.
func ProfileNamed(name string) (Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
