package main

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// explain adds to an error of the API server which right is missing, if the server has refused the request for that. Any other
// error, and nil, it returns as it is. The request had that verb, and was about the object of that namespace and name. The name
// is an argument because the server's answer has none for an object that is to be created.
func explain(verb, namespace, name string, err error) error {
	var status apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return err
	}
	d := status.Status().Details
	return fmt.Errorf("%s: %w", lacking(verb, d.Group, d.Kind, namespace, name), err)
}

// lacking returns the message that the service account's Role lacks a verb for the object of that group, resource, namespace
// and name. A group of "" is the core group.
func lacking(verb, group, resource, namespace, name string) string {
	if group != "" {
		resource += "." + group
	}
	return fmt.Sprintf("the service account may not %s %s %q in namespace %q: its Role lacks the verb %q on %s",
		verb, resource, name, namespace, verb, resource)
}
