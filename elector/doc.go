// Package elector is leader election on a lease, in place of k8s.io/client-go/tools/leaderelection:
// the same names and the same behaviour, so that moving over is a change of import, with a clock
// and a source of jitter that can be set. It works with every lock that is a
// resourcelock.Interface.
//
// The algorithm itself is in elector/machine, without I/O, and the simulator runs that very code.
// This package is its host: it owns the goroutines, timers and contexts, calls the lock, and calls
// back.
//
// As in the library, a leader that lost its lease may go on working for a while, and nothing here
// fences its writes. How long is a question of LeaseDuration, RenewDeadline, RetryPeriod and the
// network.
package elector
