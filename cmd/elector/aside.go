package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// mostAside is how many bytes may wait to be written to standard error.
const mostAside = 1 << 20

// outliveReader keeps elector from being ended by SIGPIPE, as a Go program is that writes to standard error when whoever read that has
// ended. What elector starts gets the signal as before.
func outliveReader() {
	if !signal.Ignored(syscall.SIGPIPE) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
}

// aside is a writer that never blocks: it queues what it gets, and another goroutine passes that on, in order, to the field to.
// Perhaps nobody reads standard error, as when a log collector hangs; that must keep elector neither from leading nor from ending.
// If more than mostAside bytes would wait, aside drops the write and counts it.
type aside struct {
	to io.Writer

	mu      sync.Mutex
	queue   [][]byte
	waiting int
	dropped int
	// idle is closed when all is written. It is nil while nothing waits.
	idle chan struct{}
}

// Write implements io.Writer: it queues a copy of p, or drops p. It returns no error.
func (a *aside) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting+len(p) > mostAside {
		a.dropped++
		return len(p), nil
	}
	a.queue = append(a.queue, append([]byte(nil), p...))
	a.waiting += len(p)
	if a.idle == nil {
		a.idle = make(chan struct{})
		go a.work()
	}
	return len(p), nil
}

// work writes what is queued, and returns when nothing is left. After writes that were dropped it says how many. Errors of the
// writer it ignores: there is nobody left to tell.
func (a *aside) work() {
	for {
		a.mu.Lock()
		if len(a.queue) == 0 && a.dropped == 0 {
			close(a.idle)
			a.idle = nil
			a.mu.Unlock()
			return
		}
		next := a.next()
		a.mu.Unlock()
		_, _ = a.to.Write(next)
	}
}

// next takes the first write out of the queue and returns it. If nothing is queued, it returns a line that says how many writes
// were dropped, and sets that count to zero. The caller must hold a.mu.
func (a *aside) next() []byte {
	if len(a.queue) == 0 {
		line := fmt.Appendf(nil, "elector: messages that were dropped, since nobody has read standard error: %d\n", a.dropped)
		a.dropped = 0
		return line
	}
	next := a.queue[0]
	a.queue = a.queue[1:]
	a.waiting -= len(next)
	return next
}

// flush waits until all is written, for atMost at most.
func (a *aside) flush(atMost time.Duration) {
	a.mu.Lock()
	idle := a.idle
	a.mu.Unlock()
	if idle == nil {
		return
	}
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}
