package elector

import (
	"context"
	"errors"

	"k8s.io/klog/v2"
)

// RunUntilTTL does what RunUntil does, on a key that expires by itself: it takes part until ctx ends or the work is done, even
// if terms are lost. Where the comment of RunUntil says LeaseDuration, the lock's TTL is meant. c.Callbacks.OnElected must be
// nil; OnDefeated is called after each term in which work was to run. ReleaseOnCancel is taken as true, and Again has no
// meaning.
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
