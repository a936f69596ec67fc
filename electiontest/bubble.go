package electiontest

import (
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs a function in a bubble of testing/synctest, and says in words what goes wrong with one.
type bubble struct {
	scenario string
	// id is the runtime's, a string.
	id atomic.Value
	// sent counts requests, for who watches from outside.
	sent atomic.Uint64
	// left are the goroutines that were left when the run was over, "" for none.
	left string
	// stuck says why the run was given up, "" where it was not.
	stuck string
	// silent is how long, in real time, nothing may be sent before talk is told what the run waits for.
	silent time.Duration
	talk   io.Writer
}

// patience is how long, in real time, a run may send nothing until it is said what it waits for.
var patience = 5 * time.Second

func newBubble(scenario string) *bubble {
	return &bubble{scenario: scenario, silent: patience, talk: os.Stderr}
}

// run runs f. Goroutines that have not ended once it has returned never go on: a program that ends would not have waited
// for them either. Nor do those of a run that is stuck, which is left as it is.
func (b *bubble) run(t *testing.T, f func()) {
	over, ended, stuck := make(chan struct{}), make(chan end, 1), make(chan string, 1)
	go b.watch(over, stuck)
	go func() {
		var e end
		defer func() {
			e.panicked = recover()
			ended <- e
		}()
		synctest.Test(t, func(*testing.T) {
			_, id := goroutine()
			b.id.Store(id)
			f()
		})
		e.returned = true
	}()
	var e end
	select {
	case e = <-ended:
		close(over)
	case b.stuck = <-stuck:
		return
	}
	switch err, ok := e.panicked.(error); {
	case ok && strings.HasPrefix(err.Error(), "deadlock: main bubble goroutine has exited"):
		b.left = b.goroutines(func(string) bool { return true })
	case e.panicked != nil:
		panic(e.panicked)
	case !e.returned:
		t.FailNow() // as the goroutine did
	}
}

// end is how the goroutine that ran a bubble ended.
type end struct {
	panicked any
	returned bool
}
