package files

import (
	"cmp"
	"slices"
	"time"
)

// timings are the three.
type timings struct{ lease, renew, retry time.Duration }

// link turns w.found into w.out.Targets. A container takes what it does not set itself from the configuration that it
// mounts, which then is no target of its own.
func (w *walker) link() {
	configs := map[string][]*candidate{}
	for _, c := range w.found {
		if c.configMap != "" {
			configs[c.configMap] = append(configs[c.configMap], c)
		}
	}
	for _, c := range w.readers {
		if config := c.config(configs); config != nil {
			config.program = cmp.Or(config.program, c.program)
		}
	}
	taken := map[*candidate]bool{}
	for _, c := range w.found {
		config := c.config(configs)
		switch {
		case config != nil:
			w.join(c, config)
			taken[config] = true
		case c.isOff(w.off):
			c.failed = true // nothing is wrong, and nothing to judge
		case min(c.set[leaseDuration].d, c.set[renewDeadline].d, c.set[retryPeriod].d) > 0:
		case c.elsewhere != "":
			w.note(c.pos, Ignored, "the variables of "+c.elsewhere+" are not known here; if they set timings, the verdict is about something else")
		case c.configFlag != "":
			w.note(c.pos, Unread, c.configFlag+" names a file that was not found here; if it sets leader election, "+
				"the verdict is about something else: give both in one file")
		}
	}
	for _, c := range w.found {
		if !c.failed && !taken[c] {
			w.out.Targets = append(w.out.Targets, c.target())
		}
	}
}

// config returns the one candidate that comes from the ConfigMaps that a container mounts. It is nil where there are
// none or several, since nobody can tell which the program reads. configs has the candidates by the ConfigMap that they
// come from.
func (c *candidate) config(configs map[string][]*candidate) *candidate {
	var found []*candidate
	for _, name := range c.mounts {
		found = append(found, configs[name]...)
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// join fills in what container c leaves open from config, its configuration file. It reports timings that contradict
// each other as problems, and sets c.failed.
func (w *walker) join(c, config *candidate) {
	c.failed = c.failed || config.failed
	c.release = c.release || config.release
	c.releaseSaid = c.releaseSaid || config.releaseSaid
	c.program = cmp.Or(c.program, config.program)
	c.lock = cmp.Or(c.lock, config.lock)
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

// isOff tells whether the only word about leader election is that of a mounted ConfigMap, which turns it off.
func (c *candidate) isOff(off map[string]bool) bool {
	return slices.ContainsFunc(c.mounts, func(name string) bool { return off[name] }) &&
		!slices.ContainsFunc(c.raws, func(r raw) bool { return r.name != "" })
}

// target returns the candidate as a Target. Timings that are not set become the defaults of its program.
func (c *candidate) target() Target {
	t := Target{
		Position: c.pos, Component: c.component, Program: c.program, Lock: c.lock, data: c.data,
		ReleaseOnCancel: c.release, ReleaseSaid: c.releaseSaid,
	}
	c.client.clientOf(&t)
	if c.program != nil {
		t.Timeout, t.Profile = c.program.Timeout, c.program.Profile
		t.ReleaseOnCancel = c.release || c.program.Release && !c.releaseSaid
	}
	all := c.program.fill(timings{c.set[leaseDuration].d, c.set[renewDeadline].d, c.set[retryPeriod].d})
	t.LeaseDuration, t.RenewDeadline, t.RetryPeriod = all.lease, all.renew, all.retry
	for _, k := range timingKeys {
		if c.set[k].d == 0 {
			t.Defaulted = append(t.Defaulted, k.String())
		}
	}
	return t
}
