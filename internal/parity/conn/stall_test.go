package conn

import (
	"fmt"
	"testing"
	"time"
)

// stalls has requests every 2 s, each with a timeout, and the connection stalls for ever from 5 s on. The last frame
// arrives at 4.02 s. It returns the world and its script.
func stalls(timeout time.Duration) (*world, func()) {
	w := newWorld()
	return w, func() {
		for i := range 5 {
			w.send(time.Duration(2*i)*second, "GET", fmt.Sprint(i), timeout)
		}
		w.send(7*second, "PUT", "p", timeout)
		w.at(5*second, func() { w.all((*link).stall) })
		w.send(48*second, "GET", "late", timeout)
		w.send(48*second, "PUT", "late", timeout)
		w.send(48*second, "POST", "late", timeout)
		w.send(49500*ms, "PUT", "next", timeout)
	}
}

// A connection that stalls for ever is closed 45 s after the last frame that the client has read: 30 s without a frame, then a
// ping, then 15 s. What the client sends counts nothing, and what it gives up neither: the ping that goes with the first
// RST_STREAM closes nothing. Until then all requests go to the stalled connection. In flight at its end, a PUT and a POST
// fail at once, and a GET is repeated 1 s later. The next request dials.
func TestStall(t *testing.T) {
	w, script := stalls(5 * second)
	w.run(t, 4*second, script, `
		4s GET 2 begins
		4.008s service: GET 2 arrives
		4.02s GET 2 succeeds
		6s GET 3 begins
		7s PUT p begins
		8s GET 4 begins
		11s GET 3 fails: context deadline exceeded
		11s client: sends RST_STREAM and PING on connection 1
		12s PUT p fails: context deadline exceeded
		12s client: sends RST_STREAM on connection 1
		13s GET 4 fails: context deadline exceeded
		13s client: sends RST_STREAM on connection 1
		34.02s client: sends PING on connection 1
		48s GET late begins
		48s POST late begins
		48s PUT late begins
		49.02s POST late fails: http2: client connection lost
		49.02s PUT late fails: http2: client connection lost
		49.02s client: closes connection 1
		49.5s PUT next begins
		49.5s client: dial 2
		49.54s service: PUT next arrives
		49.552s PUT next succeeds
		50.028s service: GET late arrives
		50.04s GET late succeeds
	`)
}

// A longer timeout changes nothing but the instants at which requests are given up.
func TestStallTimeout10s(t *testing.T) {
	w, script := stalls(10 * second)
	w.run(t, 6*second, script, `
		6s GET 3 begins
		7s PUT p begins
		8s GET 4 begins
		16s GET 3 fails: context deadline exceeded
		16s client: sends RST_STREAM and PING on connection 1
		17s PUT p fails: context deadline exceeded
		17s client: sends RST_STREAM on connection 1
		18s GET 4 fails: context deadline exceeded
		18s client: sends RST_STREAM on connection 1
		34.02s client: sends PING on connection 1
		48s GET late begins
		48s POST late begins
		48s PUT late begins
		49.02s POST late fails: http2: client connection lost
		49.02s PUT late fails: http2: client connection lost
		49.02s client: closes connection 1
		49.5s PUT next begins
		49.5s client: dial 2
		49.54s service: PUT next arrives
		49.552s PUT next succeeds
		50.028s service: GET late arrives
		50.04s GET late succeeds
	`)
}

// Without timeouts all requests wait for the end of the connection, however long ago they began.
func TestStallWithoutTimeout(t *testing.T) {
	w, script := stalls(0)
	w.run(t, 6*second, script, `
		6s GET 3 begins
		7s PUT p begins
		8s GET 4 begins
		34.02s client: sends PING on connection 1
		48s GET late begins
		48s POST late begins
		48s PUT late begins
		49.02s POST late fails: http2: client connection lost
		49.02s PUT late fails: http2: client connection lost
		49.02s PUT p fails: http2: client connection lost
		49.02s client: closes connection 1
		49.5s PUT next begins
		49.5s client: dial 2
		49.54s service: PUT next arrives
		49.552s PUT next succeeds
		50.028s service: GET 3 arrives
		50.028s service: GET 4 arrives
		50.028s service: GET late arrives
		50.04s GET 3 succeeds
		50.04s GET 4 succeeds
		50.04s GET late succeeds
	`)
}

// The 45 s are those of the environment: with other values the connection ends at another instant. So the transcripts above
// cannot pass by accident.
func TestStallWithOtherTimeouts(t *testing.T) {
	t.Setenv("HTTP2_READ_IDLE_TIMEOUT_SECONDS", "10")
	t.Setenv("HTTP2_PING_TIMEOUT_SECONDS", "3")
	w := newWorld()
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all((*link).stall) })
		w.send(2*second, "PUT", "b", 0)
	}, `
		2s PUT b begins
		10.052s client: sends PING on connection 1
		13.052s PUT b fails: http2: client connection lost
		13.052s client: closes connection 1
	`)
}

// A stall of one direction is the same to the client. If it is that of the answers, the service does what it is asked.
func TestStallOfOneDirection(t *testing.T) {
	script := func(w *world, hold func(*link)) func() {
		return func() {
			w.send(0, "GET", "a", 0)
			w.at(second, func() { w.all(hold) })
			w.send(2*second, "PUT", "b", 5*second)
			w.send(3*second, "PUT", "c", 0)
		}
	}
	w := newWorld()
	w.run(t, second, script(w, func(l *link) { l.up.hold() }), `
		2s PUT b begins
		3s PUT c begins
		7s PUT b fails: context deadline exceeded
		7s client: sends RST_STREAM and PING on connection 1
		30.052s client: sends PING on connection 1
		45.052s PUT c fails: http2: client connection lost
		45.052s client: closes connection 1
	`)
	w = newWorld()
	w.run(t, second, script(w, func(l *link) { l.down.hold() }), `
		2s PUT b begins
		2.008s service: PUT b arrives
		3s PUT c begins
		3.008s service: PUT c arrives
		7s PUT b fails: context deadline exceeded
		7s client: sends RST_STREAM and PING on connection 1
		30.052s client: sends PING on connection 1
		45.052s PUT c fails: http2: client connection lost
		45.052s client: closes connection 1
	`)
}

// A request that was given up goes on counting as one of those that the service takes at once on a connection, as long as no
// ping is answered. When there are no more, the next request dials although the connection is not closed.
func TestStallWithFewStreams(t *testing.T) {
	w := newWorld()
	w.streams = 3
	w.run(t, 2*second, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all((*link).stall) })
		for i := range 4 {
			w.send(time.Duration(2+i)*second, "PUT", fmt.Sprint(i), 2500*ms)
		}
	}, `
		2s PUT 0 begins
		3s PUT 1 begins
		4s PUT 2 begins
		4.5s PUT 0 fails: context deadline exceeded
		4.5s client: sends RST_STREAM and PING on connection 1
		5s PUT 3 begins
		5s client: dial 2
		5.04s service: PUT 3 arrives
		5.052s PUT 3 succeeds
		5.5s PUT 1 fails: context deadline exceeded
		5.5s client: sends RST_STREAM on connection 1
		6.5s PUT 2 fails: context deadline exceeded
		6.5s client: sends RST_STREAM on connection 1
	`)
}

// An idle connection has a ping 30 s after the last frame, and the answer is a frame. 90 s after the last request was
// answered it is closed; pings do not count here.
func TestIdle(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.send(0, "GET", "a", 0)
		w.send(100*second, "GET", "b", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		40ms service: GET a arrives
		52ms GET a succeeds
		30.052s client: sends PING on connection 1
		1m0.068s client: sends PING on connection 1
		1m30.052s client: closes connection 1
		1m40s GET b begins
		1m40s client: dial 2
		1m40.04s service: GET b arrives
		1m40.052s GET b succeeds
	`)
}
