package fakekube

import (
	"reflect"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
)

// The rules for Leases and LeaseCandidates are those of
// k8s.io/kubernetes/pkg/apis/coordination/validation, with their words and their order.

// spec is the path of the field spec, for errors.
var spec = field.NewPath("spec")

// leaseSpec returns the spec of a Lease of the API versions v1 and v1beta1, nil for any other object.
func leaseSpec(obj runtime.Object) *coordinationv1.LeaseSpec {
	switch l := obj.(type) {
	case *coordinationv1.Lease:
		return &l.Spec
	case *coordinationv1beta1.Lease:
		return (*coordinationv1.LeaseSpec)(&l.Spec)
	}
	return nil
}

// standardFinalizers are the finalizers that need no domain in their names: k8s.io/kubernetes/pkg/apis/core/helper.
var standardFinalizers = []string{"kubernetes", metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}

// validateFinalizers returns an error for each finalizer whose name is neither a standard one nor contains a domain. For a kind
// with anyFinalizer it returns nil.
func (k *kind) validateFinalizers(m *metav1.ObjectMeta) (causes field.ErrorList) {
	if k.anyFinalizer {
		return nil
	}
	for i, name := range m.Finalizers {
		if !strings.Contains(name, "/") && !slices.Contains(standardFinalizers, name) {
			causes = append(causes, field.Invalid(field.NewPath("metadata", "finalizers").Index(i), name,
				"name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return causes
}

// validateCronJob returns an error for a new CronJob whose name leaves no room for the suffix of its Jobs, nil for any other object.
func validateCronJob(obj, old runtime.Object) (causes field.ErrorList) {
	if name := metaOf(obj).Name; old == nil && len(name) > 52 {
		causes = append(causes, field.Invalid(field.NewPath("metadata", "name"), name, "must be no more than 52 characters"))
	}
	return causes
}

// dropDuplicateOwners removes duplicate ownerReferences from an object's metadata, and adds a warning about them to
// the request. The text when is part of that warning; it says at which point they were found.
func (r *request) dropDuplicateOwners(m *metav1.ObjectMeta, when string) {
	var kept []metav1.OwnerReference
	var dropped []string
	for _, owner := range m.OwnerReferences {
		if slices.ContainsFunc(kept, func(k metav1.OwnerReference) bool { return reflect.DeepEqual(k, owner) }) {
			dropped = append(dropped, string(owner.UID))
		} else {
			kept = append(kept, owner)
		}
	}
	if len(dropped) > 0 {
		m.OwnerReferences = kept
		r.warn(".metadata.ownerReferences contains duplicate entries" + when + "; API server dedups owner references in 1.20+, and " +
			"may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
			strings.Join(dropped, ", "))
	}
}

// prepareLease clears strategy and preferredHolder in a Lease, unless coordinated leader election is on.
func prepareLease(obj runtime.Object, coordinated bool) {
	if l := leaseSpec(obj); l != nil && !coordinated {
		l.Strategy, l.PreferredHolder = nil, nil
	}
}

// validateLease returns what is invalid in a Lease, nil if nothing is; for any other object it always returns nil.
func validateLease(obj, _ runtime.Object) (causes field.ErrorList) {
	l := leaseSpec(obj)
	if l == nil {
		return nil
	}
	if d := l.LeaseDurationSeconds; d != nil && *d <= 0 {
		causes = append(causes, field.Invalid(spec.Child("leaseDurationSeconds"), *d, "must be greater than 0"))
	}
	if n := l.LeaseTransitions; n != nil && *n < 0 {
		causes = append(causes, field.Invalid(spec.Child("leaseTransitions"), *n,
			"must be greater than or equal to 0"))
	}
	if l.Strategy != nil {
		causes = append(causes, validateStrategy(*l.Strategy)...)
	}
	if p := l.PreferredHolder; p != nil && *p != "" && (l.Strategy == nil || *l.Strategy == "") {
		causes = append(causes, field.Forbidden(spec.Child("preferredHolder"),
			"may only be specified if `strategy` is defined"))
	}
	return causes
}

// validateStrategy returns what is invalid in the strategy of a Lease or a LeaseCandidate, nil if nothing is. Its errors name
// the field strategy twice, as the real ones do.
func validateStrategy(strategy coordinationv1.CoordinatedLeaseStrategy) (causes field.ErrorList) {
	at := spec.Child("strategy").Child("strategy")
	known := []coordinationv1.CoordinatedLeaseStrategy{coordinationv1.OldestEmulationVersion}
	if !strings.Contains(string(strategy), "/") {
		if !slices.Contains(known, strategy) {
			causes = append(causes, field.NotSupported(at, strategy, known))
		}
		return causes
	}
	for _, message := range utilvalidation.IsQualifiedName(string(strategy)) {
		causes = append(causes, field.Invalid(at, strategy, message))
	}
	return causes
}

// candidateName returns what is wrong with the name of a LeaseCandidate; nothing for a valid name.
func candidateName(name string, _ bool) []string { return utilvalidation.IsConfigMapKey(name) }

// candidateSpec returns the spec of a LeaseCandidate, nil for any other object.
func candidateSpec(obj runtime.Object) *coordinationv1beta1.LeaseCandidateSpec {
	switch c := obj.(type) {
	case *coordinationv1beta1.LeaseCandidate:
		return &c.Spec
	case *coordinationv1alpha2.LeaseCandidate:
		return (*coordinationv1beta1.LeaseCandidateSpec)(&c.Spec)
	}
	return nil
}

// validateCandidate returns what is invalid in a LeaseCandidate, nil if nothing is; for any other object it always returns nil.
// old is its state before, nil for a new one.
func validateCandidate(obj, old runtime.Object) (causes field.ErrorList) {
	c := candidateSpec(obj)
	if c == nil {
		return nil
	}
	if c.LeaseName == "" {
		causes = append(causes, field.Required(spec.Child("leaseName"), ""))
	}
	emulation, emulationOK := semantic(c.EmulationVersion)
	binary, binaryOK := semantic(c.BinaryVersion)
	if c.EmulationVersion != "" && !emulationOK {
		causes = append(causes, notSemantic("emulationVersion", c.EmulationVersion))
	}
	if c.BinaryVersion == "" {
		causes = append(causes, field.Required(spec.Child("binaryVersion"), ""))
	} else if !binaryOK {
		causes = append(causes, notSemantic("binaryVersion", c.BinaryVersion))
	}
	if c.BinaryVersion != "" && c.EmulationVersion != "" && binary.LessThan(emulation) {
		causes = append(causes, field.Invalid(spec.Child("binaryVersion"), c.BinaryVersion,
			"must be greater than or equal to `emulationVersion`"))
	}
	switch {
	case c.Strategy == "":
		causes = append(causes, field.Required(spec.Child("strategy"), ""))
	case c.Strategy == coordinationv1.OldestEmulationVersion && emulation.EqualTo(zeroVersion):
		causes = append(causes, field.Required(spec.Child("emulationVersion"),
			"must be specified when `strategy` is 'OldestEmulationVersion'"))
	default:
		causes = append(causes, validateStrategy(c.Strategy)...)
	}
	if was := candidateSpec(old); was != nil {
		causes = append(causes, validation.ValidateImmutableField(c.LeaseName, was.LeaseName,
			spec.Child("leaseName"))...)
	}
	return causes
}

var zeroVersion = version.MajorMinor(0, 0).WithPatch(0)

// semantic parses a semantic version that begins with a digit. For any other text it returns 0.0.0 and false.
func semantic(text string) (*version.Version, bool) {
	v, err := version.ParseSemantic(text)
	if err != nil || text[0] < '0' || text[0] > '9' {
		return zeroVersion, false
	}
	return v, true
}

// notSemantic returns the error for a field that should have a semantic version.
func notSemantic(name, value string) *field.Error {
	return field.Invalid(spec.Child(name), value, "must be a valid semantic version")
}
