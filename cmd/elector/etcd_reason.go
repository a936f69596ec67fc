package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"interregnum/elector/ttl"
)

// reason is why the last connection to etcd failed: its client tries again and says in the end no more than that the
// time is over. Its methods may be called from any goroutine.
type reason struct {
	mu  sync.Mutex
	err error
}

func (r *reason) set(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

// add adds the reason to an error of the lock.
func (r *reason) add(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil || r.err == nil || outcomeOf(err) != outcomeError {
		return err
	}
	return fmt.Errorf("%w: the last connection failed: %w", err, r.err)
}

// options have the client's connections tell the reason.
func (r *reason) options(c credentials.TransportCredentials) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(handshakes{c, r}),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			var dialer net.Dialer
			connection, err := dialer.DialContext(ctx, "tcp", address)
			if err != nil {
				r.set(err)
			}
			return connection, err
		}),
	}
}

// handshakes is credentials whose failures are the reason.
type handshakes struct {
	credentials.TransportCredentials
	reason *reason
}

// ClientHandshake implements credentials.TransportCredentials.
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

// opening is a connection whose first read tells whether it was accepted: with TLS 1.3 a client learns only then that
// its certificate was not. It has one reader.
type opening struct {
	net.Conn
	reason *reason
	plain  bool
	// opened is closed after the first read.
	opened chan struct{}
}

// Read implements net.Conn.
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
	case o.plain && (n > 0 && b[0] == alert || errors.Is(err, io.EOF)):
		o.reason.set(errors.New("the server does not take plain connections: expected etcds://"))
	case n > 0:
		o.reason.set(nil)
	case !errors.Is(err, net.ErrClosed): // That would be this side.
		o.reason.set(err)
	}
	return n, err
}

// Write implements net.Conn. Where it fails the connection will be closed, at once: why may be on its way.
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

// Clone implements credentials.TransportCredentials.
func (h handshakes) Clone() credentials.TransportCredentials {
	return handshakes{h.TransportCredentials.Clone(), h.reason}
}

// reasonedLock is a lock in etcd that says why it could not be reached.
type reasonedLock struct {
	ttl.Lock
	reason *reason
}

func (l reasonedLock) Get(ctx context.Context) (ttl.Entry, error) {
	entry, err := l.Lock.Get(ctx)
	return entry, l.reason.add(err)
}

func (l reasonedLock) Create(ctx context.Context) (ttl.Entry, error) {
	entry, err := l.Lock.Create(ctx)
	return entry, l.reason.add(err)
}

func (l reasonedLock) Replace(ctx context.Context) (ttl.Entry, error) {
	entry, err := l.Lock.Replace(ctx)
	return entry, l.reason.add(err)
}

func (l reasonedLock) Refresh(ctx context.Context) (ttl.Entry, error) {
	entry, err := l.Lock.Refresh(ctx)
	return entry, l.reason.add(err)
}
