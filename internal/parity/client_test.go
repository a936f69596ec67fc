package parity

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What follows are the methods of the library's typed client, since contexts came into them.

func (c *client) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return c.call(ctx, "get", nil)
}

func (c *client) Create(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return c.call(ctx, "create", in)
}

func (c *client) Update(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	return c.update(ctx, in)
}
