// Package simlock is the lock service in memory: a versioned store that answers as a Kubernetes API server does, and
// what a client's lock remembers between its calls.
//
// It is pure: Store.Apply is the instant at which an operation takes effect. The answers about Leases are those that a
// kube-apiserver v1.36.3 gave, request by request (testdata/apiserver); what differs for ConfigMaps and Endpoints
// follows the sources that comments name there.
package simlock
