// Package python is the election of Kubernetes' own client for Python (leaderelection.py of kubernetes-client/python). It
// keeps the same record as client-go, and is another algorithm. make python compares it with the real one, call by call. It
// has the shape of elector/machine, and one host drives both.
//
// # The algorithm
//
// A candidate reads the record. If there is none, it creates one. If the record names itself or nobody, it writes it; so it
// does if its own LeaseDuration has passed since it saw the record change, by its wall clock in whole milliseconds. Each
// write is a compare-and-swap. Attempts to acquire are RetryPeriod apart, without jitter.
//
// A leader renews at once, and again RetryPeriod after each success. After a failed attempt it waits RetryPeriod too, and
// stops if RenewDeadline has passed by then since it began to renew, by its wall clock. Another holder in the record is a
// failed attempt and no more. It never releases the lock.
//
// Nothing ends a request that is not answered, so that the loop stands still and the work goes on. That is why a
// configuration with a request timeout is refused: the program sets it, and an exception then ends Run in the midst,
// with the work going on as well.
//
// # What is left out
//
// A process that is told to end does so at once; here that is the end of Run's context.
package python
