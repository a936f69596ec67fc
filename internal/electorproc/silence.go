package electorproc

import (
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Way is a local port whose connections lead to a server. Mute makes its present connections fall silent: nothing comes through
// them any more, and neither side is told. New connections work.
type Way struct {
	// Address is the address of the port.
	Address string

	mu      sync.Mutex
	silence chan struct{}
	carried int
}

// NewWay opens a local port until the end of the test, and connects each client of it to the server at the address to. If there
// is no connection to the server, it closes that client's.
func NewWay(t *testing.T, to string) *Way {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &Way{Address: listener.Addr().String(), silence: make(chan struct{})}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			w.mu.Lock()
			silence := w.silence
			w.carried++
			w.mu.Unlock()
			go carry(server, client, silence)
			go carry(client, server, silence)
		}
	}()
	return w
}

// carry copies bytes from one connection to the other until silence is closed. From then on it reads and drops them. It closes
// the connection to when from ends, but not after the silence.
func carry(to, from net.Conn, silence <-chan struct{}) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		select {
		case <-silence:
			_, _ = io.Copy(io.Discard, from)
			return
		default:
		}
		if n > 0 {
			_, _ = to.Write(b[:n])
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

// Mute silences all present connections: nothing comes through them any more, and neither side is told.
func (w *Way) Mute() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.silence)
	w.silence = make(chan struct{})
}

// Connections returns how many clients have been connected so far.
func (w *Way) Connections() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.carried
}

// Silence tests that a leader gives up a connection that has fallen silent, and that its command goes on over a new one.
// The elector must reach its lock through w.
func Silence(t *testing.T, e Elector, w *Way) {
	dir := t.TempDir()
	// Two requests of nearly 3 s fit into the deadline, on a busy machine too.
	p := e.Start(t, append([]string{"--lease-duration=10s", "--renew-deadline=6s", "--log-level=debug"},
		Work(dir)...)...)
	Eventually(t, "start", func() bool { return len(Tokens(t, dir)) == 1 })
	for range 2 {
		before := w.Connections()
		w.Mute()
		Eventually(t, "a new connection", func() bool { return w.Connections() > before })
		require.Never(t, func() bool { return strings.Contains(LogOf(dir), "term") }, 4*time.Second,
			50*time.Millisecond, "the command goes on")
	}
	require.Contains(t, p.Err.String(), "no answer within 2.9s")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Zero(t, p.End(t))
}
