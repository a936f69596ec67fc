package fakekube

import (
	"errors"
	"fmt"
	"math"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Add puts objects into the server as they are, without validation and faults: what a cluster holds when a test begins. It adds
// the items of a list. It fills in a missing uid and creation time, and a missing generation if the kind counts its changes.
// Before the first request it keeps any resourceVersion that is a number above 0; later it replaces one that is not above the
// server's by the next one. Add returns an error for each object that it cannot add: of a kind that the server does not have,
// without a name, in no namespace although its kind needs one, or one that exists already. The others are added.
func (s *Server) Add(objects ...runtime.Object) error {
	var problems []error
	for _, r := range s.addEach(objects) {
		problems = append(problems, r.err)
	}
	return errors.Join(problems...)
}

// refused is an object that could not be added, with the error. If the server has no resource for the object, resource is empty.
type refused struct {
	resource schema.GroupResource
	name     string
	err      error
}

// allRefused are objects that could not be added.
type allRefused []refused

// addEach adds objects, and the items of lists, to the server. It returns the objects that could not be added, with their
// errors; nil if all were added.
func (s *Server) addEach(objects []runtime.Object) (problems allRefused) {
	for i, obj := range objects {
		if obj != nil && meta.IsListType(obj) {
			items, err := meta.ExtractList(obj)
			problems = append(problems, s.addEach(items)...)
			if err != nil {
				problems = append(problems, refused{err: fmt.Errorf("fakekube: object %d (%T): %w", i, obj, err)})
			}
			continue
		}
		var name string
		resource, k, err := s.resourceOf(obj)
		if err == nil {
			name = metaOf(obj).Name
			err = s.put(resource, k, obj, "", false)
		}
		if err != nil {
			err = fmt.Errorf("fakekube: object %d (%T): %w", i, obj, err)
			problems = append(problems, refused{storedAs(resource.GroupResource()), name, err})
		}
	}
	return problems
}

// errorFor returns the joined errors of the refused objects that concern a request: those that it asks for, and those without a
// resource, which concern every request. It returns nil if there are none. A nil r is a request of discovery, which asks for no
// object.
func (all allRefused) errorFor(r *request) error {
	var problems []error
	for _, x := range all {
		if x.resource.Empty() || r != nil && x.resource == r.stored() && r.asksFor(x.name) {
			problems = append(problems, x.err)
		}
	}
	return errors.Join(problems...)
}

// asksFor tells whether the request is about the object of that name, or about all objects of its resource.
func (r *request) asksFor(name string) bool {
	switch r.verb {
	case "list", "watch", "deletecollection":
		return true
	}
	return r.objectName() == name
}

// resourceOf returns the resource and the kind as which objects of obj's Go type are served. It returns an error for nil,
// and for a type of which the server stores no objects: one that it does not serve, or a review.
func (s *Server) resourceOf(obj runtime.Object) (schema.GroupVersionResource, *kind, error) {
	if obj == nil {
		return schema.GroupVersionResource{}, nil, errors.New("want an object, got nil")
	}
	for resource, k := range s.allKinds() {
		gvks, _, err := k.scheme.ObjectKinds(obj)
		if err == nil && len(gvks) > 0 && gvks[0] == k.GroupVersionKind && !k.review {
			return resource, k, nil
		}
	}
	return schema.GroupVersionResource{}, nil, errors.New(
		"the server has no resource of that type: one of your own is added with Serve")
}

// put stores a copy of given, without faults and without validation, and fills in a missing UID, creation time and generation. It
// returns an error if given has no name, or no namespace although the kind needs one. A namespace that is not "" replaces the
// object's own. If an object of the same name exists, put replaces it if replace is true, and otherwise returns an error.
func (s *Server) put(
	resource schema.GroupVersionResource, k *kind, given runtime.Object, namespace string, replace bool,
) error {
	obj, err := k.received(given)
	if err != nil {
		return err
	}
	m := metaOf(obj)
	if namespace != "" {
		m.Namespace = namespace
	}
	switch {
	case m.Name == "":
		return errors.New("want a name in its metadata, got none")
	case !k.namespaced:
		m.Namespace = ""
	case m.Namespace == "":
		return fmt.Errorf("%s %q: want a namespace in its metadata, got none: no client could ask for it", resource.Resource, m.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &request{resource: resource, namespace: m.Namespace, name: m.Name}
	old := s.find(r)
	if old != nil && !replace {
		return apierrors.NewAlreadyExists(resource.GroupResource(), m.Name)
	}
	s.lives++
	if m.UID == "" && old != nil {
		m.UID = metaOf(old).UID
	}
	if m.UID == "" {
		m.UID = uidOf(s.lives)
	}
	if m.CreationTimestamp.IsZero() {
		m.CreationTimestamp = secondsNow()
	}
	if k.generation && m.Generation == 0 {
		m.Generation = 1
	}
	s.commitAt(s.versionOf(m, old != nil), r.stored(), r.key(), old, obj)
	return nil
}

// versionOf returns the version under which an object is put: the one in its metadata if that can be kept, else the server's
// next one. A version above the server's is kept. A lower one is kept only if there was no request yet and the object replaces
// none: then objects can share a version, as after a transaction of etcd.
func (s *Server) versionOf(m *metav1.ObjectMeta, replaces bool) uint64 {
	given, err := parseVersion(m.ResourceVersion)
	if err != nil || given == 0 || given > math.MaxInt64 || given <= s.version && (s.asked || replaces) {
		return s.version + 1
	}
	return given
}
