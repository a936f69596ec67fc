package main

import (
	"cmp"
	"context"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/elector/ttl"
)

// elect checks the options, starts the HTTP server if --listen is given, and then observes the lock or takes part in the
// election, until ctx has ended or the command is done. It returns an *exitError with the exit code if that is not 0, or another
// error, which stands for exitFailed.
func (p *program) elect(ctx context.Context, o *options) error {
	if err := o.complete(p.env); err != nil {
		return err
	}
	log := newLogger(p.stderr, o.logLevel).With("id", o.id, "name", cmp.Or(o.name, o.at.key))
	if secret(o.lock) {
		log.Warn("the password in --lock can be read by every user of this host: put the lock into the environment " +
			"variable " + lockVariable)
	}
	ctx, end := context.WithCancel(klog.NewContext(ctx, logr.FromSlogHandler(log.Handler())))
	defer end()
	l := &lease{lasts: o.lease}
	c := &candidate{
		o: o, log: log, lease: l, metrics: newMetrics(cmp.Or(o.name, o.at.key), l), end: end,
		watchDog: elector.NewLeaderHealthzAdaptor(o.lease),
	}
	stopServing, err := p.serve(c)
	if err != nil {
		return err
	}
	defer stopServing()
	if o.observe {
		return p.observe(ctx, c) // Its output is for a pipe, and ends with that.
	}
	outliveReader()
	defer c.waitAtMost(o.wait)()
	if o.at.kind == onKubernetes {
		err = p.contendInKubernetes(ctx, c)
	} else {
		err = c.withLock(ctx, func(lock ttl.Lock) error { return contendFor(ctx, c, lock) })
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result != nil {
		return c.result
	}
	return nil
}

// withLock opens the candidate's lock in SQL or etcd, calls do with it, disconnects, and returns do's error. If the lock cannot
// be opened, it does not call do, and returns why. If ctx has ended before there was a lock, it does not call do, and returns
// nil.
func (c *candidate) withLock(ctx context.Context, do func(ttl.Lock) error) error {
	open := openSQL
	if c.o.at.kind == onEtcd {
		open = openEtcd
	}
	lock, disconnect, err := open(ctx, c)
	if err != nil || lock == nil {
		return err
	}
	defer disconnect()
	return do(lock)
}
