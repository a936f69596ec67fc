package fakekube

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

// builtin returns what is known of the fields of client-go's kinds: which lists are sets or maps. Nothing is known about a program's own
// kinds: a list in them has one owner, as with a CustomResourceDefinition that does not say more.
var builtin = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// noDefaults fills in no defaults.
type noDefaults struct{}

// Default leaves the object as it is.
func (noDefaults) Default(runtime.Object) {}

// owners returns the field manager for a subresource of this kind; "" is the object itself. A field manager computes
// managedFields, with the code of k8s.io/apimachinery that a real server runs.
func (k *kind) owners(subresource string) (*managedfields.FieldManager, error) {
	types, create := builtin(), managedfields.NewDefaultFieldManager
	if k.custom {
		types, create = managedfields.NewDeducedTypeConverter(), managedfields.NewDefaultCRDFieldManager
	}
	return create(types, k.scheme, noDefaults{}, k.scheme, k.GroupVersionKind, k.GroupVersion(), subresource, nil)
}

// ownedAfter stores in r.owned the managedFields after a write, other than an apply, that changes old to obj. If old has no
// managedFields, nothing was ever applied to it, and ownedAfter does nothing.
func (k *kind) ownedAfter(r *request, old, obj runtime.Object) error {
	if len(metaOf(old).ManagedFields) == 0 {
		return nil
	}
	manager, err := k.owners(r.subresource)
	if err != nil {
		return internal(err.Error())
	}
	live, next := old.DeepCopyObject(), obj.DeepCopyObject()
	for _, o := range []runtime.Object{live, next} {
		o.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
	}
	name := r.manager
	if name == "" {
		name = "unknown" // a real server takes the beginning of the user agent
	}
	result := manager.UpdateNoErrors(live, next, name)
	r.owned = metaOf(result).ManagedFields
	return nil
}
