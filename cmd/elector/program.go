package main

import (
	"io"

	"k8s.io/client-go/rest"
)

// program is what one elector has of its process.
type program struct {
	stdout, stderr io.Writer
	env            func(string) string
	// kube finds the API server, and the namespace where the options name none.
	kube func(o *options, env func(string) string) (config *rest.Config, namespace string, err error)
	// listening is told where the HTTP server listens. Optional.
	listening func(address string)
}
