package files

import (
	"cmp"
	"fmt"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/phrase"
)

// link appends to f.out.Targets a target for each candidate in f.found that has not failed and is not judged with a container.
// A container first takes the timings that it does not set from the configuration that it mounts. link also adds notes about
// other files and variables that perhaps count; that they do not becomes a condition of a safe verdict. For a container
// without settings whose program elects by default it adds a note, and sets f.elects, unless its configuration was found, or a
// ConfigMap that it mounts turns the election off.
func (f *findings) link() {
	for _, c := range f.readers {
		if c.alone && c.config == nil && !c.off {
			f.elects = true
			f.note(c.pos, Ignored, fmt.Sprintf("%s elects a leader by default, with %s; nothing here says that it has several replicas; not judged",
				c.program.Name, c.program.Defaults()))
		}
	}
	for _, c := range f.found {
		if len(c.instead) > 0 {
			c.provide("the ConfigMap of its variables is the one that was found")
			f.note(c.pos, Unread, "the ConfigMap that its variables come from may be "+phrase.Or(c.instead[:min(len(c.instead), maxOthers)])+
				"; then the verdict is about something else: give the files of one installation")
		}
		if c.assumed != "" {
			f.note(c.pos, Unread, "it has no namespace here, and is assumed to be in that of the ConfigMap in "+c.assumed)
		}
		if len(c.others) > 0 {
			which := "sets no timings"
			if c.config != nil {
				which = "is the one that was found"
			}
			c.provide("the ConfigMap that it mounts " + which)
			f.note(c.pos, Unread, "the ConfigMap that it mounts may be the one in "+phrase.Or(c.others[:min(len(c.others), maxOthers)])+
				"; then the verdict is about something else: give the files of one installation")
		}
		f.configuredClient(c)
		switch {
		case c.config != nil:
			f.join(c, c.config)
		case c.off && c.isSilent():
			c.failed = true // nothing is wrong, and nothing to judge
		case c.setsAll() || len(c.others) > 0:
		case c.several:
			c.provide(c.elsewhere + " sets no timings")
			f.note(c.pos, Unread, "what is in "+c.elsewhere+" is not known: files differ, or one of which it is made is not here; "+
				"if it sets timings, the verdict is about something else: give the files of one installation")
		case c.elsewhere != "":
			c.provide(c.elsewhere + " sets no timings")
			f.note(c.pos, Ignored, "the variables of "+c.elsewhere+" are not known here; if they set timings, the verdict is about something else")
		case c.configFlag != "" && !(c.isSilent() && c.present):
			c.provide("the file of " + c.configFlag + " sets no timings")
			f.note(c.pos, Unread, c.configFlag+" names a file that was not found here; if it sets leader election, "+
				"the verdict is about something else: give the ConfigMap with it too")
		}
	}
	for _, c := range f.found {
		if !c.failed && !c.taken {
			f.out.Targets = append(f.out.Targets, c.target())
		}
	}
}

// maxOthers of the files that may count instead are named.
const maxOthers = 3

// configuredClient drops c.client if c has a file of configuration beside which its flags for the client count for nothing
// (kubernetes@v1.37.2, cmd/kube-scheduler/app/options/deprecated.go:52). If that file was not found, it adds a condition, and a note if there
// are such flags.
func (f *findings) configuredClient(c *candidate) {
	if c.program == nil || !c.program.ConfigRules || c.config == nil && c.configFlag == "" {
		return
	}
	flags := c.client != nil
	c.client = nil
	if c.config != nil || c.isSilent() && c.present {
		return
	}
	c.provide("the file of " + c.configFlag + " has no clientConnection")
	if flags {
		f.note(c.pos, Unread, "beside "+c.configFlag+" its flags for the client count for nothing, and the file that this names was not found here: "+
			"give the ConfigMap with it too")
	}
}

// join copies to the container c from config, its configuration file, what c does not set itself: program, lock and timings. c
// releases the lock if either of the two does. The client of config, if it has one, replaces that of c, and the conditions of
// config (provided) are added to those of c. join sets c.failed if config has failed, or if both set a timing to different
// values, which it also reports as a problem.
func (f *findings) join(c, config *candidate) {
	c.failed = c.failed || config.failed
	c.release = c.release || config.release
	c.releaseSaid = c.releaseSaid || config.releaseSaid
	c.program = cmp.Or(c.program, config.program)
	c.lock = cmp.Or(c.lock, config.lock)
	c.provide(config.provided...)
	if config.client != nil {
		c.client = config.client
	}
	for _, k := range setting.TimingKeys {
		own, file := c.set[k], config.set[k]
		switch {
		case file.d == 0:
		case own.d == 0:
			c.set[k] = file
		case own.d != file.d:
			f.contradiction(c.pos, own.raw, own.raw.text, file.raw.text, file.at, file.raw.name)
			c.failed = true
		}
	}
}

// target returns the candidate as a Target. Timings that are not set become the defaults of its program, and t.Defaulted names
// them. If the file does not say whether the lock is released, the program's code decides. Timeout and Profile are those of the
// program.
func (c *candidate) target() Target {
	t := Target{
		Position: c.pos, Component: c.component, Program: c.program, Replicas: c.replicas, ReleaseOnCancel: c.release, ReleaseSaid: c.releaseSaid,
		Facts: c.program.Facts(c.tag(), c.hasFlag, c.lock, c.timings()),
	}
	t.Provided = append(c.provided, t.Provided...)
	c.client.storeIn(&t)
	if !t.SaysClient() {
		t.OtherLimits = c.otherLimits
	}
	if c.program != nil {
		t.Profile, t.ReleaseOnCancel = c.program.Profile, c.release || c.program.Release && !c.releaseSaid
	}
	for _, k := range setting.TimingKeys {
		if c.set[k].d == 0 {
			t.Defaulted = append(t.Defaulted, k.String())
		}
	}
	return t
}
