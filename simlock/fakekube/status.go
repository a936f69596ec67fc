package fakekube

import (
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The first three are what the real client says of a request that it does not send. errNoSuccess is the fake clientset's error
// for a request or an answer that was lost.
var (
	errNoName    = errors.New("resource name may not be empty")
	errNoSpace   = errors.New("an empty namespace may not be set when a resource name is provided")
	errNowhere   = errors.New("an empty namespace may not be set during creation")
	errNoSuccess = errors.New("fakekube: a request or its answer was lost")
)

// errModified has the words of a real server for an outdated version.
var errModified = errors.New("the object has been modified; please apply your changes to the " +
	"latest version and try again")

// badRequest returns the error 400 with a message.
func badRequest(message string) error { return apierrors.NewBadRequest(message) }

// internal returns the error 500 with a message and without a reason.
func internal(message string) error { return statusError(http.StatusInternalServerError, "", message) }

// statusError returns an error with this HTTP status, reason and message.
func statusError(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	}}
}

// noSuchPage returns the error 404 for a resource or subresource that the server does not have.
func noSuchPage(verb string) error {
	return apierrors.NewGenericServerResponse(http.StatusNotFound, verb, schema.GroupResource{}, "", "", 0, false)
}

// noSuchMethod returns the error 405 for a method that a URL path does not have.
func noSuchMethod(verb string) error {
	return apierrors.NewGenericServerResponse(http.StatusMethodNotAllowed, verb, schema.GroupResource{}, "", "", 0, false)
}

// unsupportedMediaType returns the error 415 for a body of an unknown type.
func unsupportedMediaType() error {
	return statusError(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		"the body of the request was in an unknown format - accepted media types include: "+
			"application/json, application/yaml, application/vnd.kubernetes.protobuf")
}

// unknownPatchType returns the error 415 for a patch of a type that the server does not take. A real server checks the type
// before anything else.
func unknownPatchType() error {
	err := apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "", schema.GroupResource{}, "", "", 0, false)
	err.ErrStatus.Message = "415: Unsupported Media Type"
	return err
}

// tooLarge returns the error for a resourceVersion that the server has not reached yet.
func tooLarge(version, current uint64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d",
		version, current), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"},
	}
	return err
}
