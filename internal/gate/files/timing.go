package files

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
	"interregnum/plan"
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

// longLease is more than people have leases of. A number of seconds that comes to so much may be one of milliseconds.
const longLease = 10 * time.Minute

// partOfTTL is what part of the single setting of ingress-nginx or Datadog's agent each timing is.
var partOfTTL = map[setting.Key]time.Duration{setting.LeaseDuration: 1, setting.RenewDeadline: 2, setting.RetryPeriod: 4}

// timing sets c.set[k] from the first setting with the key k, or of which it is a part, if there is one. A value that is unreadable
// or missing, or that differs from c.set[k], is reported as a problem, and sets c.failed. A number without a unit that comes to
// longLease or more, or stands beside a timing with one, gets a note that it was taken for seconds.
func (f *findings) timing(c *candidate, k setting.Key) {
	for _, r := range c.raws {
		if r.Key != k && r.Key != setting.ElectionTTL {
			continue
		}
		d, err := c.duration(r)
		if r.missing {
			err = fmt.Errorf("has no single value; want a duration such as 15s")
		}
		if r.Key != k {
			d /= partOfTTL[k]
		}
		first, taken := c.set[k]
		switch {
		case err != nil:
			f.bad(c, r, err)
			c.failed = true
		case !taken:
			c.set[k] = timed{d, r, c.pos.at(r.line)}
			if r.Key == k && r.Unit == 0 && scalar.IsNumber(r.text) && (d >= longLease || slices.ContainsFunc(c.raws, hasUnit)) {
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

// libraryLocks are the kinds of lock by the names that resourcelock.New of client-go takes, up to v0.24 all of them.
var libraryLocks = map[string]plan.Lock{
	"leases": plan.Lease, "endpoints": plan.Endpoints, "configmaps": plan.ConfigMap,
	"endpointsleases": plan.EndpointsLeases, "configmapsleases": plan.ConfigMapsLeases,
}

// lock sets c.lock to the kind of lock that settings such as --leader-elect-resource-lock name; it leaves c.lock if there are none.
// It passes over settings that are not certain or have no value, and over an ElectionType that names no lock. A value that is unknown
// or contradicts an earlier one sets c.failed.
func (f *findings) lock(c *candidate) {
	said, ok := agreed(f, c, func(r raw) (*plan.Lock, error) {
		switch {
		case !r.Certain || r.missing:
		case r.Key == setting.ResourceLock:
			kind, err := lockNamed(r.text)
			return &kind, err
		case r.Key == setting.ElectionType:
			if kind := lockOfType(r.text); kind != "" {
				return &kind, nil
			}
			return nil, scalar.Given(r.text)
		}
		return nil, nil
	})
	if said != nil {
		c.lock = *said
	}
	c.failed = c.failed || !ok
}

// lockNamed returns the kind of lock for one of client-go's names, such as leases. It returns an error for any other text.
func lockNamed(text string) (plan.Lock, error) {
	if err := scalar.Given(text); err != nil {
		return "", err
	}
	kind, known := libraryLocks[text]
	if !known {
		return "", fmt.Errorf("want leases, endpoints, configmaps, endpointsleases or configmapsleases, got %s",
			phrase.Quote(text))
	}
	return kind, nil
}

// lockOfType returns the kind of lock that the value of an ElectionType names, such as leases or Lease; "" if it names none.
func lockOfType(text string) plan.Lock {
	text = strings.ToLower(text)
	if kind, known := libraryLocks[text]; known {
		return kind
	}
	return libraryLocks[text+"s"]
}

// notOnLock tells whether an ElectionType says that the election is neither on a lock of client-go nor in Kubernetes at all, but in etcd,
// say. It then adds a note.
func (f *findings) notOnLock(c *candidate) bool {
	for _, r := range c.raws {
		text := strings.ToLower(r.text)
		if r.Key != setting.ElectionType || text == "" || scalar.Given(text) != nil || lockOfType(text) != "" || text == "kubernetes" || text == "k8s" {
			continue
		}
		f.note(c.pos.at(r.line), Unread, r.name+": nothing is known here of an election of the kind "+scalar.Begins(r.text)+"; not judged")
		return true
	}
	return false
}
