package kubernetes_test

import (
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// proxy is one candidate's way to the server. It knows no TLS and no HTTP: what it delays or swallows is bytes, and so, of
// a connection of HTTP/2, whatever request or answer comes by. What becomes of bytes is decided when they arrive here, as in
// the simulated network: what was on its way when a partition began still comes.
type proxy struct {
	listener net.Listener
	server   string

	mu   sync.Mutex
	hold time.Duration // by which answers are held back
	// until is when answers go on that come before.
	until time.Time
	cut   bool
	open  map[net.Conn]bool
}

func newProxy(server string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, server: server, open: map[net.Conn]bool{}}
	go p.serve()
	return p, nil
}

// url is where clients find the server.
func (p *proxy) url() string { return "https://" + p.listener.Addr().String() }

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.keep(client, server)
		go p.carry(server, client, false)
		go p.carry(client, server, true)
	}
}

// chunk is bytes and when they are to go on.
type chunk struct {
	bytes []byte
	due   time.Time
}

// carry copies one direction of a connection. The order of bytes is kept also where a delay ends.
func (p *proxy) carry(to, from net.Conn, answers bool) {
	chunks := make(chan chunk, 1000)
	go func() {
		defer close(chunks)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if hold, cut := p.rule(answers); n > 0 && !cut {
				chunks <- chunk{b[:n], time.Now().Add(hold)}
			}
			if err != nil {
				return
			}
		}
	}()
	for c := range chunks {
		time.Sleep(time.Until(c.due))
		if _, err := to.Write(c.bytes); err != nil {
			break
		}
	}
	p.drop(to, from)
	for range chunks { // so that the reader ends
	}
}

func (p *proxy) rule(answers bool) (hold time.Duration, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answers {
		hold = max(p.hold, time.Until(p.until))
	}
	return hold, p.cut
}

// holdBack has answers come that much later from now on.
func (p *proxy) holdBack(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold = by
}

// holdUntil has answers come at that time, if they come before.
func (p *proxy) holdUntil(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until = at
}

// partition has nothing come through from now on, and closes nothing: a candidate hears neither answers nor an end. New
// connections are taken, and hear nothing either. It has no end, since bytes after a gap would be no TLS.
func (p *proxy) partition() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
}

func (p *proxy) keep(all ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range all {
		p.open[c] = true
	}
}

func (p *proxy) drop(all ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range all {
		_ = c.Close()
		delete(p.open, c)
	}
}

// close ends the way, and all connections.
func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// TestProxy: what is held back comes late and in order, what comes after a cut never, and nothing ends.
func TestProxy(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	p, err := newProxy(server.Addr().String())
	require.NoError(t, err)
	defer p.close()
	say := func(c net.Conn, text string, within time.Duration) error {
		_, err := c.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, c.SetReadDeadline(time.Now().Add(within)))
		heard := make([]byte, len(text))
		if _, err = io.ReadFull(c, heard); err == nil {
			require.Equal(t, text, string(heard))
		}
		return err
	}
	c, err := net.Dial("tcp", p.listener.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, say(c, "at once", time.Minute))
	p.holdBack(200 * time.Millisecond)
	since := time.Now()
	require.NoError(t, say(c, "late", time.Minute))
	require.GreaterOrEqual(t, time.Since(since), 200*time.Millisecond)
	p.partition()
	require.ErrorIs(t, say(c, "never", 300*time.Millisecond), os.ErrDeadlineExceeded)
	another, err := net.Dial("tcp", p.listener.Addr().String())
	require.NoError(t, err)
	defer another.Close()
	require.ErrorIs(t, say(another, "never", 300*time.Millisecond), os.ErrDeadlineExceeded)
}
