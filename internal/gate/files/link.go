package files

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/phrase"
)

// timings are LeaseDuration, RenewDeadline and RetryPeriod; 0 for one that is not set.
type timings struct{ lease, renew, retry time.Duration }

// String returns the three with slashes between, such as 15s/10s/2s.
func (t timings) String() string { return fmt.Sprintf("%v/%v/%v", t.lease, t.renew, t.retry) }

// link appends to w.out.Targets a target for each candidate in w.found that has not failed and is not judged with a container.
// A container first takes the timings that it does not set from the configuration that it mounts. link also adds notes about
// other files and variables that perhaps count; that they do not becomes a condition of a safe verdict. For a container
// without settings whose program elects by default it adds a note, and sets w.elects, unless its configuration was found, or a
// ConfigMap that it mounts turns the election off.
func (w *walker) link() {
	for _, c := range w.readers {
		if c.alone && c.config == nil && !c.off {
			w.elects = true
			w.note(c.pos, Ignored, fmt.Sprintf("%s elects a leader by default, with %v; nothing here says that it has several replicas; not judged",
				c.program.Name, c.program.timings))
		}
	}
	for _, c := range w.found {
		if len(c.instead) > 0 {
			c.provided = append(c.provided, "the ConfigMap of its variables is the one that was found")
			w.note(c.pos, Unread, "the ConfigMap that its variables come from may be "+phrase.Or(c.instead[:min(len(c.instead), maxOthers)])+
				"; then the verdict is about something else: give the files of one installation")
		}
		if c.assumed != "" {
			w.note(c.pos, Unread, "it has no namespace here, and is assumed to be in that of the ConfigMap in "+c.assumed)
		}
		if len(c.others) > 0 {
			which := "sets no timings"
			if c.config != nil {
				which = "is the one that was found"
			}
			c.provided = append(c.provided, "the ConfigMap that it mounts "+which)
			w.note(c.pos, Unread, "the ConfigMap that it mounts may be the one in "+phrase.Or(c.others[:min(len(c.others), maxOthers)])+
				"; then the verdict is about something else: give the files of one installation")
		}
		switch {
		case c.config != nil:
			w.join(c, c.config)
		case c.off && c.isSilent():
			c.failed = true // nothing is wrong, and nothing to judge
		case c.setsAll() || len(c.others) > 0:
		case c.several:
			c.provided = append(c.provided, c.elsewhere+" sets no timings")
			w.note(c.pos, Unread, "what is in "+c.elsewhere+" is not known: files differ, or one of which it is made is not here; "+
				"if it sets timings, the verdict is about something else: give the files of one installation")
		case c.elsewhere != "":
			c.provided = append(c.provided, c.elsewhere+" sets no timings")
			w.note(c.pos, Ignored, "the variables of "+c.elsewhere+" are not known here; if they set timings, the verdict is about something else")
		case c.configFlag != "" && !(c.isSilent() && c.present):
			c.provided = append(c.provided, "the file of "+c.configFlag+" sets no timings")
			w.note(c.pos, Unread, c.configFlag+" names a file that was not found here; if it sets leader election, "+
				"the verdict is about something else: give the ConfigMap with it too")
		}
	}
	for _, c := range w.found {
		if !c.failed && !c.taken {
			w.out.Targets = append(w.out.Targets, c.target())
		}
	}
}

// maxOthers of the files that may count instead are named.
const maxOthers = 3

// setsAll tells whether all three timings are in c.set.
func (c *candidate) setsAll() bool {
	return min(c.set[leaseDuration].d, c.set[renewDeadline].d, c.set[retryPeriod].d) > 0
}

// join copies to the container c from config, its configuration file, what c does not set itself: program, lock and timings. c
// releases the lock if either of the two does. The client of config, if it has one, replaces that of c, and the conditions of
// config (provided) are added to those of c. join sets c.failed if config has failed, or if both set a timing to different
// values, which it also reports as a problem.
func (w *walker) join(c, config *candidate) {
	c.failed = c.failed || config.failed
	c.release = c.release || config.release
	c.releaseSaid = c.releaseSaid || config.releaseSaid
	c.program = cmp.Or(c.program, config.program)
	c.lock = cmp.Or(c.lock, config.lock)
	c.provided = append(c.provided, config.provided...)
	if config.client != nil { // beside which the scheduler ignores its flags (kubernetes@v1.37.2, cmd/kube-scheduler/app/options/deprecated.go:48)
		c.client = config.client
	}
	for _, k := range timingKeys {
		own, file := c.set[k], config.set[k]
		switch {
		case file.d == 0:
		case own.d == 0:
			c.set[k] = file
		case own.d != file.d:
			w.contradiction(c.pos, own.raw, own.raw.text, file.raw.text, file.at, file.raw.name)
			c.failed = true
		}
	}
}

// isSilent tells whether the file has no setting of leader election for the candidate, which elects only because its program
// always does, or does by default.
func (c *candidate) isSilent() bool {
	return !slices.ContainsFunc(c.raws, func(r raw) bool { return r.name != "" })
}

// target returns the candidate as a Target. Timings that are not set become the defaults of its program, and t.Defaulted names
// them. If the file does not say whether the lock is released, the program's code decides. Timeout and Profile are those of the
// program.
func (c *candidate) target() Target {
	t := Target{
		Position: c.pos, Component: c.component, Program: c.program, Lock: c.lock, Provided: c.provided,
		ReleaseOnCancel: c.release, ReleaseSaid: c.releaseSaid, Replicas: c.replicas,
	}
	c.client.storeIn(&t)
	if c.program != nil {
		t.Timeout, t.Profile = c.program.Timeout, c.program.Profile
		t.ReleaseOnCancel = c.release || c.program.Release && !c.releaseSaid
	}
	c.setEarlier(&t)
	all := c.ofItsRelease().fill(timings{c.set[leaseDuration].d, c.set[renewDeadline].d, c.set[retryPeriod].d})
	t.LeaseDuration, t.RenewDeadline, t.RetryPeriod = all.lease, all.renew, all.retry
	c.setLibrary(&t)
	for _, k := range timingKeys {
		if c.set[k].d == 0 {
			t.Defaulted = append(t.Defaulted, k.String())
		}
	}
	return t
}
