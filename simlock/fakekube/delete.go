package fakekube

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// remove executes a delete. It marks an object with finalizers as being deleted and returns it; it removes any other
// and returns a Status.
func (s *Server) remove(r *request, k *kind) (runtime.Object, error) {
	old := s.find(r)
	if old == nil {
		return nil, notFound(r)
	}
	if err := k.checkPreconditions(r.delete.Preconditions, metaOf(old)); err != nil {
		return nil, err
	}
	if len(metaOf(old).Finalizers) > 0 {
		return s.markDeleted(r, k, old)
	}
	if !r.dryRun {
		s.commit(r.resource.GroupResource(), r.key(), old, nil)
	}
	return &metav1.Status{Status: metav1.StatusSuccess, Details: &metav1.StatusDetails{
		Name: r.name, Group: r.resource.Group, Kind: r.resource.Resource, UID: metaOf(old).UID,
	}}, nil
}

// markDeleted marks an object as being deleted and returns a copy. The object stays until an update removes its last
// finalizer.
func (s *Server) markDeleted(r *request, k *kind, old runtime.Object) (runtime.Object, error) {
	obj := old.DeepCopyObject()
	if m := metaOf(obj); m.DeletionTimestamp == nil || m.DeletionGracePeriodSeconds == nil {
		at, grace := secondsNow(), int64(0)
		if m.DeletionTimestamp == nil {
			m.DeletionTimestamp = &at
		}
		m.DeletionGracePeriodSeconds = &grace
		if m.Generation > 0 {
			m.Generation++
		}
		if !r.dryRun {
			s.commit(r.resource.GroupResource(), r.key(), old, obj)
		}
	}
	return k.sent(obj)
}

// removeAll deletes all objects that the request's list options select, as remove does, and returns the list of them as
// it was before. With a limit those are the objects of one page.
func (s *Server) removeAll(r *request, k *kind) (runtime.Object, error) {
	list, err := s.listed(r, k)
	if err != nil {
		return nil, err
	}
	return list, meta.EachListItem(list, func(obj runtime.Object) error {
		one := *r
		one.name, one.namespace = metaOf(obj).Name, metaOf(obj).Namespace
		_, err := s.remove(&one, k)
		return err
	})
}
