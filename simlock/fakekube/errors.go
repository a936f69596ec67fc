package fakekube

import (
	"errors"
	"fmt"
	"net/http"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// kind is what a server calls the object where it validates it; elsewhere it says leases.
const kind = "Lease"

var (
	leases = coordinationv1.Resource("leases")

	// errNoName is of the real client's own making: it sends no request without a name.
	errNoName = errors.New("resource name may not be empty")
	// errModified is what a real server says of a version that is not the current one.
	errModified = errors.New("the object has been modified; please apply your changes to the " +
		"latest version and try again")

	nameRequired = field.Required(field.NewPath("metadata", "name"),
		"name or generateName is required")
	versionRequired = field.Invalid(field.NewPath("metadata", "resourceVersion"), 0,
		"must be specified for an update")
)

func invalid(of, name string, causes ...*field.Error) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: leases.Group, Kind: of}, name, causes)
}

// internal is a 500 without a reason.
func internal(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusInternalServerError,
		Message: message,
	}}
}

// specErrors are what is wrong with a record, in the order of the fields.
func specErrors(r *machine.Record) (causes []*field.Error) {
	spec := field.NewPath("spec")
	if r.DurationSeconds <= 0 {
		causes = append(causes, field.Invalid(spec.Child("leaseDurationSeconds"), r.DurationSeconds,
			"must be greater than 0"))
	}
	if r.Transitions < 0 {
		causes = append(causes, field.Invalid(spec.Child("leaseTransitions"), r.Transitions,
			"must be greater than or equal to 0"))
	}
	return causes
}

// updateConflict is the conflict of an update that knows the object by uid with what was there.
func updateConflict(o object, uid types.UID, there *simlock.Result) error {
	actual := types.UID("")
	if there.OK() {
		actual = uidOf(there.UID)
	}
	if uid == "" || uid == actual {
		return apierrors.NewConflict(leases, o.name, errModified)
	}
	return apierrors.NewConflict(leases, o.name, fmt.Errorf("StorageError: invalid object, Code: 4, "+
		"Key: /registry/leases/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "+
		"UID in precondition: %s, UID in object meta: %s", o.key(), uid, actual))
}

func checkPreconditions(o object, only *metav1.Preconditions, lease *coordinationv1.Lease) error {
	conflict := func(format string, args ...any) error {
		return apierrors.NewConflict(coordinationv1.Resource(kind), o.name, fmt.Errorf(format, args...))
	}
	switch {
	case only == nil:
	case only.UID != nil && *only.UID != lease.UID:
		return conflict("the UID in the precondition (%s) does not match the UID in record (%s). "+
			"The object might have been deleted and then recreated", *only.UID, lease.UID)
	case only.ResourceVersion != nil && *only.ResourceVersion != lease.ResourceVersion:
		return conflict("the ResourceVersion in the precondition (%s) does not match the "+
			"ResourceVersion in record (%s). The object might have been modified",
			*only.ResourceVersion, lease.ResourceVersion)
	}
	return nil
}
