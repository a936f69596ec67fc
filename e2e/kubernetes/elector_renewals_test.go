package kubernetes_test

import (
	"context"
	"slices"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// renewals follows a Lease.
type renewals struct {
	stop func()

	mu  sync.Mutex
	all []time.Time
}

// follow watches a Lease, which need not be there yet, until stop, or until the server goes away.
func follow(ctx context.Context, leases coordinationclient.LeaseInterface, name string) (*renewals, error) {
	forever := int64(3600)
	watch, err := leases.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name, TimeoutSeconds: &forever})
	if err != nil {
		return nil, err
	}
	r := &renewals{stop: watch.Stop}
	go func() {
		for event := range watch.ResultChan() {
			if lease, ok := event.Object.(*coordinationv1.Lease); ok && lease.Spec.RenewTime != nil {
				r.mu.Lock()
				r.all = append(r.all, lease.Spec.RenewTime.Time)
				r.mu.Unlock()
			}
		}
	}()
	return r, nil
}

// seen are the renewTimes so far: when the attempts began, by the clock of all processes here.
func (r *renewals) seen() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}
