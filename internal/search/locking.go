package search

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// Locking is what candidates compete for. The zero value is one Lease.
type Locking struct {
	// Lock is the kind of lock; "" is plan.Lease.
	Lock plan.Lock `json:"lock,omitempty"`
	// Now, "" for plan.CallerNow, and Precision, 0 for a microsecond, are of plan.SQLTTL.
	Now       plan.Now      `json:"now,omitempty"`
	Precision time.Duration `json:"precision,omitempty"`
	// Elections is in how many each process takes part, from 2 to MaxElections; 0 is one.
	Elections int `json:"elections,omitempty"`
}

// MaxElections is how many a process of a search may take part in.
const MaxElections = 8

// Kind is the kind of lock.
func (l *Locking) Kind() plan.Lock {
	if l.Lock == "" {
		return plan.Lease
	}
	return l.Lock
}

// callersNow tells whether the wall clocks of candidates decide when a row expires.
func (l *Locking) callersNow() bool { return l.Lock == plan.SQLTTL && l.Now != plan.DatabaseNow }

// databaseNow tells whether the clock of the database decides when a row expires.
func (l *Locking) databaseNow() bool { return l.Lock == plan.SQLTTL && l.Now == plan.DatabaseNow }

// Check says what makes no sense in what is locked, whatever the flags or the file were that said it.
func (t *Target) Check() error {
	l := &t.Locking
	switch p := l.Precision; {
	case !slices.Contains(plan.Locks(), l.Kind()):
		return fmt.Errorf("lock %q: want %s", l.Lock, strings.Join(plan.LockNames(), ", "))
	case l.Lock != plan.SQLTTL && (l.Now != "" || p != 0):
		return fmt.Errorf("now and precision are of lock %s; that is %s", plan.SQLTTL, l.Kind())
	case l.Now != "" && l.Now != plan.CallerNow && l.Now != plan.DatabaseNow:
		return fmt.Errorf("now %q: want %s or %s", l.Now, plan.CallerNow, plan.DatabaseNow)
	case p != 0 && p != time.Microsecond && p != time.Millisecond && p != time.Second:
		return fmt.Errorf("precision %v: want 1us, 1ms or 1s", p)
	case l.Elections < 0 || l.Elections == 1 || l.Elections > MaxElections:
		return fmt.Errorf("elections %d: want 2 to %d, or none of that for one", l.Elections, MaxElections)
	case t.Limits.MaxClockOffset < 0:
		return fmt.Errorf("max-clock-offset %v must not be negative", t.Limits.MaxClockOffset)
	case t.Limits.MaxClockOffset > 0 && l.Lock != plan.SQLTTL:
		return fmt.Errorf("max-clock-offset is of lock %s, since no other looks at wall clocks, which are a minute apart then; that is %s",
			plan.SQLTTL, l.Kind())
	case t.Timings == (machine.Timings{}):
		return nil
	}
	return bound.Refused(t.Config(t.Timings, t.Profile))
}

// Config is a candidate as the bounds have it.
func (l *Locking) Config(timings machine.Timings, p machine.Profile) *bound.Config {
	return &bound.Config{Timings: timings, Profile: p, Lock: l.Kind(), Now: l.Now, Precision: l.Precision}
}

// verbs returns the requests to which an error may be the answer; 0 stands for all.
func (l *Locking) verbs() []machine.Verb {
	if l.Kind().Expires() {
		return []machine.Verb{0, machine.Get, machine.Create, machine.Replace, machine.Refresh, machine.Resign, machine.Watch}
	}
	return []machine.Verb{0, machine.Get, machine.Create, machine.Update, machine.Update}
}

// bounds tells whether a fault sets a clock that MaxClockOffset limits.
func (l *Locking) bounds(f *scenarios.Fault) bool {
	service := slices.Contains(f.On, plan.ServiceName)
	return f.Kind == plan.FaultClock && (l.databaseNow() && service || l.callersNow() && (!service || len(f.On) > 1))
}

// apart returns how far apart the clocks that decide can be: the spread of their offsets, and all jumps added up.
func (l *Locking) apart(s *scenarios.Scenario) (d time.Duration) {
	for i := range s.Faults {
		if l.bounds(&s.Faults[i]) {
			d += s.Faults[i].Jump.Abs()
		}
	}
	if l.callersNow() {
		least, most := offsets(s)
		d += most - least
	}
	return d
}

// offsets returns the least and the largest offset of the candidates' wall clocks.
func offsets(s *scenarios.Scenario) (least, most time.Duration) {
	least, most = s.Candidates[0].Clock.Offset, s.Candidates[0].Clock.Offset
	for i := range s.Candidates {
		least, most = min(least, s.Candidates[i].Clock.Offset), max(most, s.Candidates[i].Clock.Offset)
	}
	return least, most
}
