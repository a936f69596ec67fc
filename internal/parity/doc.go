// Package parity runs one plan twice, in the simulated world and on the unmodified library, and compares: terms,
// writes, requests, reports, events, metrics and beliefs must be equal to the nanosecond. It has tests only.
//
// The library is k8s.io/client-go v0.37.2 with its own LeaseLock, on the virtual time of testing/synctest, over a lock
// service that shares no code with simlock. The module's go.mod requires an older version, for the sake of those who
// import the module; go.work takes this one, and the tests fail where they are built with another (internal/newest).
package parity
