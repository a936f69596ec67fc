package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// change is a line of --observe.
type change struct {
	// Time is when this process has seen it.
	Time time.Time `json:"time"`
	// Holder is "" where nobody holds the lock, or there is none.
	Holder               string     `json:"holder"`
	Transitions          int32      `json:"transitions"`
	AcquireTime          *time.Time `json:"acquireTime,omitempty"`
	LeaseDurationSeconds int32      `json:"leaseDurationSeconds"`
	ResourceVersion      string     `json:"resourceVersion,omitempty"`
}

// observe prints each change of holder until ctx ends.
func (p *program) observe(ctx context.Context, o *options, log *slog.Logger) error {
	client, namespace, err := p.client(o, func(*rest.Config) {})
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(l *metav1.ListOptions) {
			// A Role can allow list and watch of one name only where the request asks for no more.
			l.FieldSelector = fields.OneTermEqualSelector("metadata.name", o.name).String()
		}))
	informer := factory.Coordination().V1().Leases().Informer()
	err = informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		log.Error("cannot follow the Lease", "err", explain("list, watch", namespace, o.name, err))
	})
	if err != nil {
		return err
	}
	out := &observer{encoder: json.NewEncoder(p.stdout)}
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { out.see(object.(*coordinationv1.Lease)) },
		UpdateFunc: func(_, object any) { out.see(object.(*coordinationv1.Lease)) },
		DeleteFunc: func(any) { out.see(&coordinationv1.Lease{}) },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	<-ctx.Done()
	factory.Shutdown()
	return out.err
}

// observer prints what has changed.
type observer struct {
	encoder *json.Encoder
	mu      sync.Mutex
	last    *change
	err     error
}

func (o *observer) see(lease *coordinationv1.Lease) {
	o.mu.Lock()
	defer o.mu.Unlock()
	spec := &lease.Spec
	c := &change{
		Time: time.Now().UTC(), Holder: value(spec.HolderIdentity), Transitions: value(spec.LeaseTransitions),
		LeaseDurationSeconds: value(spec.LeaseDurationSeconds), ResourceVersion: lease.ResourceVersion,
	}
	if spec.AcquireTime != nil {
		c.AcquireTime = &spec.AcquireTime.Time
	}
	if o.last != nil && o.last.Holder == c.Holder && o.last.Transitions == c.Transitions {
		return
	}
	o.last = c
	if err := o.encoder.Encode(c); err != nil && o.err == nil {
		o.err = err
	}
}

func value[T any](of *T) (v T) {
	if of != nil {
		v = *of
	}
	return v
}
