package conn

import (
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
)

// The frames and error codes of HTTP/2 that refuser uses (RFC 9113, 6 and 7).
const (
	frameHeaders   = 1
	frameRSTStream = 3
	frameSettings  = 4
	frameGoAway    = 7

	noError       = 0
	internalError = 2
	refusedStream = 7
)

// refuser is a service that answers no request. It does something else when one arrives.
type refuser struct {
	conn net.Conn
	// arrived is called for each request, with its stream. The connection is closed if it returns false.
	arrived func(r *refuser, stream uint32) bool
}

// refuse has all new connections of a world be served by a refuser, or by the service again if arrived is nil.
func (w *world) refuse(arrived func(r *refuser, stream uint32) bool) {
	var instead func(net.Conn)
	if arrived != nil {
		instead = func(conn net.Conn) {
			config := &tls.Config{Certificates: []tls.Certificate{certificate()}, NextProtos: []string{"h2"}}
			r := &refuser{tls.Server(conn, config), func(r *refuser, stream uint32) bool {
				w.note("service: stream %d arrives", stream)
				return arrived(r, stream)
			}}
			r.serve()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.instead = instead
}

func (r *refuser) serve() {
	defer r.conn.Close()
	const preface = 24
	if _, err := io.CopyN(io.Discard, r.conn, preface); err != nil {
		return
	}
	r.write(frameSettings, 0)
	for {
		var head [9]byte
		if _, err := io.ReadFull(r.conn, head[:]); err != nil {
			return
		}
		length := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
		if _, err := io.CopyN(io.Discard, r.conn, length); err != nil {
			return
		}
		if head[3] == frameHeaders && !r.arrived(r, binary.BigEndian.Uint32(head[5:])) {
			return
		}
	}
}

// write sends a frame. Its payload is numbers of four bytes.
func (r *refuser) write(kind byte, stream uint32, payload ...uint32) {
	frame := []byte{0, 0, byte(4 * len(payload)), kind, 0}
	frame = binary.BigEndian.AppendUint32(frame, stream)
	for _, number := range payload {
		frame = binary.BigEndian.AppendUint32(frame, number)
	}
	_, _ = r.conn.Write(frame)
}

// A request that the service has not looked at, as a GOAWAY says, is sent again at once on a new connection, whatever its verb
// is. This is repeated without end.
func TestGoAwayBefore(t *testing.T) {
	for _, verb := range []string{"GET", "PUT", "POST"} {
		t.Run(verb, func(t *testing.T) {
			name := map[string]string{"POST": "(new)"}[verb]
			if name == "" {
				name = "a"
			}
			w := newWorld()
			w.run(t, 0, func() {
				w.refuse(func(r *refuser, stream uint32) bool {
					r.write(frameGoAway, 0, stream-1, noError)
					return true
				})
				w.send(0, verb, "a", 0)
				w.at(60*ms, func() { w.refuse(nil) })
			}, fmt.Sprintf(`
				0s %[1]s a begins
				0s client: dial 1
				40ms service: stream 1 arrives
				48ms client: closes connection 1
				48ms client: dial 2
				88ms service: stream 1 arrives
				96ms client: closes connection 2
				96ms client: dial 3
				136ms service: %[1]s %[2]s arrives
				148ms %[1]s a succeeds
			`, verb, name))
		})
	}
}

// A GOAWAY after which the service goes on with a request changes nothing for that. If the connection then ends, a PUT fails and
// a GET is repeated 1 s later.
func TestGoAwayAfter(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.refuse(func(r *refuser, stream uint32) bool {
			r.write(frameGoAway, 0, 3, noError)
			return stream < 3
		})
		w.send(0, "PUT", "a", 0)
		w.send(45*ms, "GET", "b", 0)
		w.at(second, func() { w.refuse(nil) })
	}, `
		0s PUT a begins
		0s client: dial 1
		40ms service: stream 1 arrives
		45ms GET b begins
		53ms service: stream 3 arrives
		61ms PUT a fails: http2: server sent GOAWAY and closed the connection; LastStreamID=3, ErrCode=NO_ERROR, debug=""
		61ms client: closes connection 1
		1.061s client: dial 2
		1.101s service: GET b arrives
		1.113s GET b succeeds
	`)
}

// A GOAWAY with an error fails the first request of a connection, whatever its verb is. A later one is sent again.
func TestGoAwayWithError(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.refuse(func(r *refuser, stream uint32) bool {
			r.write(frameGoAway, 0, 0, internalError)
			return true
		})
		w.send(0, "GET", "a", 0)
		w.send(45*ms, "PUT", "b", 0)
		w.at(46*ms, func() { w.refuse(nil) })
	}, `
		0s GET a begins
		0s client: dial 1
		40ms service: stream 1 arrives
		45ms PUT b begins
		48ms GET a fails: http2: Transport received GOAWAY from server ErrCode:INTERNAL_ERROR
		48ms client: closes connection 1
		48ms client: dial 2
		53ms service: stream 3 arrives
		88ms service: PUT b arrives
		100ms PUT b succeeds
	`)
}

// A refused stream is tried again on the same connection: at once, then after 1, 2, 4, … s.
func TestRefusedStream(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.refuse(func(r *refuser, stream uint32) bool {
			r.write(frameRSTStream, stream, refusedStream)
			return true
		})
		w.send(0, "PUT", "a", 10*second)
	}, `
		0s PUT a begins
		0s client: dial 1
		40ms service: stream 1 arrives
		56ms service: stream 3 arrives
		1.072s service: stream 5 arrives
		3.088s service: stream 7 arrives
		7.104s service: stream 9 arrives
		10s PUT a fails: context deadline exceeded
	`)
}

// The service closes the connection without a word: a PUT fails, and a GET is repeated 1 s later.
func TestClosedByService(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.refuse(func(*refuser, uint32) bool { return false })
		w.send(0, "PUT", "a", 0)
		w.send(second, "GET", "b", 0)
		w.at(1500*ms, func() { w.refuse(nil) })
	}, `
		0s PUT a begins
		0s client: dial 1
		40ms service: stream 1 arrives
		48ms PUT a fails: unexpected EOF
		48ms client: closes connection 1
		1s GET b begins
		1s client: dial 2
		1.04s service: stream 1 arrives
		1.048s client: closes connection 2
		2.048s client: dial 3
		2.088s service: GET b arrives
		2.1s GET b succeeds
	`)
}
