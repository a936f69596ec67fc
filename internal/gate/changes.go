package gate

import (
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
)

// dial is a parameter of the configuration or the environment that the gate turns down in search of a safe value.
type dial struct {
	parameter string
	// value is the present value. limit is where the search ends; it is not tried itself. A parameter that is no duration counts
	// a millisecond for each unit, such as 200 ms for 200 ppm.
	value, limit time.Duration
	// set gives the parameter another value, in a copy of the configuration or the environment. text returns a value as its flag
	// takes it.
	set  func(*bound.Config, *bound.Environment, time.Duration)
	text func(time.Duration) string
	// parts are the values at which another part of the range begins. From one part to the next, safety can be lost and won
	// again; within a part, a value below a safe one is safe as well, as a rule.
	parts []time.Duration
}

// change searches for the smallest changes, each of one parameter, that make the configuration safe, and stores them in
// j.Changes. It stores in j.None the parameters of which no value does. It stores nothing if the search would take too long, and
// if a timing is not positive or the lease is above bound.MaxDuration.
func (j *Judgement) change() {
	if j.RenewDeadline < 1 || j.RetryPeriod < 1 || j.LeaseDuration < 1 || j.LeaseDuration > bound.MaxDuration ||
		bound.Ticks(&j.Config, &j.Environment) > triedTicks {
		return
	}
	j.longerLease()
	for _, d := range j.dials() {
		to, ok := j.turn(&d)
		if !ok && d.parameter == "retry-period" {
			to, ok = j.raise(&d)
		}
		j.found(d.parameter, d.text(d.value), d.text(to), ok)
	}
	if !j.Profile.EndsInTime() || j.Profile.TimesOut() {
		j.timeout()
	}
	if j.ReleaseOnCancel {
		c := j.Config
		c.ReleaseOnCancel = false
		j.found("release-on-cancel", "true", "false", j.safe(&c, &j.Environment))
	}
}

// Untried returns a sentence that says why no other values were tried, where j has neither changes nor parameters of which no value helps.
func (j *Judgement) Untried() string {
	if j.resets(&j.Environment) {
		return "Since a read may take any time, no other values are tried."
	}
	return "With so many retry periods in a deadline no other values are tried."
}

// found appends to j.Changes that the parameter is to change, from its present value to the one given as to, both as flags write
// them. If ok is false, no value of the parameter makes the configuration safe: found then appends the parameter to j.None, and
// the values do not count.
func (j *Judgement) found(parameter, from, to string, ok bool) {
	if ok {
		j.Changes = append(j.Changes, Change{parameter, from, to})
	} else {
		j.None = append(j.None, parameter)
	}
}

// longerLease searches for the shortest safe LeaseDuration above the present one, in whole seconds. It takes for granted that
// every lease longer than a safe one is safe, from manyClosings on if closings count. It appends the change to j.Changes or, if
// it finds none up to bound.MaxDuration, the parameter to j.None.
func (j *Judgement) longerLease() {
	with := func(d time.Duration) bool {
		c := j.Config
		c.LeaseDuration = d
		return j.safe(&c, &j.Environment)
	}
	low := j.LeaseDuration.Truncate(time.Second)
	high := low + time.Second
	for !with(high) {
		if low, high = high, 2*high; j.closes() && low < manyClosings {
			high = low + time.Second
		}
		if high > bound.MaxDuration {
			j.found("lease-duration", "", "", false)
			return
		}
	}
	for high-low > time.Second {
		if middle := ((low + high) / 2).Truncate(time.Second); with(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	j.found("lease-duration", FormatDuration(j.LeaseDuration), FormatDuration(high), true)
}

// dials returns the parameters that make the configuration safer when they are turned down, without those that are 0 already. The
// ranges of two of them have parts (dial.parts). The range of RetryPeriod has a part that begins at a second: all attempts to
// acquire within a second look the same, so that below a second a shorter RetryPeriod can be worse, and a longer one safe (raise).
// The range of RenewDeadline has a part that begins at the request timeout: only above it does a lost answer leave time to renew.
func (j *Judgement) dials() []dial {
	e, plain := &j.Environment, FormatDuration
	all := []dial{
		{"renew-deadline", j.RenewDeadline, j.leastDeadline(),
			func(c *bound.Config, _ *bound.Environment, d time.Duration) { c.RenewDeadline = d }, plain,
			[]time.Duration{j.RequestTimeout}},
		{"retry-period", j.RetryPeriod, j.LeaseDuration / maxAttempts,
			func(c *bound.Config, _ *bound.Environment, d time.Duration) { c.RetryPeriod = d }, plain,
			[]time.Duration{time.Second}},
		{"max-round-trip", e.MaxRoundTrip - e.Stall, 0, // no answer takes no time
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.MaxRoundTrip = d + e.Stall }, plain, nil},
		{"max-stall", e.Stall, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) {
				e.MaxRoundTrip, e.Stall = e.MaxRoundTrip-e.Stall+d, d
			}, plain, nil},
		{"max-drift-ppm", time.Duration(e.MaxDriftPPM) * time.Millisecond, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.MaxDriftPPM = d.Milliseconds() },
			func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }, nil},
		{"max-pause", e.MaxPause, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.MaxPause = d }, plain, nil},
		{"drain", e.Drain, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.Drain = d }, plain, nil},
		{"max-clock-offset", e.MaxClockOffset, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.MaxClockOffset = d }, plain, nil},
	}
	if j.Client.Limits() {
		all = append(all, dial{"other-burst", time.Duration(e.OtherBurst) * time.Millisecond, -1,
			func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.OtherBurst = int(d.Milliseconds()) },
			func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }, nil})
	}
	all = append(all, dial{"max-retry-after", e.MaxRetryAfter, -1,
		func(_ *bound.Config, e *bound.Environment, d time.Duration) { e.MaxRetryAfter = d }, plain, nil})
	var turned []dial
	for _, d := range all {
		if d.value > 0 {
			turned = append(turned, d)
		}
	}
	return turned
}

// leastDeadline returns the value that RenewDeadline must exceed for the configuration not to be refused, or a
// nanosecond less than the present RenewDeadline if that is lower. It is 0 for a lock that expires by itself.
func (j *Judgement) leastDeadline() time.Duration {
	if j.Lock.Expires() {
		return 0
	}
	return min(time.Duration(machine.JitterFactor*float64(j.RetryPeriod)), j.RenewDeadline-1)
}

// turn returns the first safe value of a parameter below d.value and above d.limit, searching downwards and part by part; 0 and
// false if it finds none.
func (j *Judgement) turn(d *dial) (time.Duration, bool) {
	high := d.value
	for _, part := range d.parts {
		if part <= d.limit+time.Millisecond || part >= high {
			continue
		}
		for _, limit := range []time.Duration{part - time.Millisecond, part} { // the part itself may be the only one that is not safe
			if to, ok := j.descend(d, high, limit); ok {
				return to, true
			}
		}
		high = part
	}
	return j.descend(d, high, d.limit)
}

// raise returns the first safe RetryPeriod of a second or more, if the present one is shorter; 0 and false if it finds none. It goes up
// in steps of round numbers, as long as RenewDeadline allows it.
func (j *Judgement) raise(d *dial) (time.Duration, bool) {
	c := j.Config
	for to := max(time.Second, d.value+1).Truncate(time.Millisecond); d.value < time.Second; to += roundStep(to / 1000) {
		if c.RetryPeriod = to; bound.Refused(&c) != nil {
			break
		}
		if j.safe(&c, &j.Environment) {
			return to, true
		}
	}
	return 0, false
}

// descend returns the first safe value below high and above limit, searching downwards; 0 and false if it finds none. It first
// goes down in steps of round numbers, and then searches to the millisecond (one part per million). It assumes that safety is
// lost only once between two steps. The value that it returns is safe in any case.
func (j *Judgement) descend(d *dial, high, limit time.Duration) (time.Duration, bool) {
	with := func(to time.Duration) bool {
		c, e := j.Config, j.Environment
		d.set(&c, &e, to)
		return j.safe(&c, &e)
	}
	steps := time.Duration(100)
	if bound.Ticks(&j.Config, &j.Environment) > 0 {
		steps = 1000 // ticks make it worse here and there
	}
	step := roundStep(d.value / steps)
	low := (high - 1).Truncate(step)
	for ; low > limit; high, low = low, low-step {
		if with(low) {
			break
		}
	}
	if low <= limit {
		// The last step may hold one all the same.
		if low = limit.Truncate(time.Millisecond) + time.Millisecond; low >= high || !with(low) {
			return 0, false
		}
	}
	high = (high + time.Millisecond - 1).Truncate(time.Millisecond) // so that the middle is never low itself
	for high-low > time.Millisecond {
		if middle := ((low + high) / 2).Truncate(time.Millisecond); with(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low, true
}

// roundStep returns the shortest round duration that is no shorter than d: 1, 2 or 5 times a power of ten milliseconds. It is at
// least a millisecond.
func roundStep(d time.Duration) time.Duration {
	for unit := time.Millisecond; ; unit *= 10 {
		for _, step := range [...]time.Duration{unit, 2 * unit, 5 * unit} {
			if step >= d {
				return step
			}
		}
	}
}

// timeout searches for the longest safe request timeout below the present one or, where there is none, below RenewDeadline. If no
// shorter timeout is safe, it tries to go without one. It appends the change to j.Changes, or the parameter to j.None.
func (j *Judgement) timeout() {
	d := dial{"request-timeout", j.RequestTimeout, 0,
		func(c *bound.Config, _ *bound.Environment, d time.Duration) { c.RequestTimeout = d }, FormatDuration,
		[]time.Duration{j.RenewDeadline}}
	if d.value == 0 {
		d.value = j.RenewDeadline
	}
	to, ok := j.turn(&d)
	if !ok && j.RequestTimeout > 0 {
		c := j.Config
		c.RequestTimeout = 0
		ok = j.safe(&c, &j.Environment)
	}
	j.found("request-timeout", FormatDuration(j.RequestTimeout), FormatDuration(to), ok)
}

// safe tells whether configuration c is not refused and is safe in environment e, with every request timeout that it can have and
// with the closings of connections that count. It is also false for a configuration that takes much longer to judge than the
// present one. It is false as well for a proposed RetryPeriod that is safe only where code takes no time, as 1s can be.
func (j *Judgement) safe(c *bound.Config, e *bound.Environment) bool {
	if bound.Refused(c) != nil || j.slower(c, e) {
		return false
	}
	for _, d := range j.timeoutsOf(c) {
		v := *c
		v.RequestTimeout = d
		if !j.safeClosed(&v, e) || c.RetryPeriod != j.RetryPeriod && !j.safePaused(&v, e) {
			return false
		}
	}
	return true
}

// slower tells whether configuration c takes much longer to judge in environment e than the present one. c must not be refused.
func (j *Judgement) slower(c *bound.Config, e *bound.Environment) bool {
	if c.RenewDeadline/fewTicks < c.RetryPeriod { // a poll has no more ticks than that, and to count them takes time
		return false
	}
	ticks := bound.Ticks(c, e)
	return ticks > fewTicks && ticks > bound.Ticks(&j.Config, &j.Environment)*5/4
}

// safeClosed tells whether configuration c of the target is safe in environment e, with the closings of connections that count.
func (t *Target) safeClosed(c *bound.Config, e *bound.Environment) bool {
	for _, after := range t.closingsOf(c, e) {
		if r, err := closing.Of(bound.Sum, *c, e, after); err != nil || !r.Safe() {
			return false
		}
	}
	return true
}
