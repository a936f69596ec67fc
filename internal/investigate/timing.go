package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// timingsOf returns the timings that are known or follow from the records.
func timingsOf(writes []Write, o *Options) (all []Timing) {
	for _, known := range []struct {
		name  string
		value time.Duration
	}{{"LeaseDuration", o.LeaseDuration}, {"RenewDeadline", o.RenewDeadline}, {"RetryPeriod", o.RetryPeriod}} {
		if known.value > 0 {
			all = append(all, Timing{Name: known.name, Low: &known.value, High: &known.value})
		}
	}
	if o.LeaseDuration == 0 {
		all = append(all, inferLease(writes)...)
	}
	return all
}

// inferLease infers LeaseDuration from the records of holders, if all have the same: a record has it in whole
// seconds, cut or rounded up.
func inferLease(writes []Write) []Timing {
	var found time.Duration
	var at evidence.Place
	for i := range writes {
		r := &writes[i].Record
		if r.Holder == "" || r.Duration == 0 {
			continue
		}
		if found != 0 && r.Duration != found {
			return nil
		}
		found, at = r.Duration, writes[i].Place
	}
	if found == 0 {
		return nil
	}
	low, high := max(found-time.Second+1, 0), found+time.Second-1
	return []Timing{{Name: "LeaseDuration", Low: &low, High: &high, Inferred: true, Rests: []Link{{[]evidence.Place{at}, "the records have whole seconds of it: client-go cuts it, the elector of this module rounds it up"}}}}
}
