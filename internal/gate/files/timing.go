package files

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
)

// fixed drops from c.raws the timings of a program whose timings no setting changes, and adds a note that names the first of them.
func (f *findings) fixed(c *candidate) {
	if c.program == nil || !c.program.Fixed {
		return
	}
	dropped := false
	c.raws = slices.DeleteFunc(c.raws, func(r raw) bool {
		is := r.Key >= setting.LeaseDuration && r.Key <= setting.RetryPeriod
		if is && !dropped {
			dropped = true
			f.note(c.pos.at(r.line), Ignored, fmt.Sprintf("%s: %s does not read it; its timings are fixed in its code, at %s",
				r.name, c.program.Name, c.program.Defaults()))
		}
		return is
	})
}

// setting.ElectionTTL sets the timings in c.set from the single setting of ingress-nginx or Datadog's agent, if there is one: the lease
// duration to its value, the renew deadline to a half and the retry period to a quarter of it. A later such setting replaces an
// earlier one. An unreadable or missing value is reported as a problem, and sets c.failed.
func (f *findings) electionTTL(c *candidate) {
	for _, r := range c.raws {
		if r.Key != setting.ElectionTTL {
			continue
		}
		d, err := c.duration(r)
		if err == nil && r.missing {
			err = fmt.Errorf("has no single value; want a duration such as 30s")
		}
		if err != nil {
			f.bad(c, r, err)
			c.failed = true
			continue
		}
		for k, part := range map[setting.Key]time.Duration{setting.LeaseDuration: 1, setting.RenewDeadline: 2, setting.RetryPeriod: 4} {
			c.set[k] = timed{d / part, r, c.pos.at(r.line)}
		}
	}
}

// longLease is more than people have leases of. A number of seconds that comes to so much may be one of milliseconds.
const longLease = 10 * time.Minute

// timing sets c.set[k] from the first setting with the key k, if there is one and c.set[k] is not set. A value that is unreadable
// or missing, or that differs from c.set[k], is reported as a problem, and sets c.failed. A number without a unit that comes to
// longLease or more, or stands beside a timing with one, gets a note that it was taken for seconds.
func (f *findings) timing(c *candidate, k setting.Key) {
	for _, r := range c.raws {
		if r.Key != k {
			continue
		}
		d, err := c.duration(r)
		if r.missing {
			err = fmt.Errorf("has no single value; want a duration such as 15s")
		}
		first, taken := c.set[k]
		switch {
		case err != nil:
			f.bad(c, r, err)
			c.failed = true
		case !taken:
			c.set[k] = timed{d, r, c.pos.at(r.line)}
			if r.Unit == 0 && scalar.IsNumber(r.text) && (d >= longLease || slices.ContainsFunc(c.raws, hasUnit)) {
				f.note(c.pos.at(r.line), Unread, r.name+": "+phrase.Clip(r.text)+" has no unit, and is taken for seconds: "+d.String())
				c.provide(r.name + " is in seconds")
			}
		case first.d != d:
			f.contradiction(c.pos, r, r.text, first.raw.text, first.at, first.raw.name)
			c.failed = true
		}
	}
}

// hasUnit tells whether a setting is a timing whose value has a unit.
func hasUnit(r raw) bool {
	_, err := time.ParseDuration(r.text)
	return r.Key >= setting.LeaseDuration && r.Key <= setting.RetryPeriod && err == nil && !scalar.IsNumber(r.text)
}

// duration returns the value of a timing of c. If the program takes whole seconds, a number without a unit is one of seconds,
// and a flag or a field with a unit is an error. If no program is known, the error for a missing unit says what to do.
func (c *candidate) duration(r raw) (time.Duration, error) {
	whole := c.program != nil && c.program.WholeSeconds
	if whole && r.Unit == 0 && !r.loose && !r.missing && !scalar.IsNumber(r.text) && scalar.Given(r.text) == nil {
		return 0, fmt.Errorf("%s takes a whole number of seconds, such as 15; got %s", c.program.Name, scalar.Begins(r.text))
	}
	unit := r.in()
	if whole {
		unit = cmp.Or(unit, time.Second)
	}
	d, err := scalar.Duration(c.program.GoDuration(r.text), unit)
	if errors.As(err, new(scalar.NoUnit)) && c.program == nil {
		err = fmt.Errorf("%w; if the program takes whole seconds, which nothing here tells, give the gate its timings as flags", err)
	}
	return d, err
}
