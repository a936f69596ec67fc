// Package parity runs one plan twice, in the simulated world and on the unmodified library, and compares: terms,
// writes, requests, reports, events, metrics and beliefs must be equal to the nanosecond. It has tests only.
//
// The library is k8s.io/client-go v0.37.2 with its own LeaseLock, on the virtual time of testing/synctest, over a
// lock service that shares no code with simlock. The module's go.mod requires an older one, for the sake of those who
// import it: the tests build themselves again with e2e/newest/go.mod (internal/newest), and fail where that has not v0.37.2.
package parity
