package elector

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// RunUntil takes part in the election until ctx ends or the work is done, and runs work whenever it
// leads. After a term that ended otherwise it goes back into the election, as another Run of one
// LeaderElector does, and remembers whom it has seen leading. It is for lec.Profile Strict.
//
// work gets a context that ends when leading does, and carries the FencingToken. What it returns decides:
//   - nil, with its context alive: the work is done for good. The lease is given up and RunUntil
//     returns nil.
//   - an error, or a panic, or runtime.Goexit, with its context alive: this term has failed. Its
//     context is cancelled, the lease is given up so that another candidate can try, and this one
//     waits before it tries again.
//   - anything, once its context has ended: leading was lost, or ctx is over. Work that does not
//     return then keeps this candidate out of the election, since a second run of it must not start
//     beside the first. It fails lec.WatchDog meanwhile.
//
// Errors and panics (as a *PanicError) go to the log of ctx and to lec.OnWorkError; not so the
// error of the context once that has ended. Panics of the lock and of the callbacks are left alone.
//
// It waits for RetryPeriod after the first failure, twice as long after each further one, to at
// most 4 LeaseDurations or 5 minutes, whichever is less, and up to JitterFactor of that more. A
// term that was lost, though work had no fault, counts as a failure only if it was shorter than
// that longest wait; a longer one resets the count, whatever its end.
//
// lec.Callbacks.OnStartedLeading must be nil. OnStoppedLeading is optional and is called, on
// RunUntil's goroutine, after each term in which work was to run, when that has returned, and at the
// latest when it should have: see LeaderCallbacks. ReleaseOnCancel is taken as true.
//
// RunUntil returns nil where ctx has ended or the work is done, and an error, at once, where the
// configuration is refused: see NewLeaderElector. The third error is that of work that has not
// returned although ctx has ended and the lease has run out: the program should exit.
func RunUntil(ctx context.Context, lec LeaderElectionConfig, work func(context.Context) error) error {
	s, err := newSeries(ctx, lec, work)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// run takes part in the election again and again, with a pause after a failure. It returns nil when the work is done or ctx has
// ended, and otherwise the error of round. Before it returns it waits, for 100 ms at most, until the log has been written.
func (s *series) run(ctx context.Context) error {
	defer s.le.flush()
	for ctx.Err() == nil {
		done, err := s.round(ctx)
		if done || err != nil {
			return err
		}
		s.rest(ctx)
	}
	return nil
}

// PanicError is the error for a panic of the work of RunUntil or RunUntilTTL.
type PanicError struct {
	// Value is what the work panicked with.
	Value any
	// Stack is where it did, in the form of runtime/debug.Stack.
	Stack []byte
}

// Error returns the value of the panic as text, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("the work panicked: %v", e.Value) }

// Unwrap returns the value of the panic if that is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// series is one call of RunUntil or RunUntilTTL: one term after the other.
type series struct {
	config LeaderElectionConfig
	le     *LeaderElector
	// lock describes the lock.
	lock   string
	work   func(context.Context) error
	logger klog.Logger
	// term is the part in the election that goes on, and over is the end of the work before it.
	term *term
	over <-chan struct{}
	// failures is how many terms in a row have failed.
	failures int
}

// newSeries returns the series for a call of RunUntil, with an elector that has not started, or an error for a configuration
// that RunUntil refuses.
func newSeries(
	ctx context.Context, lec LeaderElectionConfig, work func(context.Context) error,
) (*series, error) {
	s := &series{config: lec, work: work, logger: klog.FromContext(ctx)}
	wrong := notUntil("RunUntil", work, "OnStartedLeading", lec.Callbacks.OnStartedLeading != nil, lec.Profile)
	s.config.ReleaseOnCancel = true
	// Not an elector yet: each would count as one in the metrics.
	s.config.Callbacks.OnStartedLeading = func(context.Context) {}
	s.config.Callbacks.OnStoppedLeading = func() {}
	s.config.setDefaults()
	if err := errors.Join(append(wrong, s.config.validate())...); err != nil {
		return nil, err
	}
	s.config.Callbacks = lec.Callbacks
	s.callbacks()
	s.lock = lec.Lock.Describe()
	s.le = newLeaseElector(s.config)
	return s, nil
}

// callbacks sets OnStartedLeading in s.config to run the work. It sets OnStoppedLeading to call the program's own, if there is
// one, but only after a Run in which work was to run.
func (s *series) callbacks() {
	told := s.config.Callbacks.OnStoppedLeading
	s.config.Callbacks.OnStartedLeading = func(ctx context.Context) { s.term.lead(ctx) }
	s.config.Callbacks.OnStoppedLeading = func() {
		if told != nil && s.le.lastWork() != s.over {
			told()
		}
	}
}

// notUntil returns the reasons for which a series cannot be run, nil if there are none: there is no work, a callback is set that
// the work replaces, or the profile gives the lock up before the work has returned. by is the function that was called, callback
// the name of that callback; given is true if it is set.
func notUntil(by string, work func(context.Context) error, callback string, given bool, p Profile) (wrong []error) {
	if work == nil {
		wrong = append(wrong, errors.New("work must not be nil"))
	}
	if given {
		wrong = append(wrong, fmt.Errorf("%s: %s must be nil, work takes its place", by, callback))
	}
	if p == ClientGo {
		wrong = append(wrong, fmt.Errorf("%s: profile must be %q, is %q", by, Strict, p))
	}
	return wrong
}

// term is one Run of the series' elector, with its work if the candidate comes to lead. The fields below leave are set once the
// work has returned.
type term struct {
	work  func(context.Context) error
	clock clock.Clock
	// leave ends the part.
	leave context.CancelFunc
	began time.Time
	// err is what the work returned. early: its context had not ended then.
	err   error
	early bool
}

// round takes part in the election with one Run, and reports and counts its term. done is true if the work is done for good. A
// Run without work counts as a failure. round returns an error only if the work has not returned although its context has ended.
func (s *series) round(ctx context.Context) (done bool, err error) {
	part, leave := context.WithCancel(ctx)
	defer leave()
	t := &term{work: s.work, clock: s.config.Clock, leave: leave}
	s.term, s.over = t, s.le.lastWork()
	if s.config.WatchDog != nil {
		s.config.WatchDog.SetLeaderElection(s.le)
	}
	s.le.Run(part)
	ended := s.config.Clock.Now()
	if s.le.lastWork() == s.over {
		s.failures++ // It is ctx that has ended. Whatever else it may be, the loop shall not spin.
		return false, nil
	}
	s.le.awaitWork(ctx)
	if !isClosed(s.le.lastWork()) {
		return false, fmt.Errorf("lock %s: the work has not returned although its context has ended", s.lock)
	}
	s.report(t)
	lasted := time.Duration(0)
	if !t.began.IsZero() { // the work was called: there was time left for it
		lasted = ended.Sub(t.began)
	}
	s.count(lasted, t.err != nil)
	return t.early && t.err == nil, nil
}

// lead runs the work of the term and stores its result in t; then it ends the term's Run. A panic and the end of the goroutine
// become errors; the error of a context that has ended counts as none. If ctx has ended already, lead does not run the work. The
// elector calls it as OnStartedLeading.
func (t *term) lead(ctx context.Context) {
	t.began = t.clock.Now()
	returned := false
	defer func() {
		switch p := recover(); {
		case p != nil:
			t.err = &PanicError{Value: p, Stack: debug.Stack()}
		case !returned:
			t.err = errors.New("the work has ended its goroutine")
		}
		t.early = ctx.Err() == nil
		if !t.early && errors.Is(t.err, ctx.Err()) {
			t.err = nil
		}
		t.leave()
	}()
	if ctx.Err() == nil {
		t.err = t.work(ctx)
	}
	returned = true
}

// report logs the error of the term's work and passes it to OnWorkError. If there is no error it does nothing.
func (s *series) report(t *term) {
	if t.err == nil {
		return
	}
	var stack []byte
	if p := (*PanicError)(nil); errors.As(t.err, &p) {
		stack = p.Stack
	}
	s.le.tell(func() { s.logger.Error(t.err, "The work failed", "lock", s.lock, "stack", string(stack)) })
	if s.config.OnWorkError != nil {
		s.config.OnWorkError(t.err)
	}
}

// count updates s.failures, the number of failures in a row, for a term that lasted that long; failed is true if its work
// returned an error. A term of longestWait or more first resets the number to 0. Then a term that failed, or that was shorter,
// adds one.
func (s *series) count(lasted time.Duration, failed bool) {
	long := lasted >= s.longestWait()
	if long {
		s.failures = 0
	}
	if failed || !long {
		s.failures++
	}
}

// longestWait returns the longest pause after failures, without jitter: 4 LeaseDurations or 5 minutes, whichever is
// less, but not less than RetryPeriod.
func (s *series) longestWait() time.Duration {
	return max(s.config.RetryPeriod, min(5*time.Minute, 4*s.config.LeaseDuration))
}

// rest waits before the next Run. It waits for RetryPeriod after one failure and twice as long after each further one in a row,
// up to longestWait, plus jitter. It returns at once if the last term has not failed, and as soon as ctx ends.
func (s *series) rest(ctx context.Context) {
	if s.failures == 0 || ctx.Err() != nil {
		return
	}
	wait, longest := s.config.RetryPeriod, s.longestWait()
	for n := 1; n < s.failures && wait < longest; n++ {
		wait *= 2
	}
	wait = machine.Jittered(min(wait, longest), s.config.Jitter())
	failures := s.failures
	s.le.tell(func() {
		s.logger.Info("Staying out of the election for a while", "lock", s.lock, "wait", wait, "failures", failures)
	})
	timer := s.config.Clock.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-ctx.Done():
	}
}
