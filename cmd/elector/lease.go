package main

import (
	"encoding/binary"
	"os"
	"sync"
	"syscall"
	"time"
)

// lease is what this candidate knows of its own lease. Its methods may be called from any goroutine.
type lease struct {
	lasts time.Duration

	mu sync.Mutex
	// sent is when the last renewal that was acknowledged was sent, as of now; 0 where there is none.
	sent int64
	// guard is told of renewals, over orders. Both may be nil.
	guard  *os.Process
	orders *os.File
}

// renewed stores when an acknowledged renewal, or the write that a term began with, was sent, and tells the guard.
// sent is in nanoseconds, as the function now returns it.
func (l *lease) renewed(sent int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = max(l.sent, sent)
	l.tell()
}

// released stores that the lease has been given up: nothing of it is left. It does not tell the guard.
func (l *lease) released() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = 0
}

// attach stores the guard's process and the pipe that the guard reads, and sends the last renewal through that pipe. From then
// on renewed sends all further ones.
func (l *lease) attach(guard *os.Process, orders *os.File) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.guard, l.orders = guard, orders
	l.tell()
}

// detach tells the guard to stop the command, by closing its pipe, and forgets the guard. Without a guard it does
// nothing.
func (l *lease) detach() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.guard != nil {
		_ = l.orders.Close()
		l.wake()
		l.guard, l.orders = nil, nil
	}
}

// wake sends SIGCONT to the guard, so that a guard that somebody has frozen goes on: elector itself is perhaps frozen later.
// There must be a guard, and the caller holds l.mu.
func (l *lease) wake() { _ = l.guard.Signal(syscall.SIGCONT) }

// tell writes the time of the last renewal to the guard. Without a guard or a renewal it does nothing. It ignores errors: a
// guard that does not read stops the command at the deadline that it knows. The caller holds l.mu.
func (l *lease) tell() {
	if l.guard == nil || l.sent == 0 {
		return
	}
	frame := binary.LittleEndian.AppendUint64(nil, uint64(l.sent))
	_ = l.orders.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	_, _ = l.orders.Write(frame)
	l.wake()
}

// remaining returns how much of the lease is left, 0 if it has run out or there is none.
func (l *lease) remaining() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sent == 0 {
		return 0
	}
	return max(0, l.lasts-time.Duration(now()-l.sent))
}
