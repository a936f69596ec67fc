package fakekube

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

func (s *Server) find(r *request) runtime.Object {
	return s.objects[r.resource.GroupResource()][r.key()]
}

func (s *Server) get(r *request, k *kind) (runtime.Object, error) {
	if err := s.reached(r.version); err != nil {
		return nil, err
	}
	obj := s.find(r)
	if obj == nil {
		return nil, notFound(r)
	}
	return k.sent(obj)
}

// reached tells whether the store is at a version that a client has seen elsewhere.
func (s *Server) reached(version string) error {
	v, err := parseVersion(version)
	switch {
	case err != nil:
		return badRequest("resourceVersion: Invalid value: " + strconv.Quote(version) + ": " + err.Error())
	case v > s.version:
		return tooLarge(v, s.version)
	}
	return nil
}

// listed is the objects of a selection, a page of them where there is a limit.
func (s *Server) listed(r *request, k *kind) (runtime.Object, error) {
	match, err := k.matcher(r)
	if err != nil {
		return nil, err
	}
	if err := s.reached(r.list.ResourceVersion); err != nil {
		return nil, err
	}
	objects, from := s.sorted(r), position{Version: s.version}
	if r.list.Continue != "" {
		if from, err = readPosition(r.list.Continue); err != nil {
			return nil, err
		}
		if objects, err = s.sortedAt(r, from.Version); err != nil {
			return nil, err
		}
	}
	found := slices.DeleteFunc(objects, func(obj runtime.Object) bool {
		return !match(obj) || r.path(obj) < from.Start
	})
	list, err := scheme.Scheme.New(k.GroupVersion().WithKind(k.Kind + "List"))
	if err != nil {
		return nil, noSuchPage(r.verb)
	}
	head := list.(metav1.ListInterface)
	head.SetResourceVersion(text(from.Version))
	if n := r.list.Limit; n > 0 && n < int64(len(found)) {
		last, rest := found[n-1], int64(len(found))-n
		from.Start = r.path(last) + "\x00"
		head.SetContinue(from.token())
		if r.list.LabelSelector == "" && r.list.FieldSelector == "" {
			head.SetRemainingItemCount(&rest)
		}
		found = found[:n]
	}
	items := make([]runtime.Object, len(found))
	for i, obj := range found {
		if items[i], err = k.sent(obj); err != nil {
			return nil, err
		}
	}
	if err := meta.SetList(list, items); err != nil {
		return nil, badRequest(err.Error())
	}
	return list, nil
}

// sorted is the objects of the request's resource, by namespace and name, as in the keys of a real store.
func (s *Server) sorted(r *request) []runtime.Object {
	return inOrder(s.objects[r.resource.GroupResource()])
}

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
