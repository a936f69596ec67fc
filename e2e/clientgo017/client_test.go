package parity

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What follows are the methods of the library's typed client before contexts came into them. Only the plan's request
// timeout, which a program gives to its rest.Config, ends a call without an answer.

func (c *client) Get(string, metav1.GetOptions) (*coordinationv1.Lease, error) {
	c.world.fixJitter() // the draw for the wait after this attempt is behind it
	return c.call(context.Background(), "get", nil)
}

func (c *client) Create(in *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	return c.call(context.Background(), "create", in)
}

func (c *client) Update(in *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	return c.update(context.Background(), in)
}
