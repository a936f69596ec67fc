package files

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/plan"
)

// raw is a setting as a file has it: what its name says, and its value as text.
type raw struct {
	setting
	// name is the flag, variable or field.
	name string
	text string
	line int
	// wholeSeconds: in this place a number without unit is one of seconds.
	wholeSeconds bool
	// loose: a value that is neither true nor false perhaps has another meaning, and is no error.
	loose bool
	// missing: there is a name, and no value or more than one.
	missing bool
}

// timed is a timing, with the setting that gives it and the position of that setting.
type timed struct {
	d   time.Duration
	raw raw
	at  Position
}

// candidate is what can become a target: a container, or a configuration. It is not a candidate of an election.
type candidate struct {
	pos       Position
	component string
	// image is the name of the container's image, "" where there is none.
	image string
	// cluster is the walker's. tagged is its image, if that is the image of program; "" otherwise.
	cluster, tagged string
	program         *Program
	raws            []raw
	// set has the timings that are given; failed says that one was given and cannot be used.
	set                  map[key]timed
	release, releaseSaid bool
	// hasFlag has the flags of the command line, without hyphens before them, that are not false.
	hasFlag map[string]bool
	// gates are the feature gates that flags or fields set.
	gates  map[string]bool
	failed bool
	lock   plan.Lock
	client client
	// configMap is the ConfigMap, namespace/name, that the candidate stands in, "" for none. mounts are the ConfigMaps that a
	// container mounts, one of which perhaps has its configuration.
	configMap string
	mounts    []string
	// config is the configuration that a container mounts; nil if there is none or nobody can tell which. off tells that a ConfigMap
	// that it mounts turns leader election off. others are the files that have a ConfigMap of the same name, which perhaps counts
	// instead.
	config *candidate
	off    bool
	others []string
	// taken tells that the candidate is judged as a part of a container, and is no target of its own.
	taken bool
	// configFlag is the flag that names a file of configuration, and configPath that file; "" where there is none.
	configFlag, configPath string
	// elsewhere names, in words, the Secret or ConfigMap whose variables are not known here, "" if there is none. several tells that
	// files have that ConfigMap, but that nobody can tell its values.
	elsewhere string
	several   bool
	// instead are the ConfigMaps, namespace/name, that perhaps count in place of those from which variables are taken.
	instead []string
	// assumed is the file of a ConfigMap in whose namespace the container is assumed to be; "" where nothing is.
	assumed string
	// data is the ConfigMap whose keys are the settings.
	data string
	// variable: a setting is that of a variable, or may be. variablesOf names the ConfigMaps that its variables are from.
	variable    bool
	variablesOf []string
	// provided are conditions, in words to follow "if", under which the settings are read rightly.
	provided []string
	// within are the names of the fields that the settings stand in, as one word, and beside those of other variables, both as
	// normal has them.
	within string
	beside []string
	// language is that of the program, "" for Go and where none is recognised. started: what starts the program tells it.
	language string
	started  bool
	// present: a ConfigMap that it mounts is in one of the files.
	present bool
	// alone: its program elects by default, and nothing says that it has several replicas.
	alone bool
	// replicas is how many pods the file says that there are; 0 where it does not.
	replicas int
	// together are the container's variables that are settings only because they stand together.
	together map[string]setting
	// empty is the first timing that has no value; nil if there is none.
	empty *raw
	// managed tells that a generated client, which is not client-go, has written the object.
	managed bool
}

// settle appends c to w.found, after it has set from c.raws: c.program, c.release, c.releaseSaid, c.set, c.lock and c.failed.
// It reports unreadable and contradictory settings, and a coordinated election, as problems, which set c.failed. If the
// settings are not about leader election, if they turn it off, or if nobody can tell the client, settle adds notes and does
// not append c. It marks all of c.raws in w.read, and in w.off the ConfigMap of a candidate that is turned off.
func (w *walker) settle(c *candidate) {
	for _, r := range c.raws {
		w.read.add(r)
	}
	if !w.speaks(c) {
		return
	}
	if p := c.programOfSettings(); p != nil && (c.program == nil || !c.program.borrows) {
		c.program = p
	}
	w.ofChart(c)
	c.program = c.program.part(func(part *Program) bool { return strings.Contains(c.within, part.field) })
	on, ok := w.flag(c, true, enable, disable)
	if ok && !on {
		if !c.isBeside() {
			w.off[c.configMap] = true
		}
		w.note(c.pos, Disabled, "leader election is turned off; not judged")
		return
	}
	if w.notKnown(c) || w.notOnLock(c) || w.isOpen(c) {
		return
	}
	w.fixed(c)
	release, known := w.flag(c, false, releaseOnCancel)
	c.failed = !ok || !known
	if c.coordinated() {
		w.problem(c.pos, noBound+" ("+coordination+")")
		c.failed = true
	}
	c.release = c.release || release || c.releasesByGate()
	c.releaseSaid = c.releaseSaid || slices.ContainsFunc(c.raws, func(r raw) bool { return r.key == releaseOnCancel })
	c.set = map[key]timed{}
	w.electionTTL(c)
	for _, k := range timingKeys {
		w.timing(c, k)
	}
	w.lock(c)
	if w.valuesIn != "" && !c.setsAll() {
		c.provided = append(c.provided, "the values of "+w.valuesIn+" set no timings")
	}
	if w.renderedLater {
		c.provided = append(c.provided, "the patches of its postRenderers leave its settings as they are")
	}
	w.others(c)
	w.overlaid(c)
	w.changedLater(c)
	w.found = append(w.found, c)
}

// isOpen tells whether nothing but a yes or no whose value is not known here says that the candidate elects; then it adds a note.
func (w *walker) isOpen(c *candidate) bool {
	for _, r := range c.raws {
		if r.key != enable && r.key != disable || !r.loose || given(r.text) == nil {
			return false
		}
	}
	r := c.raws[0]
	w.note(c.pos.at(r.line), Unread, r.name+" turns leader election on or off, and "+given(r.text).Error()+"; not judged")
	return true
}

// addMention adds a setting to c that has no value: c is settled although its file may set nothing.
func (c *candidate) addMention() {
	c.raws = append(c.raws, raw{setting: setting{key: mention, certain: true}})
}

// isBeside tells whether the candidate is an election beside that of the program that mounts its ConfigMap.
func (c *candidate) isBeside() bool { return c.program != nil && c.program.besides }

// others adds a note for each setting of c that is a duration of leader election by its name and its value, but is not called
// LeaseDuration, RenewDeadline or RetryPeriod, and perhaps is one of them. That it is none becomes a condition of a safe
// verdict.
func (w *walker) others(c *candidate) {
	for _, r := range c.raws {
		if r.key == otherTiming && w.other(c, r, "") {
			c.provided = append(c.provided, r.name+" is none of the durations that count")
		}
	}
}

// other adds a note that the setting r was not read, if its value is a duration or a number above zero; otherwise it adds none.
// more is appended to the note's text. It tells whether it added one.
func (w *walker) other(c *candidate, r raw, more string) bool {
	_, err := duration(r.text, cmp.Or(r.unit, time.Second))
	isNumber := number.MatchString(r.text) && !strings.HasPrefix(r.text, "-") && strings.Trim(r.text, "+0.") != "" // also one of 2.5 seconds
	if err == nil || isNumber {
		w.note(c.pos.at(r.line), Unread, r.name+" is none of the durations that are read here, and may be one that counts"+more)
	}
	return err == nil || isNumber
}

// speaks tells whether the candidate's settings are about leader election: at least one is certain, or there are two different
// timings, of which one is a renew deadline unless the program's name or what is around the settings speaks of a leader. If it
// returns false, it has added a note for each setting, but none for a kind of lock or for an otherTiming whose value is no
// duration. If it returns true, each uncertain timing that has the same key as a certain one, and another value, has become an otherTiming,
// and it has dropped the other uncertain settings that have the key of a certain one.
func (w *walker) speaks(c *candidate) bool {
	var certain [mention + 1]*raw
	var uncertain [mention + 1]bool
	sure, timings := false, 0
	for i, r := range c.raws {
		if r.certain {
			certain[r.key], sure = &c.raws[i], true
		} else if !uncertain[r.key] && r.key <= retryPeriod {
			uncertain[r.key] = true
			timings++
		}
	}
	// A DHCP server has a lease duration and a retry period, too.
	if !sure && (timings < 2 || !uncertain[renewDeadline] && !c.isAboutLeaders()) {
		for _, r := range c.raws {
			if r.key == resourceLock {
				continue
			}
			if r.key == otherTiming {
				w.other(c, r, "; not judged")
				continue
			}
			w.note(c.pos.at(r.line), Ignored, aboutAnything(r))
		}
		return false
	}
	var all []raw
	for _, r := range c.raws {
		if first := certain[r.key]; !r.certain && first != nil {
			if r.key > retryPeriod || r.text == first.text {
				continue
			}
			r.key = otherTiming
		}
		all = append(all, r)
	}
	c.raws = all
	return true
}

// aboutAnything returns the text of a note about a setting that alone is not enough.
func aboutAnything(r raw) string {
	return r.name + " alone may be about anything; not taken for leader election"
}

// maybe are words that some programs take for true or false.
var maybe = []string{"on", "off", "yes", "no", "enabled", "disabled", "enable", "disable", "none"}

// flag returns the yes or no that the candidate's settings with keys[0] give; settings with keys[1], if there is one, mean the
// opposite. It returns value if there are none. ok is false if a setting is unreadable or two contradict each other; it reports
// both as problems. It ignores a loose setting that is unreadable, and adds a note if its value is a word such as on.
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

// in returns the unit of a value that is a number without a unit; 0 if such a value is an error.
func (r *raw) in() time.Duration {
	if r.unit == 0 && r.wholeSeconds {
		return time.Second
	}
	return r.unit
}

// electionTTL sets the timings in c.set from the single setting of ingress-nginx or Datadog's agent, if there is one: the lease
// duration to its value, the renew deadline to a half and the retry period to a quarter of it. A later such setting replaces an
// earlier one. An unreadable or missing value is reported as a problem, and sets c.failed.
func (w *walker) electionTTL(c *candidate) {
	for _, r := range c.raws {
		if r.key != electionTTL {
			continue
		}
		d, err := c.duration(r)
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

// timing sets c.set[k] from the first setting with the key k, if there is one and c.set[k] is not set. A value that is unreadable
// or missing, or that differs from c.set[k], is reported as a problem, and sets c.failed. A number without a unit that comes to
// longLease or more, or stands beside a timing with one, gets a note that it was taken for seconds.
func (w *walker) timing(c *candidate, k key) {
	for _, r := range c.raws {
		if r.key != k {
			continue
		}
		d, err := c.duration(r)
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
			if r.unit == 0 && number.MatchString(r.text) && (d >= longLease || slices.ContainsFunc(c.raws, hasUnit)) {
				w.note(c.pos.at(r.line), Unread, r.name+": "+phrase.Clip(r.text)+" has no unit, and is taken for seconds: "+d.String())
				c.provided = append(c.provided, r.name+" is in seconds")
			}
		case first.d != d:
			w.contradiction(c.pos, r, r.text, first.raw.text, first.at, first.raw.name)
			c.failed = true
		}
	}
}

// hasUnit tells whether a setting is a timing whose value has a unit.
func hasUnit(r raw) bool {
	_, err := time.ParseDuration(r.text)
	return r.key >= leaseDuration && r.key <= retryPeriod && err == nil && !number.MatchString(r.text)
}

// bad reports, as a problem, a setting of c whose value cannot be read; err says why. The problem is Unreadable if the file has
// only a template or a variable in place of the value.
func (w *walker) bad(c *candidate, r raw, err error) {
	w.report(Problem{
		Position:   c.pos.at(r.line),
		Text:       phrase.OneLine(r.name + ": " + err.Error()),
		Unreadable: isElsewhere(err),
	})
}

// contradiction reports, as a problem, that two settings contradict each other. The first is r, with the value text, in the object
// of the position at, on the line of r. The second is called name, has the value other, and is at the position where.
func (w *walker) contradiction(at Position, r raw, text, other string, where Position, name string) {
	w.problem(at.at(r.line), fmt.Sprintf("%s: contradictory: %s here, and %s by %s (%s); want one value",
		r.name, phrase.Clip(text), phrase.Clip(other), name, where))
}
