// Package ttl is leader election on a key that expires by itself: an etcd key under a lease, a Redis key with PX, a row
// whose age every statement checks. It is the other algorithm beside that of elector/machine, and has the same shape: a
// state machine without I/O, driven by elector.RunTTL for programs and by the simulator.
//
// # The algorithm
//
// A candidate looks (Get). If there is no entry, it makes one (Create, or Replace in a store that keeps expired
// entries) and leads. If somebody was faster, it looks once more. If there is an entry, the candidate watches it, and
// looks again when the watch tells of a change. Without a watch it looks every RetryPeriod, plus up to
// machine.JitterFactor of that. With a watch it still looks every LeaseDuration, which is the key's TTL. A leader
// refreshes its entry every RetryPeriod. It stops when it is told that the entry is no longer its own, or when no
// refresh has succeeded for RenewDeadline. After any other error it tries again after RetryPeriod. The host decides
// whether a candidate that has lost takes part again.
//
// # Profiles
//
// Two fields of a machine.Profile count here, and no others:
//   - FromSend. Without it RenewDeadline, and the wait for the next refresh, count from when the last success was
//     answered. With it both count from when it was sent. It gives each request of an attempt to acquire RenewDeadline
//     to be answered, and stops a process that wakes up after the deadline before it does anything else.
//   - WorkFirst. Without it a leader releases the entry and then ends the work's context. With it the leader ends the context, waits
//     until the work has returned, at most until the entry has run out, tells the program, and then releases it.
//
// The client-go profiles are the algorithm as it is usually written down, with neither of the two; Strict has
// both. A release never ends another's entry, since Lock.Release does not.
//
// # What must hold
//
// An entry lasts TTL from when the service handles the request, on the service's clock; the candidate can only count
// from when it sent the request, on its own clock. With Strict the work's context ends RenewDeadline after that at the
// latest, and LeaseDuration − RenewDeadline is left for all that follows. Two candidates never work at once if, for as
// long as one entry lasts,
//
//	RenewDeadline/candidate's rate + frozen time + time that the work needs to stop  ≤  TTL/service's rate
//
// where a clock of rate r shows r seconds in one true second.
//
//   - kv-ttl (etcd, Redis): one clock decides, the service's. Offsets and jumps of wall clocks mean nothing; the
//     candidate's monotonic clock must not be slower than the service's clock by more than the window allows. The
//     service must not forget an entry early: a Redis that fails over to a replica does, and so does one whose clock is
//     set forward, since it keeps expiry in wall time.
//   - sql-ttl with the caller's clock in each statement: a candidate whose clock is ahead of the leader's finds the
//     leader's row expired too early, by the difference. Add the largest difference between any two candidates' wall
//     clocks, jumps included, to the left side. With the database's clock the rule is that of kv-ttl, with the jumps of
//     that clock added.
//
// With the client-go profiles the time that the answer took is added as well, and the work may go on while the entry is
// being released and until the release is answered.
//
// None of this holds for a process that is frozen in the middle of a write: what is guarded should refuse a token lower
// than the highest that it has seen (Entry.Token).
package ttl
