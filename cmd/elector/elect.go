package main

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

// elect checks the options, starts the HTTP server if --listen is given, and then observes the lock or takes part in
// the election, until ctx has ended or the command is done.
func (p *program) elect(ctx context.Context, o *options) error {
	if err := o.complete(p.env); err != nil {
		return err
	}
	log := newLogger(p.stderr, o.logLevel).With("id", o.id, "name", first(o.name, o.at.key))
	if secret(o.lock) {
		log.Warn("the password in --lock can be read by every user of this host: put the lock into the environment " +
			"variable " + lockVariable)
	}
	ctx, end := context.WithCancel(klog.NewContext(ctx, logr.FromSlogHandler(log.Handler())))
	defer end()
	l := &lease{lasts: o.lease}
	c := &candidate{
		o: o, log: log, lease: l, metrics: newMetrics(first(o.name, o.at.key), l), end: end,
		watchDog: elector.NewLeaderHealthzAdaptor(o.lease),
	}
	stopServing, err := p.serve(c)
	if err != nil {
		return err
	}
	defer stopServing()
	if o.observe {
		return p.observe(ctx, c)
	}
	defer c.waitAtMost(o.wait)()
	if err := p.contend(ctx, c); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.result != nil {
		return c.result
	}
	return nil
}

// contend takes part in the election, on the kind of lock that the options name, until ctx has ended or the command is
// done.
func (p *program) contend(ctx context.Context, c *candidate) error {
	switch c.o.at.kind {
	case onKubernetes:
		return p.contendInKubernetes(ctx, c)
	case onEtcd:
		return contendInEtcd(ctx, c)
	default:
		return contendInSQL(ctx, c)
	}
}
