package elector

import (
	"context"
	"errors"

	"k8s.io/klog/v2"
)

// RunUntilTTL takes part in the election on a key that expires by itself, until ctx ends or the work is done, and runs work
// whenever it leads, as RunUntil does. What work returns decides, and failures make it wait, as with RunUntil; the lock's TTL takes
// the place of LeaseDuration. c.Callbacks.OnElected must be nil; OnDefeated is called after each term in which work was to run.
// ReleaseOnCancel is taken as true, and Again has no meaning. It returns nil when ctx has ended or the work is done. It returns
// an error if the configuration is refused, or if the work has not returned although ctx has ended and the entry has run out.
func RunUntilTTL(ctx context.Context, c TTLConfig, work func(context.Context) error) error {
	wrong := notUntil("RunUntilTTL", work, "OnElected", c.Callbacks.OnElected != nil, c.Profile)
	c.Callbacks.OnElected = func(context.Context, uint64) {}
	c.ReleaseOnCancel = true
	if err := errors.Join(append(wrong, c.validate())...); err != nil {
		return err
	}
	s := &series{config: c.elector(), lock: c.Lock.Describe(), work: work, logger: klog.FromContext(ctx)}
	s.config.Callbacks.OnStoppedLeading = c.Callbacks.OnDefeated
	s.callbacks()
	s.le = newTTLElector(c.Lock, s.config)
	return s.run(ctx)
}
