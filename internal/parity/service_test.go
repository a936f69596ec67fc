package parity

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// service is a lock service of one Lease, as a kube-apiserver answers, written from its recorded answers.
type service struct {
	lease   *coordinationv1.Lease
	version int
	lives   int
}

// payload is what a request to write carries.
type payload = *coordinationv1.Lease

// objectOf returns the object that a request is about.
func objectOf(payload) string { return trace.Lease.String() }

// lock returns a new lock of a process.
func (p *process) lock() resourcelock.Interface {
	return &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "ns", Name: "lock"},
		Client:     &client{world: p.world, process: p},
		LockConfig: resourcelock.ResourceLockConfig{Identity: p.identity, EventRecorder: p},
	}
}

// names tells whether the record names that holder.
func (s *service) names(holder string) bool {
	return s.lease != nil && *s.lease.Spec.HolderIdentity == holder
}

func (s *service) reply(verb string, in payload) (r reply, changed bool) {
	r.lease, r.status, changed = s.answer(verb, in)
	return r, changed
}

func (s *service) answer(verb string, in *coordinationv1.Lease) (*coordinationv1.Lease, int, bool) {
	switch verb {
	case "get":
		if s.lease == nil {
			return nil, http.StatusNotFound, false
		}
		return s.lease.DeepCopy(), http.StatusOK, false
	case "create":
		if s.lease != nil {
			return nil, http.StatusConflict, false
		}
		if !acceptable(in) {
			return nil, http.StatusUnprocessableEntity, false
		}
		s.lives++
		in.UID = types.UID("life-" + strconv.Itoa(s.lives))
		s.store(in)
		return s.lease.DeepCopy(), http.StatusCreated, true
	}
	return s.update(in)
}

func (s *service) update(in *coordinationv1.Lease) (*coordinationv1.Lease, int, bool) {
	if s.lease == nil || s.lease.UID != in.UID || s.lease.ResourceVersion != in.ResourceVersion {
		return nil, http.StatusConflict, false
	}
	if !acceptable(in) {
		return nil, http.StatusUnprocessableEntity, false
	}
	before := s.lease
	same := *before.Spec.HolderIdentity == *in.Spec.HolderIdentity &&
		*before.Spec.LeaseDurationSeconds == *in.Spec.LeaseDurationSeconds &&
		*before.Spec.LeaseTransitions == *in.Spec.LeaseTransitions &&
		before.Spec.AcquireTime.Equal(micro(in.Spec.AcquireTime)) &&
		before.Spec.RenewTime.Equal(micro(in.Spec.RenewTime))
	if same {
		return before.DeepCopy(), http.StatusOK, false
	}
	s.store(in)
	return s.lease.DeepCopy(), http.StatusOK, true
}

func (s *service) store(in *coordinationv1.Lease) {
	s.version++
	s.lease = in.DeepCopy()
	s.lease.ResourceVersion = strconv.Itoa(s.version)
	s.lease.Spec.AcquireTime = micro(in.Spec.AcquireTime)
	s.lease.Spec.RenewTime = micro(in.Spec.RenewTime)
}

func (s *service) delete(object string) {
	if s.lease != nil && (object == "" || object == objectOf(s.lease)) {
		s.version++
		s.lease = nil
	}
}

func acceptable(in *coordinationv1.Lease) bool {
	return *in.Spec.LeaseDurationSeconds > 0 && *in.Spec.LeaseTransitions >= 0
}

// micro returns a time as it comes back from the wire.
func micro(t *metav1.MicroTime) *metav1.MicroTime {
	out := metav1.NewMicroTime(t.UTC().Round(0).Truncate(time.Microsecond))
	return &out
}

func statusError(verb string, status int) error {
	resource := coordinationv1.Resource("leases")
	switch {
	case status == http.StatusConflict && verb == "create":
		return apierrors.NewAlreadyExists(resource, "lock")
	case status == http.StatusConflict:
		return apierrors.NewConflict(resource, "lock", errors.New("the object has been modified"))
	}
	return apierrors.NewGenericServerResponse(status, verb, resource, "lock", "", 0, true)
}

// client is one process's way to the service. Like the typed client of the library it returns an empty object
// beside an error, and refuses to send an object without a name. Its methods are in client_test.go.
type client struct {
	typed.LeaseInterface
	world   *world
	process *process
}

func (c *client) Leases(string) typed.LeaseInterface { return c }

// update refuses to send an object without a name.
func (c *client) update(ctx context.Context, in *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	if in.Name == "" {
		return &coordinationv1.Lease{}, errors.New("resource name may not be empty")
	}
	return c.call(ctx, "update", in)
}

type reply struct {
	lease  *coordinationv1.Lease
	status int
}

func (r *reply) holder() string { return *r.lease.Spec.HolderIdentity }

func (r *reply) transitions() int { return int(*r.lease.Spec.LeaseTransitions) }

// limit waits in the client's rate limiter, which goes before the timeout in client-go (rest/request.go).
func (c *client) limit(ctx context.Context) error {
	wait := c.world.limiter(c.process.candidate)
	if wait == 0 {
		return nil
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err()
	case <-c.world.over:
	}
	if c.process.gone() {
		<-c.world.over
	}
	return nil
}

func (c *client) call(ctx context.Context, verb string, in *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	empty := &coordinationv1.Lease{}
	if c.process.gone() {
		<-c.world.over
	}
	if err := ctx.Err(); err != nil {
		return empty, err
	}
	if err := c.limit(ctx); err != nil {
		return empty, err
	}
	timeout := c.world.plan.Candidates[c.process.candidate].RequestTimeout
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	replies := make(chan reply, 1)
	c.world.transmit(c.process, verb, in.DeepCopy(), replies)
	var out reply
	var err error
	select {
	case out = <-replies:
	case <-ctx.Done():
		err = ctx.Err()
	case <-c.world.over:
		err = errors.New("the world is over")
	}
	if c.process.gone() {
		<-c.world.over
	}
	c.world.mover.Store(int32(c.process.candidate))
	switch {
	case err != nil:
		return empty, err
	case out.status >= 400:
		return empty, statusError(verb, out.status)
	}
	return out.lease, nil
}
