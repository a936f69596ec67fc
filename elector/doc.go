// Package elector is leader election on a lease, in place of k8s.io/client-go/tools/leaderelection:
// the same names, so that moving over is a change of import, on the same lock, so that old and new
// replicas can share it. It works with every lock that is a resourcelock.Interface, and has a clock
// and a source of jitter that can be set.
//
// # Profiles
//
// Strict, the default, promises that from the end of one leader's context at least LeaseDuration −
// RenewDeadline passes before another leads, whatever requests are lost, late or repeated, as long as
// clocks run at one rate and processes are not frozen. A timer of its own ends the context, whatever log,
// event recorder or metrics provider blocks: these are told aside, in order, and what they do not take is
// dropped and counted. To that end it counts the lease from when a
// renewal was sent, stops as soon as it reads another holder, waits for the work to return, and
// releases only then, and only what is its own. Beside candidates that are not strict the window is up
// to one second less: they compare whole seconds. Locks that keep times in whole seconds, which a Lease
// does not, cost as much.
//
// ClientGo does what the library does, to the nanosecond: a leader that lost its lease may go on
// working for a while. How long is a question of LeaseDuration, RenewDeadline, RetryPeriod and the
// network.
//
// # A host that sleeps
//
// A monotonic clock stands still while a host is suspended. On Linux Strict adds the time slept (package
// boottime), and looks at it ten times a second: work whose lease ran out meanwhile ends within 100 ms of
// the awakening. A virtual machine whose hypervisor stops all clocks does not know that it was stopped. Where
// its wall clock is set right afterwards, by more than a second and forward, the leader renews at once, and
// so learns from the lock who leads; the wall clock alone ends nothing, since it may simply be set. What
// remains, the first 100 ms, a pause that no clock shows, and other systems than Linux, is what fencing is for.
//
// # Fencing
//
// A frozen process wakes up and writes before anything here can stop it. What is guarded should
// therefore refuse a FencingToken that is lower than the highest it has seen.
//
// # Coming back
//
// Run ends when the lease is lost, and a program that neither exits then nor runs again is left out of
// the election for good, although it looks healthy. RunUntil runs again.
//
// # Locks that expire by themselves
//
// RunTTL, RunUntilTTL and NewTTLElector run the other algorithm, on a key that the service itself lets expire: a ttl.Lock, such
// as etcdlock and sqllock have. Profiles, callbacks, fencing and health checks are as here.
//
// # Inside
//
// The algorithms themselves are in elector/machine and elector/ttl, without I/O, and the simulator runs that very code.
// This package is their host: it owns the goroutines, timers and contexts, calls the lock, and calls
// back.
package elector
