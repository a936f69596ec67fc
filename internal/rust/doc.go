// Package rust is the election of kube-leader-election, a library for Rust. It keeps the same record as client-go, and is another
// algorithm. It is read from src/lease.rs of hendrikmaus/kube-leader-election (v0.10, commit 43f970d577f9; what is here is the same in
// commit acc9cec92aea). No test compares it with the real one; one compares it with a second reading of that source. It has the
// shape of elector/machine, and one host drives both.
//
// # The algorithm
//
// The library has one call, try_acquire_or_renew. It reads the record. If there is none, it creates one; if the record names itself,
// it renews it; if the candidate's wall clock shows more than renewTime plus the duration in the record, it takes the lock. The call
// returns whether the candidate leads, or an error. It creates by a POST, and does all else by a merge patch without a
// resourceVersion: the server applies it to whatever record is there. A renewal patches renewTime and the duration alone. So it
// renews the lease of another who has taken the lock meanwhile, and reports success.
//
// When to call it is left to the program. This package is a program as in the README and in examples/shared-lease.rs: it calls, stores the result, and
// sleeps for RetryPeriod. An error is logged, and changes nothing: a leader that gets nothing but errors works on. There is no RenewDeadline. The program
// works while the last call that was no error said that it leads.
//
// A program that ends calls step_down, if it does so at all (ReleaseOnCancel), as in examples/simple-lease.rs: once the call under way
// is over, it reads the record, and if that is its own, patches it to name nobody, for a second. The work ends after that. Without it the work ends
// at once.
//
// # What is left out
//
// A request here is one call; the HTTP client kube-rs has timeouts of its own, of minutes. A record without a holder is one with an
// empty holder here: the library refuses the first, which client-go's release leaves, with an error.
package rust
