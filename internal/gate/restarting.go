package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
)

// This file is of a process that starts again under its own name, such as the name of its pod, within a second of the last write of the
// process before it. Followers that compare whole seconds then take its first write for that one, as where one elector runs again.

// IfRestarted returns the longest overlap that is possible if a process starts again under its own name within a second, where the
// verdict counts no such start; 0 if there is none, or if no bound is known. It counts closings where the verdict does.
func (j *Judgement) IfRestarted() (longest time.Duration) {
	if j.Environment.Reruns || j.newNames() || !j.namesCount() {
		return 0
	}
	again := j.Environment
	again.Reruns = true
	c := j.Config
	for _, c.RequestTimeout = range j.timeouts(c.RenewDeadline) {
		for _, closing := range j.closingsOf(&c, &again) {
			if r, err := boundClosed(bound.Sum, c, &again, closing); err == nil {
				longest = max(longest, r.Overlap)
			}
		}
	}
	return longest
}

// newNames tells whether each process of the program has a name of its own, as it is taken to have with a request timeout of half of
// RenewDeadline: controller-runtime and component-base, which set that, add a UUID to the name of the host.
func (j *Judgement) newNames() bool { return j.Timeout.Kind == files.Half }

// namesCount tells whether followers can take a write for an earlier one of the same name: they compare whole seconds, on a record that
// lasts until somebody writes another one.
func (j *Judgement) namesCount() bool {
	return j.Profile.Client == machine.OfClientGo && j.Profile.ComparesSeconds() && !j.Lock.Expires()
}
