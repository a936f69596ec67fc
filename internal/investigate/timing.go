package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// timings returns the timings that were given, or that the logs bound. It leaves out a timing of which nothing is known.
func (t *teller) timings() (all []Timing) {
	x := t.paceOf()
	for _, y := range []struct {
		name     string
		known    time.Duration
		inferred Timing
	}{
		{"LeaseDuration", t.o.LeaseDuration, t.inferLease()}, {"RenewDeadline", t.o.RenewDeadline, x.deadline.Timing}, {"RetryPeriod", t.o.RetryPeriod, x.period.Timing},
	} {
		z := y.inferred
		z.Inferred = true
		if y.known > 0 {
			z = Timing{Low: &y.known, High: &y.known}
		}
		if z.Name = y.name; z.Low != nil || z.High != nil {
			all = append(all, z)
		}
	}
	return all
}

// inferLease returns bounds of LeaseDuration by the records of holders: a record has it in whole seconds, cut or rounded up. It
// returns no bounds if records differ, or if none has it.
func (t *teller) inferLease() (x Timing) {
	var found time.Duration
	var at evidence.Place
	for i := range t.s.Writes {
		r := &t.s.Writes[i].Record
		if r.Holder == "" || r.Duration == 0 {
			continue
		}
		if found != 0 && r.Duration != found {
			return x
		}
		found, at = r.Duration, t.s.Writes[i].Place
	}
	if found == 0 {
		return x
	}
	low, high := max(found-time.Second+1, 0), found+time.Second-1
	return Timing{Low: &low, High: &high, Rests: []Link{{[]evidence.Place{at}, "the records have whole seconds of it: client-go cuts it, the elector of this module rounds it up"}}}
}
