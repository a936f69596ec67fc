// Package fakekube makes the fake clientset of k8s.io/client-go answer requests on Leases as a real
// kube-apiserver does: with versions, conflicts and validation. The stock fake has none of these
// and takes every stale update, so that two candidates of a leader election both win.
package fakekube

import (
	"net/http"
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// Server is the server behind any number of clientsets. The zero value is empty and ready to use; a
// Server must not be copied after that. It may be used by any number of goroutines.
//
// It knows get, create, update and delete of Leases. Of a Lease it keeps name, namespace, uid and
// resourceVersion, and of its spec the holder, the duration, both times and the transitions, which
// it takes as given: an absent duration is refused as 0 is. Other verbs are refused (405), other
// resources are left to the stock fake.
type Server struct {
	mu    sync.Mutex
	store simlock.Store
}

// Clientset returns a new client of the server. Its answers come at once, whatever the context.
func (s *Server) Clientset() *fake.Clientset {
	c := fake.NewSimpleClientset()
	c.PrependReactor("*", leases.Resource, s.react)
	c.PrependWatchReactor(leases.Resource, func(ktesting.Action) (bool, watch.Interface, error) {
		return true, nil, apierrors.NewMethodNotSupported(leases, "watch")
	})
	return c
}

func (s *Server) react(action ktesting.Action) (bool, runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lease, err := s.answer(action)
	if lease == nil {
		// Not a nil *Lease: to the typed client that would be an object.
		return true, nil, err
	}
	return true, lease, err
}

func (s *Server) answer(action ktesting.Action) (*coordinationv1.Lease, error) {
	if action.GetSubresource() != "" {
		return nil, apierrors.NewMethodNotSupported(leases, action.GetVerb())
	}
	switch a := action.(type) {
	case ktesting.GetActionImpl:
		return s.get(object{a.GetNamespace(), a.GetName()})
	case ktesting.CreateActionImpl:
		return s.create(a.GetNamespace(), a.GetObject().(*coordinationv1.Lease))
	case ktesting.UpdateActionImpl:
		return s.update(a.GetNamespace(), a.GetObject().(*coordinationv1.Lease))
	case ktesting.DeleteActionImpl:
		o := object{a.GetNamespace(), a.GetName()}
		return nil, s.delete(o, a.GetDeleteOptions().Preconditions)
	}
	return nil, apierrors.NewMethodNotSupported(leases, action.GetVerb())
}

// object names one.
type object struct{ namespace, name string }

func (o object) key() string { return o.namespace + "/" + o.name }

func (s *Server) get(o object) (*coordinationv1.Lease, error) {
	r := s.store.Apply(&simlock.Op{Verb: machine.Get, Key: o.key()})
	if !r.OK() {
		return nil, apierrors.NewNotFound(leases, o.name)
	}
	return leaseOf(o, &r), nil
}

func (s *Server) create(
	namespace string, lease *coordinationv1.Lease,
) (*coordinationv1.Lease, error) {
	o, err := objectOf(namespace, lease)
	if err != nil {
		return nil, err
	}
	if o.name == "" {
		return nil, invalid(kind, "", nameRequired)
	}
	op := simlock.Op{Verb: machine.Create, Key: o.key(), Record: recordOf(&lease.Spec)}
	if op.Version, err = versionOf(lease); err != nil {
		return nil, err
	}
	r := s.store.Apply(&op)
	switch r.Status {
	case http.StatusConflict:
		return nil, apierrors.NewAlreadyExists(leases, o.name)
	case http.StatusUnprocessableEntity:
		return nil, invalid(kind, o.name, specErrors(&op.Record)...)
	case http.StatusInternalServerError:
		return nil, internal("resourceVersion should not be set on objects to be created")
	}
	return leaseOf(o, &r), nil
}

func (s *Server) update(
	namespace string, lease *coordinationv1.Lease,
) (*coordinationv1.Lease, error) {
	o, err := objectOf(namespace, lease)
	if err != nil {
		return nil, err
	}
	if o.name == "" {
		return nil, errNoName
	}
	op := simlock.Op{Verb: machine.Update, Key: o.key(), Record: recordOf(&lease.Spec)}
	op.UID = numberOf(lease.UID)
	if op.Version, err = versionOf(lease); err != nil {
		return nil, err
	}
	before := s.store.Apply(&simlock.Op{Verb: machine.Get, Key: o.key()})
	r := s.store.Apply(&op)
	switch r.Status {
	case http.StatusConflict:
		return nil, updateConflict(o, lease.UID, &before)
	case http.StatusUnprocessableEntity:
		if before.OK() && op.Version == 0 {
			return nil, invalid(leases.Resource, o.name, versionRequired)
		}
		return nil, invalid(kind, o.name, specErrors(&op.Record)...)
	}
	return leaseOf(o, &r), nil
}

func (s *Server) delete(o object, only *metav1.Preconditions) error {
	r := s.store.Apply(&simlock.Op{Verb: machine.Get, Key: o.key()})
	if !r.OK() {
		return apierrors.NewNotFound(leases, o.name)
	}
	if err := checkPreconditions(o, only, leaseOf(o, &r)); err != nil {
		return err
	}
	s.store.Delete(o.key())
	return nil
}
