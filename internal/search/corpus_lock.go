package search

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/draw"
	"interregnum/plan"
	"interregnum/scenarios"
)

// fitting changes a scenario so that it fits a target.
type fitting struct {
	target *Target
	s      *scenarios.Scenario
	done   []string
}

// say adds a text about a change to f.done, unless it is there already.
func (f *fitting) say(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(f.done, text) {
		f.done = append(f.done, text)
	}
}

// drift cuts *ppm, a drift in parts per million, to what the target's limits allow.
func (f *fitting) drift(ppm *int64) {
	if most := f.target.Limits.MaxDriftPPM; max(*ppm, -*ppm) > most {
		f.say("drift cut to ±%d ppm", most)
		*ppm = min(most, max(-most, *ppm))
	}
}

// lock gives a candidate the target's kind of lock, with the clock and the precision of its time. If the lock goes by a wall
// clock, it cuts the LeaseDuration to whole milliseconds.
func (f *fitting) lock(c *scenarios.Candidate) {
	t := f.target
	if c.Lock != t.Kind() {
		f.say("lock %s becomes %s", c.Lock, t.Kind())
		c.Lock, c.Now, c.Precision = t.Kind(), t.Now, t.Precision
	}
	if now := c.Now; now != t.Now && (now == plan.DatabaseNow || t.Now == plan.DatabaseNow) {
		f.say("the time of a statement becomes the %s's", t.whoseNow())
	}
	if max(c.Precision, time.Microsecond) != max(t.Precision, time.Microsecond) {
		f.say("precision becomes %v", max(t.Precision, time.Microsecond))
	}
	c.Now, c.Precision = t.Now, t.Precision
	if ms := c.LeaseDuration.Truncate(time.Millisecond); t.Lock.ByWallClock() && ms != c.LeaseDuration {
		f.say("leaseDuration cut to whole milliseconds")
		c.LeaseDuration = ms
	}
}

// whoseNow returns whose clock gives a row its time: CallerNow if the target's candidates do, otherwise DatabaseNow.
func (t *Target) whoseNow() plan.Now {
	if t.CallersNow() {
		return plan.CallerNow
	}
	return plan.DatabaseNow
}

// clocks fits the service's clock, faults of it, and the objects and verbs of faults to the target's lock, and cuts that clock's
// drift to the limits. It brings the clocks that decide when a lock expires within MaxClockOffset of each other.
func (f *fitting) clocks() {
	t, s := f.target, f.s
	if !t.Kind().Expires() && s.Service != (scenarios.Clock{}) {
		f.say("without the service's clock")
		s.Service = scenarios.Clock{}
	}
	f.drift(&s.Service.DriftPPM)
	s.Faults = slices.DeleteFunc(s.Faults, func(x scenarios.Fault) bool {
		foreign := slices.Contains(x.On, plan.ServiceName) && !t.Kind().Expires()
		if foreign {
			f.say("without faults of the service's clock")
		}
		return foreign
	})
	for i := range s.Faults {
		x := &s.Faults[i]
		if x.Object != "" && !slices.Contains(t.objects(), x.Object) {
			f.say("faults of a %s become such of every object", x.Object)
			x.Object = ""
		}
		if x.Verb != 0 && !slices.Contains(t.Verbs(&t.Profile), x.Verb) {
			f.say("errors of %s become such of every verb", x.Verb)
			x.Verb = 0
		}
	}
	f.offsets()
}

// objects returns the names of the kinds of object that the target's lock is on, such as lease.
func (t *Target) objects() (names []string) {
	for _, o := range t.Kind().Objects() {
		names = append(names, o.String())
	}
	return names
}

// offsets cuts the offsets and jumps of the wall clocks that decide when a lock expires, so that they stay within
// MaxClockOffset of each other. It removes the faults of clocks that change nothing after that.
func (f *fitting) offsets() {
	t, s := f.target, f.s
	most := t.Limits.MaxClockOffset
	if !t.ByWallClock(&t.Profile) || t.Apart(&s.Plan) <= most {
		return
	}
	f.say("clocks that decide brought to within %v", most)
	left := most
	if t.ByCandidates(&t.Profile) {
		least, _ := draw.Offsets(&s.Plan)
		for i := range s.Candidates {
			c := &s.Candidates[i].Clock
			c.Offset = min(c.Offset, least+most)
		}
		least, highest := draw.Offsets(&s.Plan)
		left -= highest - least
	}
	for i := range s.Faults {
		if x := &s.Faults[i]; t.Decisive(&t.Profile, x) {
			x.Jump = min(left, max(-left, x.Jump))
			left -= x.Jump.Abs()
		}
	}
	s.Faults = slices.DeleteFunc(s.Faults, func(x scenarios.Fault) bool {
		return x.Kind == plan.FaultClock && x.Jump == 0 && x.DriftPPM == nil
	})
}
