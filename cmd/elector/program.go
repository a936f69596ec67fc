package main

import (
	"io"

	"k8s.io/client-go/rest"
)

// program has what elector uses of its process, so that tests can replace it: output, environment, and access to the API server.
type program struct {
	stdout, stderr io.Writer
	env            func(string) string
	// kube returns how to reach the API server, and the namespace for the case that the options name none.
	kube func(o *options, env func(string) string) (config *rest.Config, namespace string, err error)
	// listening is called with the address on which the HTTP server listens. Optional.
	listening func(address string)
}
