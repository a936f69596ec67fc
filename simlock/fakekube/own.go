package fakekube

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is a resource of a program's own, as a CustomResourceDefinition would declare it.
type Resource struct {
	// Object is a value of its Go type, which Serve's scheme must know: &myv1.Backup{}.
	Object runtime.Object
	// Plural is the resource's name, "" for what k8s.io/apimachinery guesses of the kind: backups.
	Plural string
	// ClusterScoped: it is in no namespace.
	ClusterScoped bool
	// NoStatus: it has no subresource status, although its type has a field Status: then an update writes both.
	NoStatus bool
}

// Serve adds resources of a program's own, whose Go types are in the scheme types. They are served as custom resources, with
// the subresource status if the type has a field Status and NoStatus is not set. Call it before the first request. At the first
// resource that is wrong it stops with an error; those before it stay. Wrong is a nil scheme or Object, a type that the scheme
// does not know, one without ObjectMeta, one whose list type the scheme does not know, and a resource that is served already.
func (s *Server) Serve(types *runtime.Scheme, resources ...Resource) error {
	for i, r := range resources {
		if err := s.serveOne(types, &r); err != nil {
			return fmt.Errorf("fakekube: resource %d (%T): %w", i, r.Object, err)
		}
	}
	return nil
}

// serveOne adds one resource of a program's own to the server, or returns an error if it is wrong: see Serve. types is the
// scheme that knows its Go type.
func (s *Server) serveOne(types *runtime.Scheme, r *Resource) error {
	if types == nil || r.Object == nil {
		return errors.New("want a scheme and an object, got nil")
	}
	gvks, _, err := types.ObjectKinds(r.Object)
	if err != nil {
		return fmt.Errorf("the scheme does not know the type: %w", err)
	}
	accessor, ok := r.Object.(metav1.ObjectMetaAccessor)
	if ok {
		_, ok = accessor.GetObjectMeta().(*metav1.ObjectMeta)
	}
	if !ok {
		return errors.New("want a type with ObjectMeta")
	}
	gvk := gvks[0]
	if !types.Recognizes(gvk.GroupVersion().WithKind(gvk.Kind + "List")) {
		return fmt.Errorf("the scheme has no %sList, which a list answers", gvk.Kind)
	}
	resource, _ := meta.UnsafeGuessKindToResource(gvk)
	if r.Plural != "" {
		resource.Resource = r.Plural
	}
	if s.kindOf(resource) != nil {
		return fmt.Errorf("%s is served already", resource)
	}
	k := &kind{
		GroupVersionKind: gvk, scheme: types, custom: true, namespaced: !r.ClusterScoped, generation: true,
		statusAlone: true, anyFinalizer: true, nameRule: validation.NameIsDNSSubdomain,
	}
	if t := reflect.TypeOf(r.Object).Elem(); !r.NoStatus && t.Kind() == reflect.Struct {
		if status, ok := t.FieldByName("Status"); ok {
			k.status = status.Index
		}
	}
	if s.own == nil {
		s.own = map[schema.GroupVersionResource]*kind{}
	}
	s.own[resource] = k
	return nil
}
