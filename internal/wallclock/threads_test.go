package wallclock

import (
	"iter"
	"slices"

	"interregnum/elector/machine"
)

// threads run one at a time, in the order in which they began, until each of them waits.
type threads struct {
	all     []*thread
	current *thread
	now     machine.Now
	clocks  []*clock
	clockNo int
}

// thread is one that waits until ready says that it may go on.
type thread struct {
	ready       func() bool
	interrupted bool
	pause       func(struct{}) bool
	resume      func() (struct{}, bool)
	stop        func()
}

// clock wakes a thread at a time. no is in which order clocks were set.
type clock struct {
	due  machine.Mono
	no   int
	rang bool
}

// The errors by which a thread unwinds: an InterruptedException, and the end of the test.
type (
	interruption struct{}
	testOver     struct{}
)

func (w *threads) start(body func()) *thread {
	t := &thread{ready: func() bool { return true }}
	t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != (testOver{}) {
				panic(r)
			}
		}()
		t.pause = yield
		body()
	})
	w.all = append(w.all, t)
	return t
}

// await blocks the thread that runs until ready, or until it is interrupted.
func (w *threads) await(ready func() bool) {
	t := w.current
	for !ready() {
		if t.interrupted {
			t.interrupted = false
			panic(interruption{})
		}
		t.ready = func() bool { return ready() || t.interrupted }
		if !t.pause(struct{}{}) {
			panic(testOver{})
		}
	}
	w.current = t
}

// set sets a clock, and unset takes it away.
func (w *threads) set(due machine.Mono) *clock {
	w.clockNo++
	c := &clock{due: due, no: w.clockNo}
	w.clocks = append(w.clocks, c)
	return c
}

func (w *threads) unset(c *clock) {
	w.clocks = slices.DeleteFunc(w.clocks, func(o *clock) bool { return o == c })
}

// ring has the clock ring that is due first.
func (w *threads) ring() {
	first := slices.MinFunc(w.clocks, func(a, b *clock) int {
		if a.due != b.due {
			return int(a.due - b.due)
		}
		return a.no - b.no
	})
	first.rang = true
	w.unset(first)
}

// sleepUntil is Thread.sleep.
func (w *threads) sleepUntil(due machine.Mono) {
	c := w.set(due)
	defer w.unset(c)
	w.await(func() bool { return c.rang })
}

// uninterrupted runs body, and tells whether it came to its end.
func uninterrupted(body func()) (over bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interruption:
		default:
			panic(r)
		}
	}()
	body()
	return true
}

func (w *threads) settle() {
	for moved := true; moved; {
		moved = false
		for i := 0; i < len(w.all); i++ {
			t := w.all[i]
			if !t.ready() {
				continue
			}
			moved, w.current = true, t
			if _, waits := t.resume(); !waits {
				w.all = append(w.all[:i], w.all[i+1:]...)
				i--
			}
		}
	}
}

func (w *threads) close() {
	for _, t := range w.all {
		t.stop()
	}
}
