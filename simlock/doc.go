// Package simlock is the lock service in memory: a versioned store that answers as a Kubernetes API server does, and
// what a client's lock remembers between its calls.
//
// It is pure: Store.Apply is the instant at which an operation takes effect. The answers about Leases are those that a
// kube-apiserver v1.36.3 gave, request by request (testdata/apiserver); what differs for ConfigMaps and Endpoints
// follows the sources that comments name there.
//
// A Store has the objects of Kubernetes: an object's life is the time from its creation to its deletion, and its UID a number for
// that. A Key or Row has entries that expire instead, one at a time. A mark is a number in an entry that tells whose entry it is,
// also if two holders have the same name.
package simlock
