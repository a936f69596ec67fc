package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"interregnum/elector/ttl"
)

// reason keeps the error of the last connection to etcd that failed. etcd's client tries again by itself, and says in the end
// only that the time is over. Its methods may be called from any goroutine.
type reason struct {
	mu  sync.Mutex
	err error
	// open is the connections that have not been closed.
	open map[*dialed]struct{}
}

// dialed is a connection in reason.open, which it leaves when it is closed.
type dialed struct {
	net.Conn
	of *reason
}

// Close implements net.Conn. It also removes the connection from reason.open, so that hangUp no longer closes it.
func (d *dialed) Close() error {
	d.of.mu.Lock()
	delete(d.of.open, d)
	d.of.mu.Unlock()
	return d.Conn.Close()
}

// dial opens a TCP connection to the address for etcd's client, and adds it to r.open. If that fails it stores the error as the
// reason, and returns it.
func (r *reason) dial(ctx context.Context, address string) (net.Conn, error) {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		r.set(err)
		return nil, err
	}
	d := &dialed{connection, r}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[*dialed]struct{}{}
	}
	r.open[d] = struct{}{}
	return d, nil
}

// hangUp closes all open connections. etcd's client would go on to use a dead connection even after requests on it have failed;
// it connects anew once the connection is closed.
func (r *reason) hangUp() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for d := range r.open {
		_ = d.Conn.Close()
	}
	clear(r.open)
}

// set stores err as the reason why the last connection failed; nil says that the connection works.
func (r *reason) set(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// add wraps a failed request's error with the reason why the last connection failed. If no reason is known, and for nil and
// refusals, it returns err as it is.
func (r *reason) add(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil || r.err == nil || outcomeOf(err) != outcomeError {
		return err
	}
	return fmt.Errorf("%w: the last connection failed: %w", err, r.err)
}

// options returns the options with which etcd's client connects, with the transport credentials c. An error of a
// connection or of a TLS handshake is stored as the reason.
func (r *reason) options(c credentials.TransportCredentials) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(handshakes{c, r}),
		grpc.WithContextDialer(r.dial),
	}
}

// handshakes are transport credentials that store the error of a failed TLS handshake as the reason.
type handshakes struct {
	credentials.TransportCredentials
	reason *reason
}

// ClientHandshake implements credentials.TransportCredentials: it makes the handshake on the connection raw with the server
// authority. It stores an error of the handshake as the reason, and returns it. Otherwise the connection that it returns sets
// the reason by its first read.
func (h handshakes) ClientHandshake(
	ctx context.Context, authority string, raw net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	connection, info, err := h.TransportCredentials.ClientHandshake(ctx, authority, raw)
	if err != nil {
		h.reason.set(err)
		return connection, info, err
	}
	plain := info.AuthType() == "insecure"
	return &opening{Conn: connection, reason: h.reason, plain: plain, opened: make(chan struct{})}, info, nil
}

// opening is a connection whose first read sets the reason: with TLS 1.3 a client learns only then that the server has not
// accepted its certificate. Only one goroutine may read from it.
type opening struct {
	net.Conn
	reason *reason
	plain  bool
	// opened is closed after the first read.
	opened chan struct{}
}

// Read implements net.Conn. The first read sets the reason: to nil if the server has accepted the connection, otherwise to the
// error. For a connection without TLS that the server refuses as one with TLS would, the reason names etcds://. If this side has
// closed the connection, it leaves the reason as it is.
func (o *opening) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	select {
	case <-o.opened:
		return n, err
	default:
	}
	defer close(o.opened)
	const alert = 0x15 // The type of a record, RFC 8446, section 5.1.
	switch {
	case o.plain && (n > 0 && b[0] == alert || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		// A reset: a server with TLS closes without having read all, and its alert is lost.
		o.reason.set(errors.New("the server does not take plain connections: expected etcds://"))
	case n > 0:
		o.reason.set(nil)
	case !errors.Is(err, net.ErrClosed): // That would be this side.
		o.reason.set(err)
	}
	return n, err
}

// Write implements net.Conn. If it fails, it waits up to 100 ms for the first read before it returns the error: that read
// perhaps tells the reason, and the connection is closed as soon as Write returns.
func (o *opening) Write(b []byte) (int, error) {
	n, err := o.Conn.Write(b)
	if err != nil {
		select {
		case <-o.opened:
		case <-time.After(100 * time.Millisecond):
		}
	}
	return n, err
}

// Clone implements credentials.TransportCredentials: it returns a copy that stores errors as the same reason.
func (h handshakes) Clone() credentials.TransportCredentials {
	return handshakes{h.TransportCredentials.Clone(), h.reason}
}

// reasoned returns a lock that sends its requests to the given one, and adds to an error why the last connection to etcd
// failed. Refusals stay as they are, and so do all errors if no reason is known.
func (r *reason) reasoned(lock ttl.Lock) ttl.Lock {
	return around{lock, func(ctx context.Context, _ string, send request) (ttl.Entry, error) {
		entry, err := send(ctx)
		return entry, r.add(err)
	}}
}
