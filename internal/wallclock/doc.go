// Package wallclock is the election of Kubernetes' own clients for Python, Java and C#. They keep the same record as client-go,
// and are another algorithm: a follower counts its own LeaseDuration from when it saw the record change, by its wall clock. The
// three differ in points that habits.go has, one field for each. It has the shape of elector/machine, and one host drives both.
//
// The sources are leaderelection.py of kubernetes-client/python, which make python compares with the machine, call by call;
// LeaderElector.java, LeaseLock.java and LeaderElectionRecord.java of kubernetes-client/java, as of the change "tweak graceful
// shutdown of LeaderElector" (#2617, 2023); and LeaderElector.cs, MetaObjectLock.cs, LeaseLock.cs and LeaderElectionRecord.cs of
// kubernetes-client/csharp. Java and C# are as these sources read: no real one was run. Tests compare each of them with a
// second reading of its source.
//
// # The algorithm
//
// A candidate reads the record. If there is none, it creates one. If the record names itself, it renews it; if nobody, it takes
// it; so it does if its own LeaseDuration has passed since it saw the record change, by its wall clock. Each write is a
// compare-and-swap. Between attempts to acquire it waits for RetryPeriod, in Java up to machine.JitterFactor of that longer.
//
// A leader renews at once, and again RetryPeriod after each success. After a failed attempt it waits RetryPeriod too. It stops
// when RenewDeadline has passed since it began to renew. Another holder in the record is a failed attempt and no more.
//
// # Python
//
// A leader looks at RenewDeadline only after a failed attempt and its wait, by its wall clock. Nothing ends a request that is
// not answered, so that the loop stands still and the work goes on. That is why a configuration with a request timeout is
// refused: the program sets it, and an exception then ends run in the midst, with the work going on as well. It never releases
// the lock. A process that is told to end does so at once; here that is the end of Run's context.
//
// # Java
//
// An attempt is ended by its deadline: RetryPeriod in LeaderElector.acquire, RenewDeadline in renewLoop. The program is told that
// it leads by another thread, which looks every RetryPeriod whether the lock was acquired (acquire). ReleaseOnCancel stands for a
// program that closes the elector to stop; without, it interrupts the thread of run. LeaderElector.close releases the lock
// as soon as no attempt is under way, and interrupts one that takes longer than RetryPeriod in whole seconds. The thread of run
// learns of that when it has slept its RetryPeriod after the last renewal: only then it tells the program.
//
// # C#
//
// An attempt that is not over at its deadline is left running: 1.2 to 2.4 times RetryPeriod in AcquireAsync, RenewDeadline in
// RunAsync. With the latter the whole loop goes on after RunAsync has returned: it waits RetryPeriod after each failure and tries
// again, to renew or to take over, until it has written the record once. A cancellation ends all that its Run has left running; one of
// a later Run on the same elector ends it too. The client never releases the lock. IsLeader tells whether it has last seen its own name.
//
// # What is left out
//
// Java: hooks take no time; the random part of the wait between attempts is drawn once for each acquire there, and each time
// here; an interrupt ends a request at once, as OkHttp does with HTTP/2; a candidate that is closed before it has acquired the
// lock never returns from run there, and does here; the start hook has returned when the elector is closed, or close waits for
// it. C#: the handler of OnStartedLeading returns at once, or nothing renews; errors are answers of the server, since any other
// is an exception, which has a leader stop at once, and ends RunAsync before; that is why a configuration with a request timeout
// is refused, which is 100 s by default there; a record whose holder is null is taken for one whose holder is empty.
package wallclock
