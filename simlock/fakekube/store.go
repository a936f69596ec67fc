package fakekube

import (
	"cmp"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// find returns the stored object that a request is about, nil if there is none. It is no copy: a caller must copy it before a
// change. The caller holds the server's lock.
func (s *Server) find(r *request) runtime.Object {
	return s.objects[r.stored()][r.key()]
}

// sorted returns all objects of the request's resource, in all namespaces, in the order of inOrder. They are no copies. The
// caller holds the server's lock.
func (s *Server) sorted(r *request) []runtime.Object {
	return inOrder(s.objects[r.stored()])
}

// sortedAt returns the objects of the request's resource as they were at a version, in the order of sorted. It returns an error
// for a version that is forgotten or that the server has not reached yet.
func (s *Server) sortedAt(r *request, version uint64) ([]runtime.Object, error) {
	switch {
	case version < s.forgotten:
		return nil, apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list " +
			"result. You must start a new list without the continue parameter.")
	case version > s.version:
		return nil, tooLarge(version, s.version)
	}
	objects := maps.Clone(s.objects[r.stored()])
	for _, c := range slices.Backward(s.history) {
		if c.version <= version {
			break
		}
		if c.resource != r.stored() {
			continue
		}
		if c.old != nil {
			objects[keyOf(c.old)] = c.old
		} else {
			delete(objects, keyOf(c.new))
		}
	}
	return inOrder(objects), nil
}

// inOrder returns the objects sorted by the text "namespace/name".
func inOrder(objects map[types.NamespacedName]runtime.Object) []runtime.Object {
	keys := slices.SortedFunc(maps.Keys(objects), func(a, b types.NamespacedName) int {
		return cmp.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	sorted := make([]runtime.Object, len(keys))
	for i, key := range keys {
		sorted[i] = objects[key]
	}
	return sorted
}

// keyOf returns the namespace and the name of an object.
func keyOf(obj runtime.Object) types.NamespacedName {
	m := metaOf(obj)
	return types.NamespacedName{Namespace: m.Namespace, Name: m.Name}
}
