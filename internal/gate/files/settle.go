package files

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
)

// settle appends c to w.found, after it has set from c.raws: c.program, c.release, c.releaseSaid, c.set, c.lock and c.failed.
// It reports unreadable and contradictory settings, and a coordinated election, as problems, which set c.failed. If the
// settings are not about leader election, if they turn it off, or if nobody can tell the client, settle adds notes and does
// not append c. It marks all of c.raws in w.read, and in w.off the ConfigMap of a candidate that is turned off.
func (w *walker) settle(c *candidate) {
	for _, r := range c.raws {
		w.read.Add(r.name, r.text, r.line)
	}
	if !w.speaks(c) {
		return
	}
	if p := programs.OfSettings(c.speaksOf); p != nil && (c.program == nil || !c.program.Borrows) {
		c.program = p
	}
	w.ofChart(c)
	c.program = c.program.Within(c.within)
	on, ok := w.flag(c, true, setting.Enable, setting.Disable)
	if ok && !on {
		if !c.isBeside() {
			w.off[c.configMap] = true
		}
		if c.program != nil && c.program.ConfigRules && len(c.mounts) > 0 {
			w.idle = append(w.idle, c)
		}
		w.note(c.pos, Disabled, "leader election is turned off; not judged")
		return
	}
	if w.notKnown(c) || w.notOnLock(c) || w.isOpen(c) {
		return
	}
	w.fixed(c)
	release, known := w.flag(c, false, setting.ReleaseOnCancel)
	c.failed = !ok || !known
	coordinated, open := c.program.CoordinatedBy(c.gates, c.tag())
	if open {
		c.provide("AllAlpha does not coordinate the election, as in v1.31 and v1.32")
	}
	if coordinated {
		w.problem(c.pos, noBound+" ("+programs.Coordination+")")
		c.failed = true
	}
	c.release = c.release || release || c.program.ReleasesBy(c.gates)
	c.releaseSaid = c.releaseSaid || slices.ContainsFunc(c.raws, func(r raw) bool { return r.Key == setting.ReleaseOnCancel })
	c.set = map[setting.Key]timed{}
	for _, k := range setting.TimingKeys {
		w.timing(c, k)
	}
	w.lock(c)
	if w.valuesIn != "" && !c.setsAll() {
		c.provide("the values of " + w.valuesIn + " set no timings")
	}
	if w.renderedLater {
		c.provide("the patches of its postRenderers leave its settings as they are")
		c.layered = true
	}
	w.others(c)
	w.overlaid(c)
	w.changedLater(c)
	w.found = append(w.found, c)
}

// isOpen tells whether nothing but a yes or no whose value is not known here says that the candidate elects; then it adds a note.
func (f *findings) isOpen(c *candidate) bool {
	for _, r := range c.raws {
		if r.Key != setting.Enable && r.Key != setting.Disable || !r.loose || scalar.Given(r.text) == nil {
			return false
		}
	}
	r := c.raws[0]
	f.note(c.pos.at(r.line), Unread, r.name+" turns leader election on or off, and "+scalar.Given(r.text).Error()+"; not judged")
	return true
}

// others adds a note for each setting of c that is a duration of leader election by its name and its value, but is not called
// LeaseDuration, RenewDeadline or RetryPeriod, and perhaps is one of them. That it is none becomes a condition of a safe
// verdict.
func (f *findings) others(c *candidate) {
	for _, r := range c.raws {
		if r.Key == setting.OtherTiming && f.other(c, r, "") {
			c.provide(r.name + " is none of the durations that count")
		}
	}
}

// other adds a note that the setting r was not read, if its value is a duration or a number above zero; otherwise it adds none.
// more is appended to the note's text. It tells whether it added one.
func (f *findings) other(c *candidate, r raw, more string) bool {
	_, err := scalar.Duration(r.text, cmp.Or(r.Unit, time.Second))
	positive := scalar.IsNumber(r.text) && !strings.HasPrefix(r.text, "-") && strings.Trim(r.text, "+0.") != "" // also one of 2.5 seconds
	if err == nil || positive {
		f.note(c.pos.at(r.line), Unread, r.name+" is none of the durations that are read here, and may be one that counts"+more)
	}
	return err == nil || positive
}

// speaks tells whether the candidate's settings are about leader election: at least one is certain, or there are two different
// timings, of which one is a renew deadline unless the program's name or what is around the settings speaks of a leader. If it
// returns false, it has added a note for each setting, but none for a kind of lock or for an OtherTiming whose value is no
// duration. If it returns true, each uncertain timing that has the same key as a certain one, and another value, has become an OtherTiming,
// and it has dropped the other uncertain settings that have the key of a certain one.
func (f *findings) speaks(c *candidate) bool {
	var certain [setting.Mention + 1]*raw
	var uncertain [setting.Mention + 1]bool
	sure, timings := false, 0
	for i, r := range c.raws {
		if r.Certain {
			certain[r.Key], sure = &c.raws[i], true
		} else if !uncertain[r.Key] && r.Key <= setting.RetryPeriod {
			uncertain[r.Key] = true
			timings++
		}
	}
	// A DHCP server has a lease duration and a retry period, too.
	if !sure && (timings < 2 || !uncertain[setting.RenewDeadline] && !c.isAboutLeaders()) {
		for _, r := range c.raws {
			if r.Key == setting.ResourceLock {
				continue
			}
			if r.Key == setting.OtherTiming {
				f.other(c, r, "; not judged")
				continue
			}
			f.note(c.pos.at(r.line), Ignored, aboutAnything(r))
		}
		return false
	}
	var all []raw
	for _, r := range c.raws {
		if first := certain[r.Key]; !r.Certain && first != nil {
			if r.Key > setting.RetryPeriod || r.text == first.text {
				continue
			}
			r.Key = setting.OtherTiming
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
// opposite. It returns value if there are none. ok is false if a setting is unreadable or two contradict each other. It ignores a loose setting
// that is unreadable, and adds a note if its value is a word such as on.
func (f *findings) flag(c *candidate, value bool, keys ...setting.Key) (result, ok bool) {
	said, ok := agreed(f, c, func(r raw) (*bool, error) {
		i := slices.Index(keys, r.Key)
		if i < 0 {
			return nil, nil
		}
		b, err := scalar.Boolean(r.text)
		if err != nil && r.loose {
			if slices.Contains(maybe, strings.ToLower(r.text)) {
				f.note(c.pos.at(r.line), Unread, r.name+" is neither true nor false, but "+scalar.Begins(r.text)+"; whether the program takes that is not known")
			}
			return nil, nil
		}
		b = b == (i == 0)
		return &b, err
	})
	if said != nil {
		value = *said
	}
	return value, ok
}

// agreed returns the value that the candidate's settings have, as read returns it, which is nil for one that does not count; nil if none counts. ok is
// false if a setting is unreadable or two contradict each other; it reports both as problems.
func agreed[T comparable](f *findings, c *candidate, read func(r raw) (*T, error)) (value *T, ok bool) {
	var first raw
	ok = true
	for _, r := range c.raws {
		v, err := read(r)
		switch {
		case err != nil:
			f.bad(c, r, err)
			ok = false
		case v == nil:
		case value == nil:
			first, value = r, v
		case *v != *value:
			f.contradiction(c.pos, r, r.text, first.text, c.pos.at(first.line), first.name)
			ok = false
		}
	}
	return value, ok
}

// bad reports, as a problem, a setting of c whose value cannot be read; err says why. The problem is Unreadable if the file has
// only a template or a variable in place of the value.
func (f *findings) bad(c *candidate, r raw, err error) {
	f.report(Problem{
		Position:   c.pos.at(r.line),
		Text:       phrase.OneLine(r.name + ": " + err.Error()),
		Unreadable: scalar.IsElsewhere(err),
	})
}

// contradiction reports, as a problem, that two settings contradict each other. The first is r, with the value text, in the object
// of the position at, on the line of r. The second is called name, has the value other, and is at the position where.
func (f *findings) contradiction(at Position, r raw, text, other string, where Position, name string) {
	f.problem(at.at(r.line), fmt.Sprintf("%s: contradictory: %s here, and %s by %s (%s); want one value",
		r.name, phrase.Clip(text), phrase.Clip(other), name, where))
}
