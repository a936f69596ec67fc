package parity

import (
	"context"
	"errors"

	"interregnum/plan"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	typedcoordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var lockTypes = map[plan.Lock]string{
	plan.Lease: resourcelock.LeasesResourceLock, plan.ConfigMap: resourcelock.ConfigMapsResourceLock,
	plan.Endpoints:        resourcelock.EndpointsResourceLock,
	plan.ConfigMapsLeases: resourcelock.ConfigMapsLeasesResourceLock,
	plan.EndpointsLeases:  resourcelock.EndpointsLeasesResourceLock,
}

// lock is a new lock of a process.
func (p *process) lock() resourcelock.Interface {
	kind := p.world.plan.Candidates[p.candidate].Lock
	config := resourcelock.ResourceLockConfig{Identity: p.identity, EventRecorder: p}
	if len(kind.Objects()) == 2 {
		config.EventRecorder = once{p}
	}
	lock, err := resourcelock.New(lockTypes[kind], "ns", "lock", core{process: p}, coordination{process: p}, config)
	if err != nil {
		panic(err)
	}
	return lock
}

// once leaves out the second of the two events that a lock of two objects records: the simulated lock records one.
type once struct{ *process }

func (o once) Eventf(about runtime.Object, eventType, reason, format string, args ...any) {
	if _, second := about.(*coordinationv1.Lease); !second {
		o.process.Eventf(about, eventType, reason, format, args...)
	}
}

// core and coordination are a process's way to the service.
type core struct {
	typedcore.CoreV1Interface
	process *process
}

type coordination struct {
	typedcoordination.CoordinationV1Interface
	process *process
}

func (c core) ConfigMaps(string) typedcore.ConfigMapInterface { return configMaps{process: c.process} }
func (c core) Endpoints(string) typedcore.EndpointsInterface  { return endpoints{process: c.process} }

func (c coordination) Leases(string) typedcoordination.LeaseInterface {
	return leases{process: c.process}
}

// The typed clients return an empty object beside an error, and refuse to send an object without a name.
type (
	configMaps struct {
		typedcore.ConfigMapInterface
		process *process
	}
	endpoints struct {
		typedcore.EndpointsInterface
		process *process
	}
	leases struct {
		typedcoordination.LeaseInterface
		process *process
	}
)

func (c configMaps) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*corev1.ConfigMap, error) {
	return call(ctx, c.process, "get", &corev1.ConfigMap{})
}

func (c configMaps) Create(ctx context.Context, in *corev1.ConfigMap, _ metav1.CreateOptions) (*corev1.ConfigMap, error) {
	return call(ctx, c.process, "create", in)
}

func (c configMaps) Update(ctx context.Context, in *corev1.ConfigMap, _ metav1.UpdateOptions) (*corev1.ConfigMap, error) {
	return call(ctx, c.process, "update", in)
}

func (c endpoints) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*corev1.Endpoints, error) {
	return call(ctx, c.process, "get", &corev1.Endpoints{})
}

func (c endpoints) Create(ctx context.Context, in *corev1.Endpoints, _ metav1.CreateOptions) (*corev1.Endpoints, error) {
	return call(ctx, c.process, "create", in)
}

func (c endpoints) Update(ctx context.Context, in *corev1.Endpoints, _ metav1.UpdateOptions) (*corev1.Endpoints, error) {
	return call(ctx, c.process, "update", in)
}

func (c leases) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return call(ctx, c.process, "get", &coordinationv1.Lease{})
}

func (c leases) Create(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return call(ctx, c.process, "create", in)
}

func (c leases) Update(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	return call(ctx, c.process, "update", in)
}

func call[T object](ctx context.Context, p *process, verb string, in T) (T, error) {
	nothing := empty(in).(T)
	if verb == "update" && in.GetName() == "" {
		return nothing, errors.New("resource name may not be empty")
	}
	out, err := p.call(ctx, verb, payload{in})
	if err != nil {
		return nothing, err
	}
	return out.object.(T), nil
}

func (p *process) call(ctx context.Context, verb string, in payload) (reply, error) {
	if p.gone() {
		<-p.world.over
	}
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	if timeout := p.world.plan.Candidates[p.candidate].RequestTimeout; timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	replies := make(chan reply, 1)
	p.world.transmit(p, verb, in.DeepCopy(), replies)
	var out reply
	var err error
	select {
	case out = <-replies:
	case <-ctx.Done():
		err = ctx.Err()
	case <-p.world.over:
		err = errors.New("the world is over")
	}
	if p.gone() {
		<-p.world.over
	}
	p.world.mover.Store(int32(p.candidate))
	if err == nil && out.status >= 400 {
		err = statusError(verb, out.status)
	}
	return out, err
}
