package files

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// raw is a setting as it is written.
type raw struct {
	setting
	// name is the flag, variable or field.
	name string
	text string
	line int
	// wholeSeconds: in this place a number without unit is one of seconds.
	wholeSeconds bool
	// loose: what is no yes or no may be meant otherwise.
	loose bool
	// missing: there is a name, and no value or more than one.
	missing bool
}

// timed is a timing, and who says so.
type timed struct {
	d   time.Duration
	raw raw
	at  Position
}

// candidate is what may become a target: a container, a configuration.
type candidate struct {
	pos       Position
	component string
	// image is the name of the container's image, "" where there is none.
	image   string
	program *Program
	raws    []raw
	// set has the timings that are given; failed says that one was given and cannot be used.
	set                  map[key]timed
	release, releaseSaid bool
	failed               bool
	lock                 plan.Lock
	client               client
	// configMap is the ConfigMap that this is in; mounts are those that this may have its configuration from.
	configMap string
	mounts    []string
	// config is the configuration that a container mounts; nil where nothing is known of one. off tells that one turns leader
	// election off, and others are the files that have one too.
	config *candidate
	off    bool
	others []string
	// taken: what it says is judged with a container.
	taken bool
	// configFlag is the flag that names a file of configuration, "" where there is none.
	configFlag string
	// elsewhere is what has variables that are not known here, "" if there is nothing; several tells that files have it, and do not say what is in it.
	elsewhere string
	several   bool
	// instead are the ConfigMaps, namespace/name, that may count instead of those that variables are taken from.
	instead []string
	// assumed is the file of a ConfigMap in whose namespace the container is assumed to be; "" where nothing is.
	assumed string
	// data is the ConfigMap whose keys are the settings.
	data string
	// within are the names of the fields that the settings stand in, as one word, and beside those of other variables, both as
	// normal has them.
	within string
	beside []string
	// language is that of the program, "" for Go and where none is recognised. started: what starts the program tells it.
	language string
	started  bool
	// managed: a client has written it that is not client-go.
	managed bool
}

// settle reads the settings that were collected in c.raws into the other fields of c, and appends c to w.found. If the
// settings are not about leader election, or turn it off, it adds a note instead.
func (w *walker) settle(c *candidate) {
	for _, r := range c.raws {
		w.read[normal(r.name)] = true
	}
	if !w.speaks(c) {
		return
	}
	on, ok := w.flag(c, true, enable, disable)
	if ok && !on {
		w.off[c.configMap] = true
		w.note(c.pos, Disabled, "leader election is turned off; not judged")
		return
	}
	if p := c.programOfSettings(); p != nil && (c.program == nil || !c.program.borrows) {
		c.program = p
	}
	if w.notKnown(c) {
		return
	}
	release, known := w.flag(c, false, releaseOnCancel)
	c.failed = !ok || !known
	c.release = c.release || release
	c.releaseSaid = c.releaseSaid || slices.ContainsFunc(c.raws, func(r raw) bool { return r.key == releaseOnCancel })
	c.set = map[key]timed{}
	w.electionTTL(c)
	for _, k := range timingKeys {
		w.timing(c, k)
	}
	w.lock(c)
	w.others(c)
	w.found = append(w.found, c)
}

// others adds a note for each duration of leader election that is not LeaseDuration, RenewDeadline or RetryPeriod by its name,
// and may be one of them.
func (w *walker) others(c *candidate) {
	for _, r := range c.raws {
		if r.key == otherTiming {
			w.other(c, r, "")
		}
	}
}

// other adds a note about the setting r if its value is a duration or a number. more is added to the note's text.
func (w *walker) other(c *candidate, r raw, more string) {
	if _, err := duration(r.text, cmp.Or(r.unit, time.Second)); err == nil {
		w.note(c.pos.at(r.line), Unread, r.name+" is none of the durations that are read here, and may be one that counts"+more)
	}
}

// speaks tells whether the candidate's settings are about leader election; if not, it adds a note for each, but for a
// kind of lock. If they are, it drops from c.raws a setting with a vague name if there is one of the same kind with a
// certain name.
func (w *walker) speaks(c *candidate) bool {
	var certain, uncertain [mention + 1]bool
	sure, timings := false, 0
	for _, r := range c.raws {
		if r.certain {
			certain[r.key], sure = true, true
		} else if !uncertain[r.key] && r.key <= retryPeriod {
			uncertain[r.key] = true
			timings++
		}
	}
	if !sure && timings < 2 {
		for _, r := range c.raws {
			if r.key == resourceLock {
				continue
			}
			if r.key == otherTiming {
				w.other(c, r, "; not judged")
				continue
			}
			text := r.name + " alone may be about anything; not taken for leader election"
			w.note(c.pos.at(r.line), Ignored, text)
		}
		return false
	}
	c.raws = slices.DeleteFunc(c.raws, func(r raw) bool { return !r.certain && certain[r.key] })
	return true
}

// maybe are words that some programs take for true or false.
var maybe = []string{"on", "off", "yes", "no", "enabled", "disabled", "enable", "disable", "none"}

// flag returns the yes or no that the candidate's settings with keys[0] give; a setting with keys[1] means the
// opposite. value is the default. ok is false where a setting is unreadable or two contradict each other, which it
// reports as problems. It passes over a loose setting that is unreadable.
func (w *walker) flag(c *candidate, value bool, keys ...key) (result, ok bool) {
	var first *raw
	ok = true
	for _, r := range c.raws {
		i := slices.Index(keys, r.key)
		if i < 0 {
			continue
		}
		b, err := boolean(r.text)
		switch {
		case err != nil && r.loose:
			if slices.Contains(maybe, strings.ToLower(r.text)) {
				w.note(c.pos.at(r.line), Unread, r.name+" is neither true nor false, but "+begins(r.text)+"; whether the program takes that is not known")
			}
			continue
		case err != nil:
			w.bad(c, r, err)
			ok = false
			continue
		}
		b = b == (i == 0)
		if first != nil && b != value {
			w.contradiction(c.pos, r, r.text, first.text, c.pos.at(first.line), first.name)
			ok = false
		}
		first, value = &r, b
	}
	return value, ok
}

// in returns the unit of a number that is written without one; 0 where such a number is an error.
func (r *raw) in() time.Duration {
	if r.unit == 0 && r.wholeSeconds {
		return time.Second
	}
	return r.unit
}

// electionTTL sets all three timings in c.set from ingress-nginx's single setting, if there is one. It reports an
// unreadable value as a problem and sets c.failed.
func (w *walker) electionTTL(c *candidate) {
	for _, r := range c.raws {
		if r.key != electionTTL {
			continue
		}
		d, err := duration(r.text, r.in())
		if err == nil && r.missing {
			err = fmt.Errorf("has no single value; want a duration such as 30s")
		}
		if err != nil {
			w.bad(c, r, err)
			c.failed = true
			continue
		}
		for k, part := range map[key]time.Duration{leaseDuration: 1, renewDeadline: 2, retryPeriod: 4} {
			c.set[k] = timed{d / part, r, c.pos.at(r.line)}
		}
	}
}

// longLease is more than people have leases of. A number of seconds that comes to so much may be one of milliseconds.
const longLease = 10 * time.Minute

// timing reads the timing of key k into c.set. It reports values that are unreadable or contradict each other as
// problems, and sets c.failed.
func (w *walker) timing(c *candidate, k key) {
	for _, r := range c.raws {
		if r.key != k {
			continue
		}
		d, err := duration(c.program.goDuration(r.text), r.in())
		if r.missing {
			err = fmt.Errorf("has no single value; want a duration such as 15s")
		}
		first, taken := c.set[k]
		switch {
		case err != nil:
			w.bad(c, r, err)
			c.failed = true
		case !taken:
			c.set[k] = timed{d, r, c.pos.at(r.line)}
			if d >= longLease && r.unit == 0 && number.MatchString(r.text) {
				w.note(c.pos.at(r.line), Unread, r.name+": "+phrase.Clip(r.text)+" has no unit, and is taken for seconds: "+d.String())
			}
		case first.d != d:
			w.contradiction(c.pos, r, r.text, first.raw.text, first.at, first.raw.name)
			c.failed = true
		}
	}
}

// bad reports, as a problem, a setting whose value cannot be read; err says why.
func (w *walker) bad(c *candidate, r raw, err error) {
	w.report(Problem{
		Position:   c.pos.at(r.line),
		Text:       phrase.OneLine(r.name + ": " + err.Error()),
		Unreadable: isElsewhere(err),
	})
}

// contradiction reports, as a problem, that setting r at position at has the value text, and the setting called name at
// position where has the value other.
func (w *walker) contradiction(at Position, r raw, text, other string, where Position, name string) {
	w.problem(at.at(r.line), fmt.Sprintf("%s: contradictory: %s here, and %s by %s (%s); want one value",
		r.name, phrase.Clip(text), phrase.Clip(other), name, where))
}
