package fakekube

import (
	"iter"
	"reflect"
	"slices"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// serverVersion is the version that the server reports; it follows the rules of that version.
const serverVersion = "v1.36.3+fakekube"

// strategies returns the rules of Kubernetes 1.36 for the resources that a lock or the code around it uses, from
// pkg/registry/<group>/<resource>/strategy.go, as far as they are not in the lists of rules.go.
func strategies() map[schema.GroupResource]kind {
	return map[schema.GroupResource]kind{
		{Group: "coordination.k8s.io", Resource: "leases"}: {prepare: prepareLease, validate: validateLease},
		{Group: "coordination.k8s.io", Resource: "leasecandidates"}: {
			validate: validateCandidate, nameRule: candidateName, fields: map[string]string{"spec.leaseName": ""},
		},
		{Resource: "events"}: {nameRule: pathSegment, fields: map[string]string{
			"involvedObject.kind": "", "involvedObject.namespace": "", "involvedObject.name": "", "involvedObject.uid": "",
			"involvedObject.apiVersion": "", "involvedObject.resourceVersion": "", "involvedObject.fieldPath": "", "reason": "",
			"reportingComponent": "", "type": "",
		}},
		{Group: eventsGroup, Resource: "events"}: {fields: map[string]string{
			"regarding.kind": "", "regarding.namespace": "", "regarding.name": "", "regarding.uid": "",
			"regarding.apiVersion": "", "regarding.resourceVersion": "", "regarding.fieldPath": "", "reason": "",
			"reportingController": "", "type": "",
		}},
		{Resource: "pods"}: {fields: map[string]string{
			"spec.nodeName": "", "spec.restartPolicy": "Always", "spec.schedulerName": "default-scheduler",
			"spec.serviceAccountName": "", "spec.hostNetwork": "false", "status.phase": "Pending", "status.podIP": "",
			"status.nominatedNodeName": "",
		}},
		{Resource: "namespaces"}:             {fields: map[string]string{"status.phase": "Active"}},
		{Resource: "nodes"}:                  {fields: map[string]string{"spec.unschedulable": "false"}},
		{Resource: "secrets"}:                {fields: map[string]string{"type": "Opaque"}},
		{Resource: "services"}:               {fields: map[string]string{"spec.clusterIP": "", "spec.type": "ClusterIP"}},
		{Resource: "replicationcontrollers"}: {fields: map[string]string{"status.replicas": "0"}},
		{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: {
			fields: map[string]string{"spec.signerName": ""}},
		{Group: "batch", Resource: "cronjobs"}: {validate: validateCronJob},
	}
}

// kinds returns the kinds of the resources of client-go's clientset.
var kinds = sync.OnceValue(func() map[schema.GroupVersionResource]*kind {
	all := storedKinds()
	addSubresources(all)
	return all
})

// storedKinds returns the kinds of client-go's scheme that are resources, by resource, without their subresources: see
// addSubresources.
func storedKinds() map[schema.GroupVersionResource]*kind {
	known := strategies()
	all := map[schema.GroupVersionResource]*kind{}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		resource, _ := meta.UnsafeGuessKindToResource(gvk)
		if _, ok := reflect.New(t).Interface().(metav1.ObjectMetaAccessor); !ok || onlyBodies[resource.Resource] {
			continue
		}
		k := known[resource.GroupResource()]
		k.unconditional = !slices.Contains(versionWanted, resource.Resource)
		k.createOnUpdate = slices.Contains(createdByUpdate, resource.Resource)
		k.generation = slices.Contains(counted, resource.Resource)
		k.anyFinalizer = slices.Contains(anyFinalizer, resource.Resource)
		k.statusAlone = slices.Contains(statusAlone, resource.Resource)
		k.deletedAnswered = slices.Contains(deletedAnswered, resource.Resource)
		if k.nameRule == nil {
			k.nameRule = nameRule(resource.Resource)
		}
		if status, ok := t.FieldByName("Status"); ok {
			k.status = status.Index
		}
		k.GroupVersionKind, k.namespaced, k.scheme = gvk, namespaced(resource.Resource), scheme.Scheme
		k.review = slices.Contains(reviews, resource)
		if !k.review && slices.ContainsFunc(reviews, func(of schema.GroupVersionResource) bool {
			return of.GroupResource() == resource.GroupResource()
		}) {
			continue // v1.36 serves reviews of these versions alone
		}
		all[resource] = &k
	}
	return all
}

// nameRule returns the function that says what is wrong with a name of an object of a resource.
func nameRule(resource string) validation.ValidateNameFunc {
	switch {
	case slices.Contains(anyName, resource):
		return pathSegment
	case slices.Contains(labelNames, resource):
		return validation.NameIsDNSLabel
	}
	return validation.NameIsDNSSubdomain
}

// kindOf returns the kind of a resource, nil for a resource that the server does not have.
func (s *Server) kindOf(resource schema.GroupVersionResource) *kind {
	if k := kinds()[resource]; k != nil {
		return k
	}
	return s.own[resource]
}

// onlyBodies has kinds with metadata that are sent and answered, but are no resources. Its keys are the names that their
// resources would have.
var onlyBodies = map[string]bool{
	"scales": true, "evictions": true, "bindings": true, "tokenrequests": true, "podstatusresults": true,
	"rangeallocations": true, "deploymentrollbacks": true, "imagereviews": true,
}

// addSubresources adds to the kinds their subresources besides status: scale for workloads, eviction for pods.
func addSubresources(all map[schema.GroupVersionResource]*kind) {
	body := func(gvk schema.GroupVersionKind) *kind { return &kind{GroupVersionKind: gvk, scheme: scheme.Scheme} }
	scale := body(autoscalingv1.SchemeGroupVersion.WithKind("Scale"))
	for _, resource := range []schema.GroupVersionResource{
		{Group: "apps", Version: "v1", Resource: "deployments"},
		{Group: "apps", Version: "v1", Resource: "replicasets"},
		{Group: "apps", Version: "v1", Resource: "statefulsets"},
		{Version: "v1", Resource: "replicationcontrollers"},
	} {
		all[resource].subresources = map[string]*kind{"scale": scale}
	}
	eviction := body(policyv1.SchemeGroupVersion.WithKind("Eviction"))
	eviction.otherVersion = "v1beta1"
	all[schema.GroupVersionResource{Version: "v1", Resource: "pods"}].subresources = map[string]*kind{"eviction": eviction}
}

// allKinds iterates over all kinds that are served: those of client-go's scheme and the server's own.
func (s *Server) allKinds() iter.Seq2[schema.GroupVersionResource, *kind] {
	return func(yield func(schema.GroupVersionResource, *kind) bool) {
		for _, all := range []map[schema.GroupVersionResource]*kind{kinds(), s.own} {
			for resource, k := range all {
				if !yield(resource, k) {
					return
				}
			}
		}
	}
}
