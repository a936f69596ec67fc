// Package parity runs one plan twice, in the simulated world and on the unmodified library, and compares: terms,
// writes, requests, reports, events, metrics and beliefs must be equal to the nanosecond. It has tests only.
//
// The library is k8s.io/client-go v0.37.2 with its own LeaseLock, on the virtual time of testing/synctest, over a
// lock service that shares no code with simlock.
package parity
