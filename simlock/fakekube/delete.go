package fakekube

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// remove executes a delete. It marks an object with finalizers as being deleted and returns a copy of it. It removes an object
// without finalizers, and returns a Status or, if the kind is deletedAnswered, a copy of the object. In a dry run it changes nothing.
// It returns an error if there is no such object, or if the object does not meet the request's preconditions.
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
		s.commit(r.stored(), r.key(), old, nil)
	}
	if k.deletedAnswered {
		gone := old.DeepCopyObject()
		if !r.dryRun {
			metaOf(gone).ResourceVersion = versionText(s.version)
		}
		return k.sent(gone)
	}
	return &metav1.Status{Status: metav1.StatusSuccess, Details: &metav1.StatusDetails{
		Name: r.name, Group: r.resource.Group, Kind: r.resource.Resource, UID: metaOf(old).UID,
	}}, nil
}

// markDeleted marks an object as being deleted, if it is not marked yet, adds one to its generation, if it has one, and returns a
// copy. The object stays until an update removes its last finalizer. In a dry run only the copy is changed.
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
			s.commit(r.stored(), r.key(), old, obj)
		}
	}
	return k.sent(obj)
}

// removeAll deletes all objects that the request's list options select, one by one, and stops at the first error. An object
// with finalizers it only marks as being deleted; in a dry run it changes nothing. It returns the list of the objects as they
// were before. If the request has a limit, it deletes the objects of one page.
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
