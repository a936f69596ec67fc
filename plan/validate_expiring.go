package plan

import (
	"slices"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
)

// service checks c, the clock of the lock service, and adds its offset to v.shift. Only a plan with a lock that expires by
// itself may set it, and in such a plan no candidate may have the service's name.
func (v *planCheck) service(c Clock) {
	v.signed("service.clock.offset", c.Offset)
	v.drift("service.clock.driftPPM", c.DriftPPM)
	if c != (Clock{}) && !v.expires {
		v.fail("service", "no candidate's lock expires by the service's clock; want a lock %s", OneLockThat(Lock.Expires))
	}
	if i, taken := v.index[ServiceName]; taken && v.expires {
		v.fail("candidates["+strconv.Itoa(int(i))+"].id", "faults name the lock service so; want another one")
	}
	v.shift.addService(c.Offset)
}

// row checks the fields that only a candidate with a lock on a row may have, and that all such candidates have the same
// precision. It also checks that the LeaseDuration of such a candidate is in whole milliseconds.
func (v *planCheck) row(c *Candidate) {
	if !c.Lock.ByWallClock() {
		if c.Now != "" {
			v.fail("now", "is whose time a statement carries; want it for a lock %s only", OneLockThat(Lock.ByWallClock))
		}
		if c.Precision != 0 {
			v.fail("precision", "is of a row's column; want it for a lock %s only", OneLockThat(Lock.ByWallClock))
		}
		return
	}
	if c.Now != "" && c.Now != CallerNow && c.Now != DatabaseNow {
		v.fail("now", "%s is not known; want %s or %s", phrase.Quote(string(c.Now)), CallerNow, DatabaseNow)
	}
	if p := c.Precision; p != 0 && p != time.Microsecond && p != time.Millisecond && p != time.Second {
		v.fail("precision", "%v is not what a column keeps; want 1us, 1ms or 1s", p)
	}
	if v.precision == 0 {
		v.precision = c.RowPrecision()
	}
	if c.RowPrecision() != v.precision {
		v.fail("precision", "%v differs from another candidate's, %v; there is one column", c.RowPrecision(), v.precision)
	}
	if c.LeaseDuration%time.Millisecond != 0 {
		v.fail("leaseDuration", "%v has fractions of a millisecond; want whole ones, as elector/sqllock does", c.LeaseDuration)
	}
}

// verbs returns the verbs of all requests that some candidate's lock makes, in order.
func (v *planCheck) verbs() []machine.Verb {
	return slices.DeleteFunc(Verbs(), func(verb machine.Verb) bool { return !v.asks(verb) })
}

// asks tells whether any candidate's lock makes requests with that verb: Get and Create always, Update if a lock lasts, Patch if a
// profile patches, and the verbs between these two if a lock expires by itself.
func (v *planCheck) asks(verb machine.Verb) bool {
	switch {
	case verb == machine.Update:
		return v.lasts
	case verb == machine.Patch:
		return v.patches
	case verb > machine.Update:
		return v.expires && verb <= machine.Watch
	}
	return verb >= machine.Get
}

// verbNames returns the names of the verbs, in the same order.
func verbNames(verbs []machine.Verb) (names []string) {
	for _, verb := range verbs {
		names = append(names, verb.String())
	}
	return names
}
