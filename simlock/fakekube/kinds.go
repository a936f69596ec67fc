package fakekube

import (
	"encoding/json"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// kind is what sets the objects of a resource apart: what k8s.io/kubernetes/pkg/registry calls its strategy.
type kind struct {
	schema.GroupVersionKind
	// createOnUpdate: an update of what is not there creates it. unconditional: an update without a
	// resourceVersion is taken.
	createOnUpdate, unconditional bool
	namespaced                    bool
	// generation counts the changes of all but metadata and status.
	generation bool
	// status is the index of the field Status, nil where there is none.
	status []int
	// fields are what a field selector may name, beside metadata.name and metadata.namespace.
	fields   []string
	nameRule validation.ValidateNameFunc
	prepare  func(s *Server, obj runtime.Object)
	// scheme knows the Go type. custom: a resource of the program's own, as by a CustomResourceDefinition.
	scheme *runtime.Scheme
	custom bool
	// review answers a kind that is only ever created, and not stored.
	review func(s *Server, r *request, obj runtime.Object) error
	// subresources are those besides status, and what kind of object is sent there.
	subresources map[string]*kind
	validate     func(obj, old runtime.Object) field.ErrorList
}

// strategies are those of Kubernetes 1.36, from pkg/registry/<group>/<resource>/strategy.go, in so far as a
// lock or what goes with it uses the kind. All others are updated without a version and not created so.
func strategies() map[schema.GroupResource]kind {
	with := kind{unconditional: true, createOnUpdate: true}
	counted := kind{unconditional: true, generation: true}
	pods := counted
	pods.fields = []string{"spec.nodeName", "spec.restartPolicy", "spec.schedulerName",
		"spec.serviceAccountName", "status.phase", "status.podIP", "status.nominatedNodeName"}
	events := with
	events.nameRule = pathSegment
	events.fields = []string{"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
		"involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
		"involvedObject.fieldPath", "reason", "reportingComponent", "type"}
	roles := with
	roles.nameRule = pathSegment
	return map[schema.GroupResource]kind{
		{Group: "coordination.k8s.io", Resource: "leases"}: {
			createOnUpdate: true, prepare: prepareLease, validate: validateLease,
		},
		{Group: "coordination.k8s.io", Resource: "leasecandidates"}: {
			createOnUpdate: true, validate: validateCandidate, nameRule: candidateName,
			fields: []string{"spec.leaseName"},
		},
		{Resource: "endpoints"}:                                               with,
		{Resource: "services"}:                                                with,
		{Resource: "limitranges"}:                                             with,
		{Resource: "events"}:                                                  events,
		{Group: "events.k8s.io", Resource: "events"}:                          events,
		{Resource: "pods"}:                                                    pods,
		{Resource: "namespaces"}:                                              {unconditional: true, nameRule: validation.NameIsDNSLabel},
		{Group: "apps", Resource: "deployments"}:                              counted,
		{Group: "apps", Resource: "daemonsets"}:                               counted,
		{Group: "apps", Resource: "statefulsets"}:                             counted,
		{Group: "apps", Resource: "replicasets"}:                              counted,
		{Group: "batch", Resource: "jobs"}:                                    counted,
		{Group: "batch", Resource: "cronjobs"}:                                counted,
		{Group: "networking.k8s.io", Resource: "ingresses"}:                   counted,
		{Group: "networking.k8s.io", Resource: "networkpolicies"}:             counted,
		{Group: "rbac.authorization.k8s.io", Resource: "roles"}:               roles,
		{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"}:        roles,
		{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"}:        roles,
		{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"}: roles,
	}
}

// pathSegment is the rule for the names of kinds that take any name that fits into a path.
func pathSegment(name string, _ bool) []string { return rest.IsValidPathSegmentName(name) }

// kinds are the resources of client-go's clientset.
var kinds = sync.OnceValue(func() map[schema.GroupVersionResource]*kind {
	all := storedKinds()
	addSubresources(all)
	return all
})

// storedKinds returns the kinds of client-go's scheme that are resources, by resource.
func storedKinds() map[schema.GroupVersionResource]*kind {
	known := strategies()
	all := map[schema.GroupVersionResource]*kind{}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		resource, _ := meta.UnsafeGuessKindToResource(gvk)
		if _, ok := reflect.New(t).Interface().(metav1.ObjectMetaAccessor); !ok || onlyBodies[resource.Resource] {
			continue
		}
		k, ok := known[resource.GroupResource()]
		if !ok {
			k.unconditional = true
		}
		if k.nameRule == nil {
			k.nameRule = validation.NameIsDNSSubdomain
		}
		if status, ok := t.FieldByName("Status"); ok {
			k.status = status.Index
		}
		k.GroupVersionKind, k.namespaced, k.scheme = gvk, namespaced(resource.Resource), scheme.Scheme
		k.review = reviews[resource]
		all[resource] = &k
	}
	return all
}

// kindOf returns the kind that a resource is of, nil for a resource that the server does not have.
func (s *Server) kindOf(resource schema.GroupVersionResource) *kind {
	if k := kinds()[resource]; k != nil {
		return k
	}
	return s.own[resource]
}

// subresource is the kind of object that is sent to a subresource, nil for one that there is not.
func (k *kind) subresource(name string) *kind {
	if name == "" || name == "status" && k.status != nil && k.review == nil {
		return k
	}
	return k.subresources[name]
}

func (k *kind) new() (runtime.Object, error) { return k.scheme.New(k.GroupVersionKind) }

// decode reads an object of this kind from JSON. It has no kind and apiVersion then, as with a typed client.
func (k *kind) decode(wire []byte) (runtime.Object, error) {
	obj, err := k.new()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(wire, obj); err != nil {
		return nil, err
	}
	// A typed client sees none of it.
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return obj, nil
}

// received returns an object as it arrives at the server: a copy with what JSON keeps of it.
func (k *kind) received(obj runtime.Object) (runtime.Object, error) {
	wire, err := json.Marshal(obj)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	obj, err = k.decode(wire)
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return obj, nil
}

// sent is a copy of a stored object, in the API version that was asked for.
func (k *kind) sent(obj runtime.Object) (runtime.Object, error) {
	if gvks, _, err := k.scheme.ObjectKinds(obj); err == nil && gvks[0] == k.GroupVersionKind {
		return obj.DeepCopyObject(), nil
	}
	return k.received(obj)
}

// metaOf is the metadata of an object; all that the server has have some.
func metaOf(obj runtime.Object) *metav1.ObjectMeta {
	return obj.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

// statusOf is the status of an object that has one.
func (k *kind) statusOf(obj runtime.Object) reflect.Value {
	return reflect.ValueOf(obj).Elem().FieldByIndex(k.status)
}
