// Package rest runs one plan twice, in the simulated world and on the library's whole client, and compares: requests, answers,
// calls that end without an answer, writes and terms must be equal to the nanosecond. It has tests only.
//
// The library is k8s.io/client-go v0.37.2: a LeaderElector with a LeaseLock over a clientset, which kubernetes.NewForConfig makes
// with QPS, Burst and Timeout, on the virtual time of testing/synctest. It speaks HTTP, over connections in memory, to a server of
// net/http with a store of its own. Its rate limiter, its retries and its timeouts are what plan.Client describes. Package
// parity compares all that a client has no part in. The elector of this module, profile strict, is compared on the same client.
package rest
