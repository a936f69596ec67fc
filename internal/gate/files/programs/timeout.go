package programs

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// Timeout is what is known of how long a client waits for the answer to each request.
type Timeout struct {
	Kind TimeoutKind
	// Of is the timeout where it is Fixed.
	Of time.Duration
}

// TimeoutKind says in which way a timeout is given.
type TimeoutKind string

// The kinds of timeouts.
const (
	// Unknown: nothing was said of it.
	Unknown TimeoutKind = ""
	// Either: nobody knows; it is None or Half, whichever is worse.
	Either TimeoutKind = "either"
	// None: a client waits for ever.
	None TimeoutKind = "none"
	// Half is half of RenewDeadline, and a second at least.
	Half TimeoutKind = "half"
	// Fixed is a duration.
	Fixed TimeoutKind = "fixed"
)

// ParseTimeout parses a request timeout: a duration of at most ten years, or one of the words half, none and either,
// which TimeoutKind explains. 0s means none, and "" means Unknown.
func ParseTimeout(text string) (Timeout, error) {
	switch text {
	case "":
		return Timeout{}, nil
	case string(None), string(Half), string(Either):
		return Timeout{Kind: TimeoutKind(text)}, nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil && text != "" && strings.Trim(text, "0123456789.") == "":
		return Timeout{}, fmt.Errorf("unit missing in %[1]s: want half, none, either or a duration such as %[1]ss", phrase.Clip(text))
	case err != nil:
		return Timeout{}, fmt.Errorf("want half, none, either or a duration such as 5s, got %s", phrase.Quote(text))
	case d < 0:
		return Timeout{}, fmt.Errorf("want half, none, either or a duration of zero or more, got %s", phrase.Clip(text))
	case d > scalar.Longest:
		return Timeout{}, fmt.Errorf("want ten years (87600h) at most, got %s", phrase.Clip(text))
	}
	return FixedTimeout(d), nil
}

// FixedTimeout returns a Fixed timeout of d; None if d is 0.
func FixedTimeout(d time.Duration) Timeout {
	if d == 0 {
		return Timeout{Kind: None}
	}
	return Timeout{Kind: Fixed, Of: d}
}

// For returns the request timeouts that t can mean with that RenewDeadline, where 0 means no timeout. There is one for None, Half
// and Fixed; there are two, none and half, for Either and Unknown.
func (t Timeout) For(renewDeadline time.Duration) []time.Duration {
	switch t.Kind {
	case None:
		return []time.Duration{0}
	case Half:
		return []time.Duration{plan.HalfOf(renewDeadline)}
	case Fixed:
		return []time.Duration{t.Of}
	}
	return []time.Duration{0, plan.HalfOf(renewDeadline)}
}
