package main

import (
	"context"
	"encoding/json"
	"errors"

	"interregnum/elector/ttl"
)

// observe prints the state of the lock to standard output until ctx ends: at first, and then whenever its holder or its term
// changes. It returns an error if it cannot begin, or if it cannot print; then it ends the candidate's part.
func (p *program) observe(ctx context.Context, c *candidate) error {
	out := &observer{of: c, encoder: json.NewEncoder(p.stdout)}
	var err error
	if c.o.at.kind == onKubernetes {
		err = p.observeKubernetes(ctx, out)
	} else {
		err = c.withLock(ctx, func(lock ttl.Lock) error {
			out.follow(ctx, lock)
			return nil
		})
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	return errors.Join(err, out.err)
}
