package elector

import (
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// mostTold is how many messages may wait; flushFor is how long the end of a Run waits for them.
const (
	mostTold = 256
	flushFor = 100 * time.Millisecond
)

// teller passes on logs, events and metrics, one after the other and in order, on a goroutine of its own: their receivers can
// block, even for ever, and must not hold up a leader. When mostTold messages wait, it drops and counts further ones.
type teller struct {
	mu      sync.Mutex
	queue   []func()
	busy    bool
	idle    chan struct{}
	dropped int
	// report is called with the number of dropped messages, before the next message is passed on.
	report func(dropped int)
}

// reportTo sets the function that is told how many messages were dropped. Dropped messages of an earlier Run that have not been
// reported count too.
func (t *teller) reportTo(report func(dropped int)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report = report
}

// tell queues a message. If no goroutine runs messages, it starts one. If mostTold messages wait already, it drops the message
// and counts it.
func (t *teller) tell(message func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) >= mostTold {
		t.dropped++
		return
	}
	t.queue = append(t.queue, message)
	if !t.busy {
		t.busy, t.idle = true, make(chan struct{})
		go t.work()
	}
}

// work runs queued messages, in order, and returns when there are none left. If messages were dropped, it calls report before
// the next message. If a message ends the goroutine, another one goes on.
func (t *teller) work() {
	over := false
	defer func() {
		if !over { // a message has ended this goroutine
			go t.work()
		}
	}()
	for {
		t.mu.Lock()
		if over = len(t.queue) == 0; over {
			t.busy = false
			close(t.idle)
			t.mu.Unlock()
			return
		}
		message, dropped, report := t.queue[0], t.dropped, t.report
		t.queue, t.dropped = t.queue[1:], 0
		t.mu.Unlock()
		if dropped > 0 {
			pass(func() { report(dropped) })
		}
		pass(message)
	}
}

// pass runs one message. A panic in it ends the process, unless utilruntime.ReallyCrash is false.
func pass(message func()) {
	defer utilruntime.HandleCrash()
	message()
}

// flush waits until all queued messages have run, for 100 ms at most.
func (t *teller) flush() {
	t.mu.Lock()
	idle, busy := t.idle, t.busy
	t.mu.Unlock()
	if !busy {
		return
	}
	timer := time.NewTimer(flushFor)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}
