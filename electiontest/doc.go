// Package electiontest runs scenarios on your own code, in its own tests: code with the unmodified client-go, with a manager
// of controller-runtime or with interregnum/elector, on virtual time (testing/synctest), against an API server in memory
// (simlock/fakekube) behind the scenario's network and faults. A minute takes milliseconds.
//
//	func TestCutOff(t *testing.T) {
//		electiontest.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
//			leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
//				OnStartedLeading: controller.Run,
//				OnStoppedLeading: func() {},
//			}))
//		})
//	}
//
// The function is called once for each process of each candidate. What counts as work is what Guard is around, so that an
// overlap is one of the code's own work, whatever goes on after its context has ended. The events of the run are those of a
// simulated run; the same properties are judged, and the same timeline, result, trace and page are written. A test fails
// where the result is not as the scenario expects, and where the run shows nothing: where a candidate ended by itself before it
// worked, never asked for its lock, or a fault met nobody. With equal timings and jitter, and but for what happens at one
// instant, the library writes and works at the same nanosecond as in simulate run. The same seed gives the same output, byte
// for byte, for an elector with its work; for a manager the same writes to the lock.
//
// Check draws random scenarios and makes smaller what fails. Gate judges a configuration without running anything.
//
// # Faults
//
// Delays, losses, partitions and outages are on all requests of a candidate, errors on all its gets, creates and updates; a
// fault with an object is on those of that kind alone. A watch stands still while answers are lost. Requests other than those
// on the lock fail after 45 s without an answer, when client-go gives a silent connection up.
//
// Code cannot be killed inside a process. So a crash ends the context of the candidate's function and, at once, its network:
// no request of it that has not left yet ever reaches the server, nothing is answered any more, and its work counts as over
// at that instant, whatever its goroutines still do. A restart calls the function anew, with a new Candidate; cancel
// ends the context, which is a graceful shutdown. Rejoin calls the function again once it has returned,
// with the same context, unless that has ended: a return ends neither the context nor the goroutines that go on.
//
// What cannot be applied to code from outside is refused, and the error names the field: pause, clock faults,
// coordinated elections, locks that expire by themselves, and clocks with offset or drift unless Options.Clock
// is set. Drain, returnsAfter and writeEvery describe simulated work and do nothing here, nor does the profile, which says how records
// are compared.
//
// # Rules for the code under test
//
// It must reach the server through the Candidate alone, and wait for nothing outside of its bubble, nor for a mutex whose
// holder sleeps: where virtual time stands still, standard error says after five seconds who keeps it, and where all of the
// program rests and nothing can set it going again, the run is given up and the test fails. Its function must
// return some time: when the horizon is reached all contexts end, whatever is asked is refused, and the test waits for ten
// minutes of virtual time. Other goroutines may go on for ever, and then stop where they are. A panic of the function, or
// of an OnStartedLeading given to Candidate.Config, ends its process and fails the test. Assert with what calls t.Error:
// FailNow is for the test's own goroutine. os.Exit would end all tests: see Candidate.Exit. What klog ends a program with ends
// the candidate. Loggers of klog in the context are silent.
//
// Discovery takes no virtual time. A controller of controller-runtime that warms up has its manager's writes to the lock wait
// for it. Options of a manager go through Candidate.Manager.
package electiontest
