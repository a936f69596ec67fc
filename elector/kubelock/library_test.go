package kubelock_test

import (
	"context"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/lockscript"
)

// library is the locks that newLock makes, on the typed clients of this build's client-go.
type library struct{}

var _ lockscript.Library = library{}

func (library) Lock(
	kind, namespace, name, identity string, transport http.RoundTripper, event func(string),
) (lockscript.Lock, error) {
	config := &rest.Config{Host: "http://lock.invalid", Transport: transport, QPS: -1}
	config.ContentType = "application/json" // newer clients would write protobuf
	core, err := corev1.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	coordination, err := coordinationv1.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	lock, err := newLock(kind, namespace, name, core, coordination,
		rl.ResourceLockConfig{Identity: identity, EventRecorder: recorder(event)})
	return adapter{lock}, err
}

func (library) Reason(err error) string { return string(apierrors.ReasonForError(err)) }

type adapter struct{ rl.Interface }

func (a adapter) Get(ctx context.Context) (lockscript.Record, []byte, error) {
	r, raw, err := a.Interface.Get(ctx)
	if err != nil {
		return lockscript.Record{}, nil, err
	}
	return lockscript.Record{
		Holder: r.HolderIdentity, Seconds: r.LeaseDurationSeconds, Acquire: r.AcquireTime.Time, Renew: r.RenewTime.Time,
		Transitions: r.LeaderTransitions,
	}, raw, nil
}

func (a adapter) Create(ctx context.Context, r lockscript.Record) error {
	return a.Interface.Create(ctx, convert(&r))
}

func (a adapter) Update(ctx context.Context, r lockscript.Record) error {
	return a.Interface.Update(ctx, convert(&r))
}

func convert(r *lockscript.Record) rl.LeaderElectionRecord {
	return rl.LeaderElectionRecord{
		HolderIdentity: r.Holder, LeaseDurationSeconds: r.Seconds, AcquireTime: metav1.NewTime(r.Acquire),
		RenewTime: metav1.NewTime(r.Renew), LeaderTransitions: r.Transitions,
	}
}

// recorder is told of events.
type recorder func(string)

func (r recorder) Eventf(object runtime.Object, eventType, reason, message string, args ...any) {
	about, err := meta.Accessor(object)
	if err != nil {
		r(err.Error())
		return
	}
	r(fmt.Sprintf("%T %s/%s %s %s: %s %s %s", object, about.GetNamespace(), about.GetName(), about.GetUID(),
		about.GetResourceVersion(), eventType, reason, fmt.Sprintf(message, args...)))
}
