// Package conn has tests alone. They find out what client-go does with its connection when the network stalls or resets
// it, with the library's own code, on the clock of a testing/synctest bubble: an unmodified clientset, HTTP/2 over TLS,
// and a connection in memory that a test can stall, resume and reset.
//
// The rules that they show are those by which a simulated connection must behave. Each test has the rule in its comment,
// and a transcript with what happens at which instant. The instants are exact: no test has a tolerance.
//
// The tests run with client-go of the profile client-go, as those of package parity do: see package newest.
package conn
