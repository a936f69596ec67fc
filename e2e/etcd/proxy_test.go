package etcd_test

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// proxy is a way to the server that can be slow and can be cut. What it holds back is not lost: it comes once the way
// is mended.
type proxy struct {
	address string

	mu    sync.Mutex
	delay time.Duration // of answers
	cut   chan struct{} // closed when it is mended; nil where it is not cut
}

func newProxy(t *testing.T) *proxy {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{address: listener.Addr().String()}
	t.Cleanup(func() {
		p.mend()
		_ = listener.Close()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", endpoint)
			if err != nil {
				_ = client.Close()
				continue
			}
			go p.carry(server, client, false)
			go p.carry(client, server, true)
		}
	}()
	return p
}

type chunk struct {
	bytes []byte
	due   time.Time
}

func (p *proxy) carry(to, from net.Conn, answers bool) {
	chunks := make(chan chunk, 1000)
	go func() {
		defer close(chunks)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if n > 0 {
				chunks <- chunk{b[:n], time.Now().Add(p.slowness(answers))}
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	for c := range chunks {
		time.Sleep(time.Until(c.due))
		p.awaitMended()
		if _, err := to.Write(c.bytes); err != nil {
			_ = from.Close()
		}
	}
}

func (p *proxy) slowness(answers bool) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !answers {
		return 0
	}
	return p.delay
}

func (p *proxy) awaitMended() {
	p.mu.Lock()
	cut := p.cut
	p.mu.Unlock()
	if cut != nil {
		<-cut
	}
}

// slow has answers take that much longer.
func (p *proxy) slow(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

func (p *proxy) sever() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut == nil {
		p.cut = make(chan struct{})
	}
}

func (p *proxy) mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut != nil {
		close(p.cut)
		p.cut = nil
	}
}
