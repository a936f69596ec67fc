package plan

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
)

// values checks those fields of f that say what happens, each by itself. v.fields must hold the fields of f.
func (v *planCheck) values(f *Fault) {
	for _, field := range v.fields {
		if field.says() {
			v.value(field, f)
		}
	}
}

// value checks the value of one field of f. The fault must have that field.
func (v *planCheck) value(field *FaultField, f *Fault) {
	switch value := field.In(f).(type) {
	case *time.Duration:
		if field.Signed {
			v.signed(field.Name, *value)
		} else {
			v.between(field.Name, *value, 0)
		}
	case **time.Duration:
		switch {
		case field.LeaseSeconds:
			v.leaseSeconds(field.Name, **value)
		case field.RetryAfterSeconds:
			v.retryAfterSeconds(field.Name, **value)
		default:
			v.between(field.Name, **value, 0)
		}
	case *Count:
		v.count(field.Name, *value)
	case *Readiness:
		if *value != ReadyAlways && *value != ReadyLeading {
			v.fail(field.Name, "%s is not known; want always or leading", phrase.Quote(string(*value)))
		}
	case **Delay:
		v.delay(field.Name, *value)
	case **float64:
		least, most := 0.0, 1.0
		if field.Factor {
			least, most = 1, maxFactor
		}
		if x := **value; math.IsNaN(x) || x < least || x > most {
			v.fail(field.Name, "%v is out of range; want %.0f to %.0f", x, least, most)
		}
	case **int64:
		v.drift(field.Name, **value)
	case **string:
		if **value != "" {
			v.name(field.Name, **value)
		}
	case *Leg:
		if *value != RequestLeg && *value != ResponseLeg {
			v.fail(field.Name, "%s is not a leg; want request or response, or none for both", phrase.Quote(string(*value)))
		}
	case *Identity:
		if *value != SameIdentity && *value != NewIdentity {
			v.fail(field.Name, "%s is not known; want same or new", phrase.Quote(string(*value)))
		}
	case *machine.Verb:
		if !v.asks(*value) {
			v.fail(field.Name, "%s is not a verb of any candidate's lock; want %s, or none for all", *value, oneOf(verbNames(v.verbs())))
		}
	}
}

// count records an error of the field unless n is from 0 to MaxCandidates.
func (v *planCheck) count(field string, n Count) {
	switch {
	case n < 0:
		v.fail(field, "%d is negative", n)
	case n > MaxCandidates:
		v.fail(field, "%d is more than %d; want that many at most", n, MaxCandidates)
	}
}

// leaseSeconds records an error of the field unless d is in whole seconds, as durations in a Lease are, and 1s to ten years.
func (v *planCheck) leaseSeconds(field string, d time.Duration) {
	if d < time.Second || d > MaxDuration || d%time.Second != 0 {
		v.fail(field, "%v is not what a Lease can say; want whole seconds, 1s to 87600h", d)
	}
}

// retryAfterSeconds records an error of the field unless d is what a Retry-After can say: whole seconds, 0s to ten years.
func (v *planCheck) retryAfterSeconds(field string, d time.Duration) {
	v.between(field, d, 0)
	if d%time.Second != 0 {
		v.fail(field, "%v is not what a Retry-After can say; want whole seconds, 0s or more", d)
	}
}
