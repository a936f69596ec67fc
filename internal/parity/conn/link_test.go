package conn

import (
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// leg is one direction of a connection in memory. What is written to it arrives after its delay.
type leg struct {
	delay time.Duration

	mu       sync.Mutex
	chunks   []chunk
	held     bool   // nothing arrives until it is released
	lost     func() // what happens at the next write, which arrives nowhere, if it is set
	failure  error  // of all reads and writes from now on
	ended    bool   // the writer has closed: its writes fail
	unread   bool   // the reader has closed: its reads fail, and what is written is dropped
	deadline time.Time
	changed  chan struct{} // closed, and replaced, when a read should look again
}

// chunk is what one Write wrote, or the end of the stream.
type chunk struct {
	at   time.Time
	data []byte
	end  bool
}

func newLeg(delay time.Duration) *leg {
	return &leg{delay: delay, changed: make(chan struct{})}
}

// change does something to the leg, and has a blocked read look again.
func (l *leg) change(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	close(l.changed)
	l.changed = make(chan struct{})
}

// hold keeps back all that has not arrived yet.
func (l *leg) hold() { l.change(func() { l.held = true }) }

// release has all that was kept back arrive after that time.
func (l *leg) release(after time.Duration) {
	l.change(func() {
		l.held = false
		soonest := time.Now().Add(after)
		for i := range l.chunks {
			if l.chunks[i].at.Before(soonest) {
				l.chunks[i].at = soonest
			}
		}
	})
}

// fail has all reads and writes fail from now on.
func (l *leg) fail(err error) { l.change(func() { l.failure = err }) }

func (l *leg) send(data []byte, end bool) (err error) {
	l.change(func() {
		switch {
		case l.ended:
			err = net.ErrClosed
		case l.failure != nil:
			err = l.failure
		case l.unread:
		case l.lost != nil:
			l.lost()
			l.lost = func() {}
		default:
			l.chunks = append(l.chunks, chunk{time.Now().Add(l.delay), slices.Clone(data), end})
			l.ended = end
		}
	})
	return err
}

func (l *leg) receive(into []byte) (int, error) {
	for {
		next, err := l.poll(into)
		if next.read > 0 || err != nil {
			return next.read, err
		}
		var timer <-chan time.Time
		if !next.look.IsZero() {
			timer = time.After(time.Until(next.look))
		}
		select {
		case <-next.changed:
		case <-timer:
		}
	}
}

// polled is what poll finds.
type polled struct {
	read int
	// look is when to look again if nothing was read, zero for never; changed is closed when something changes before.
	look    time.Time
	changed chan struct{}
}

// poll reads what has arrived.
func (l *leg) poll(into []byte) (polled, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, next := time.Now(), polled{look: l.deadline, changed: l.changed}
	switch {
	case l.unread:
		return next, net.ErrClosed
	case l.failure != nil:
		return next, l.failure
	case !l.deadline.IsZero() && !now.Before(l.deadline):
		return next, os.ErrDeadlineExceeded
	case l.held, len(l.chunks) == 0:
		return next, nil
	}
	first := &l.chunks[0]
	switch {
	case first.at.After(now):
		if next.look.IsZero() || first.at.Before(next.look) {
			next.look = first.at
		}
	case first.end:
		return next, io.EOF
	default:
		next.read = copy(into, first.data)
		if first.data = first.data[next.read:]; len(first.data) == 0 {
			l.chunks = l.chunks[1:]
		}
	}
	return next, nil
}

// end is one end of a connection. Its writes never block, as if buffers had no bounds.
type end struct {
	in, out *leg
	wrote   func(bytes int)
	closed  func()
	once    sync.Once
}

var _ net.Conn = (*end)(nil)

// failed is an error as the net package returns it.
func failed(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: address("there"), Err: err}
}

func (e *end) Read(into []byte) (int, error) {
	n, err := e.in.receive(into)
	if err != nil && err != io.EOF {
		err = failed("read", err)
	}
	return n, err
}

func (e *end) Write(data []byte) (int, error) {
	if err := e.out.send(data, false); err != nil {
		return 0, failed("write", err)
	}
	if e.wrote != nil {
		e.wrote(len(data))
	}
	return len(data), nil
}

// Close ends the stream after what was written before, which goes on its way nevertheless: so does TCP.
func (e *end) Close() error {
	e.once.Do(func() {
		if e.closed != nil {
			e.closed()
		}
		_ = e.out.send(nil, true)
		e.in.change(func() { e.in.unread = true })
	})
	return nil
}

func (e *end) SetReadDeadline(at time.Time) error {
	e.in.change(func() { e.in.deadline = at })
	return nil
}

func (e *end) SetDeadline(at time.Time) error   { return e.SetReadDeadline(at) }
func (e *end) SetWriteDeadline(time.Time) error { return nil }
func (e *end) LocalAddr() net.Addr              { return address("here") }
func (e *end) RemoteAddr() net.Addr             { return address("there") }

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// link is a connection in memory, with both ends.
type link struct {
	client, server end
	up, down       *leg
	made           atomic.Bool
}

func newLink(request, response time.Duration) *link {
	up, down := newLeg(request), newLeg(response)
	return &link{client: end{in: down, out: up}, server: end{in: up, out: down}, up: up, down: down}
}

// stall has the connection take all that is written, and nothing of it arrive until it is resumed.
func (l *link) stall() {
	l.up.hold()
	l.down.hold()
}

// resume ends a stall. What was kept back arrives after its leg's delay, as if it was sent again now.
func (l *link) resume() {
	l.up.release(l.up.delay)
	l.down.release(l.down.delay)
}

// carries tells whether the connection is made, and what the client sends gets an answer.
func (l *link) carries() bool {
	l.up.mu.Lock()
	defer l.up.mu.Unlock()
	return l.made.Load() && !l.up.held && l.up.failure == nil && !l.up.ended
}

// reset ends the connection at once. What was under way is lost, and both ends have ECONNRESET.
func (l *link) reset() {
	l.up.fail(syscall.ECONNRESET)
	l.down.fail(syscall.ECONNRESET)
}

// forget has the service, or something before it, forget the connection without a word: what the client sends next is
// answered by a reset.
func (l *link) forget() {
	l.down.hold()
	l.up.change(func() {
		l.up.lost = func() { time.AfterFunc(l.up.delay+l.down.delay, l.reset) }
	})
}
