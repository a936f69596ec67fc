package main

import (
	"context"
	"encoding/json"
	"errors"
)

// observe prints the state of the lock, at first and then whenever its holder or its term changes, to standard output
// until ctx ends.
func (p *program) observe(ctx context.Context, c *candidate) error {
	out := &observer{of: c, encoder: json.NewEncoder(p.stdout)}
	var err error
	switch c.o.at.kind {
	case onKubernetes:
		err = p.observeKubernetes(ctx, out)
	case onEtcd:
		err = observeEtcd(ctx, out)
	default:
		err = observeSQL(ctx, out)
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	return errors.Join(err, out.err)
}
