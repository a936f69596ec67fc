package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/internal/gate/files/programs"
)

// This file is of a process that starts again under its own name, such as the name of its pod, within a second of the last write of the
// process before it. Followers that compare whole seconds then take its first write for that one, as where one elector runs again.

// IfRestarted returns the longest overlap that is possible if a process starts again under its own name within a second, where the
// verdict counts no such start; 0 if there is none, or if no bound is known. It counts closings where the verdict does.
func (j *Judgement) IfRestarted() time.Duration {
	return j.longest(func(c *bound.Config) time.Duration { return j.restarted(c, &j.Environment) })
}

// restarted returns the longest overlap of configuration c of the target that is possible if electors run again, and e counts no such
// Run; 0 if there is none, if no bound is known, if each process has a name of its own, and if followers cannot take the write of one
// Run for that of another.
func (t *Target) restarted(c *bound.Config, e *bound.Environment) time.Duration {
	if e.Reruns || t.newNames() || !namesCount(c) {
		return 0
	}
	again := *e
	again.Reruns = true
	return closing.Longest(c, &again, t.closingsOf(c, &again))
}

// newNames tells whether each process of the program has a name of its own, as it is taken to have with a request timeout of half of
// RenewDeadline: controller-runtime and component-base, which set that, add a UUID to the name of the host.
func (t *Target) newNames() bool { return t.Timeout.Kind == programs.Half }

// namesCount tells whether followers can take a write for an earlier one of the same name: they compare whole seconds, on a record that
// lasts until somebody writes another one.
func namesCount(c *bound.Config) bool {
	return c.Profile.Client == machine.OfClientGo && c.Profile.ComparesSeconds() && !c.Lock.Expires()
}
