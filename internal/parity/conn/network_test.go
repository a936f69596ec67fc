package conn

import (
	"context"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// network has the connections of a clientset.
type network struct {
	// request and response are the delays of the two directions.
	request, response time.Duration
	// connects is how much longer than that a dial takes.
	connects time.Duration
	// arrivals has the service's ends of new connections.
	arrivals *arrivals
	note     func(format string, args ...any)
	done     chan struct{} // closed when the script is over

	mu    sync.Mutex
	links []*link
	dials dialing
	// instead serves new connections in place of the service, if it is set.
	instead func(net.Conn)
}

// dialing is what becomes of new connections.
type dialing int

const (
	connected dialing = iota
	stalled           // the connection is made, and nothing more arrives
	refused           // the answer is ECONNREFUSED
	rebuffed          // the answer is ECONNRESET
	silent            // nothing answers
)

// dialTimeout is how long the dialer of client-go tries, as its transport/cache.go says. Here is another dialer, so no test
// shows that it is true.
const dialTimeout = 30 * time.Second

// clientset makes a clientset whose connections a script commands. All of it is client-go's own but for the Dial.
func (n *network) clientset(t *testing.T, change func(*rest.Config)) *kubernetes.Clientset {
	config := &rest.Config{
		Host: "https://" + host, Dial: n.dial,
		TLSClientConfig: rest.TLSClientConfig{CAData: authority()},
	}
	if change != nil {
		change(config)
	}
	clients, err := kubernetes.NewForConfig(config)
	require.NoError(t, err)
	return clients
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	n.mu.Lock()
	l := newLink(n.request, n.response)
	n.links = append(n.links, l)
	number, dials, instead := len(n.links), n.dials, n.instead
	n.mu.Unlock()
	n.note("client: dial %d", number)
	dials, err := n.answered(ctx, dials)
	if err != nil {
		return nil, err
	}
	if err := n.wait(ctx, n.request+n.response+n.connects); err != nil {
		return nil, err
	}
	switch dials {
	case refused:
		return nil, failed("dial", syscall.ECONNREFUSED)
	case rebuffed:
		return nil, failed("dial", syscall.ECONNRESET)
	case stalled:
		l.stall()
	}
	l.client.wrote = func(bytes int) { n.wrote(number, bytes) }
	l.client.closed = func() { n.note("client: closes connection %d", number) }
	l.made.Store(true)
	if instead != nil {
		go instead(&l.server)
	} else {
		n.arrivals.ends <- &l.server
	}
	return &l.client, nil
}

// answered waits until something answers a dial, and returns how. As in TCP the first packet is sent again after 1 s, and then after twice as
// long each time. It fails with the dialer's timeout.
func (n *network) answered(ctx context.Context, how dialing) (dialing, error) {
	began := time.Now()
	for again := second; how == silent; again *= 2 {
		left := dialTimeout - time.Since(began)
		if err := n.wait(ctx, min(again, left)); err != nil {
			return how, err
		}
		if left < again {
			return how, failed("dial", os.ErrDeadlineExceeded)
		}
		n.mu.Lock()
		how = n.dials
		n.mu.Unlock()
	}
	return how, nil
}

// wait returns after that time, or with an error as soon as the context or the script is over.
func (n *network) wait(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return net.ErrClosed
	}
}

// frames are those that the length of a write shows: 22 bytes are those of a record of TLS 1.3, a frame of HTTP/2 has 9 of its
// own. No other frame that the tests have the client send is as long.
var frames = map[int]string{
	22 + 9 + 8:         "PING",
	22 + 9 + 4:         "RST_STREAM",
	22 + 9 + 4 + 9 + 8: "RST_STREAM and PING",
}

func (n *network) wrote(connection, bytes int) {
	if frame := frames[bytes]; frame != "" {
		n.note("client: sends %s on connection %d", frame, connection)
	}
}

// all does something to all connections that there are.
func (n *network) all(do func(*link)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.links {
		do(l)
	}
}

// dialling sets what becomes of new connections from now on.
func (n *network) dialling(how dialing) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dials = how
}
