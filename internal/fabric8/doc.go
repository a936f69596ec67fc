// Package fabric8 is the election of fabric8's client for Java, which Strimzi, Flink, Quarkus and the Java Operator SDK
// use. It keeps the same record as client-go, and is another algorithm: a follower compares the record's renewTime with its
// own wall clock. It is read from LeaderElector.java and Utils.java of fabric8io/kubernetes-client at commit
// 25ecf8460eb1, version 6.11 or later (see Versions). No test compares it with the real one; one compares it with a second reading of that source. It has
// the shape of elector/machine, and one host drives both.
//
// # The algorithm
//
// A candidate reads the record. If there is none, it creates one; if the record names itself, it renews it; if the holder
// is empty, or renewTime plus its own LeaseDuration is not after its wall clock, it takes the lock. Each write is a
// compare-and-swap. Attempts to acquire are RetryPeriod and up to machine.JitterFactor of that apart, renewals RetryPeriod.
// Renewals keep to a grid of times: those that come late, because one before took long, follow at once.
//
// A leader stops when it reads another holder; and at the first attempt that would begin more than RenewDeadline, by its
// wall clock, after its last success. So nothing ends a request but the client's own timeout, and a leader that waits for an
// answer does not stop. With ReleaseOnCancel it then reads the record once more and releases the lock, and only after that
// it tells the program; without, it tells the program at once.
//
// The program is told that it leads as soon as the candidate reads its own name, which is before it has renewed. If an
// answer was lost, so that its own write is news to the candidate, it then works without having acquired the lock. The loop
// that acquires has no deadline: if no request gets through any more, nothing ends that work.
//
// # What is left out
//
// Timers count milliseconds there and nanoseconds here. The client repeats requests by itself after an error of the server,
// and after a failure to connect; a request here is one call, repetitions included. Attempts to acquire that come late do not
// catch up here. A record without times, which the client for Java releases, ends the loop there. Callbacks return at once.
// A cancel that comes while a leader releases the lock of its own accord lets run return at once there, and the release goes
// on; here the Run ends with the release.
//
// # Versions
//
// They differ in how a leader stops. The oldest of version 6 cannot release the lock; it tells the program at once, while an
// attempt in flight goes on and may still take the lock, and it counts transitions wrongly. Up to 6.5 a leader reads the
// record once more without ReleaseOnCancel too, it does not report its release as a change of leader, and if that read
// fails at the deadline, run never returns. From 6.6 to 6.8 a leader that cannot release never tells the program. From 6.9
// on it is as here. Another source of 6.11 or later differs by an instant: there a lease has not run out yet at renewTime plus
// LeaseDuration sharp. The numbers are from the changelog, which names the changes.
package fabric8
