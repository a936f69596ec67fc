package bubble

import (
	"strings"
	"testing"
	"testing/synctest"

	"interregnum/electiontest/internal/goroutines"
)

// Run runs f in the bubble, and sets Left or Stuck. A panic of f goes on in the caller, and a FailNow in f ends the caller too.
// If goroutines are left once f has returned, Run sets Left; they never go on, as in a program that ends. If the run is stuck,
// Run sets Stuck and returns, and leaves all its goroutines as they are.
func (b *Bubble) Run(t *testing.T, f func()) {
	over, ended, stuck := make(chan struct{}), make(chan end, 1), make(chan string, 1)
	go b.watch(over, stuck)
	go func() {
		var e end
		defer func() {
			e.panicked = recover()
			ended <- e
		}()
		synctest.Test(t, func(*testing.T) {
			_, id := goroutines.Current()
			b.id.Store(id)
			f()
		})
		e.returned = true
	}()
	var e end
	select {
	case e = <-ended:
		close(over)
	case b.Stuck = <-stuck:
		return
	}
	switch err, ok := e.panicked.(error); {
	case ok && strings.HasPrefix(err.Error(), "deadlock: main bubble goroutine has exited"):
		b.Left = goroutines.Text(b.among(goroutines.All(), func(*goroutines.Stack) bool { return true }))
	case e.panicked != nil:
		panic(e.panicked)
	case !e.returned:
		t.FailNow() // as the goroutine did
	}
}

// end is the way in which the goroutine that ran a bubble ended: with a panic (its value), by returning, or by neither, which is
// runtime.Goexit.
type end struct {
	panicked any
	returned bool
}
