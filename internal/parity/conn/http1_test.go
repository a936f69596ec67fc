package conn

import (
	"testing"

	"k8s.io/client-go/rest"
)

// http1 has a world's clientset use HTTP/1.1.
func http1(w *world) *world {
	w.config = func(c *rest.Config) { c.NextProtos = []string{"http/1.1"} }
	return w
}

// With HTTP/1.1 a request that is given up ends its connection, and the next one dials. Nothing else ends a stalled
// connection: a request without a timeout waits for ever.
func TestStallHTTP1(t *testing.T) {
	w := http1(newWorld())
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all((*link).stall) })
		w.send(2*second, "PUT", "b", 5*second)
		w.send(10*second, "PUT", "c", 0)
		w.at(11*second, func() { w.all((*link).stall) })
		w.send(12*second, "PUT", "d", 0)
		w.at(2000*second, func() { w.all((*link).reset) })
	}, `
		2s PUT b begins
		7s PUT b fails: context deadline exceeded
		7s client: closes connection 1
		10s PUT c begins
		10s client: dial 2
		10.04s service: PUT c arrives
		10.052s PUT c succeeds
		12s PUT d begins
		33m20s PUT d fails: read tcp there: connection reset by peer
		33m20s client: closes connection 2
	`)
}

// Each idle connection that has stalled costs a timeout, the one used last first. Requests in flight at the same time have a
// connection each.
func TestStallOfTwoHTTP1(t *testing.T) {
	w := http1(newWorld())
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.send(ms, "GET", "b", 0)
		w.at(second, func() { w.all((*link).stall) })
		w.send(2*second, "PUT", "c", 5*second)
		w.send(8*second, "PUT", "d", 5*second)
		w.send(14*second, "PUT", "e", 5*second)
	}, `
		2s PUT c begins
		7s PUT c fails: context deadline exceeded
		7s client: closes connection 2
		8s PUT d begins
		13s PUT d fails: context deadline exceeded
		13s client: closes connection 1
		14s PUT e begins
		14s client: dial 3
		14.04s service: PUT e arrives
		14.052s PUT e succeeds
	`)
}

// After a stall a request that was given up has arrived, and the end of its connection with it.
func TestResumeHTTP1(t *testing.T) {
	w := http1(newWorld())
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all((*link).stall) })
		w.send(2*second, "PUT", "b", 5*second)
		w.send(3*second, "PUT", "c", 0)
		w.at(11*second, func() { w.all((*link).resume) })
		w.at(12*second, func() {})
	}, `
		2s PUT b begins
		3s PUT c begins
		3s client: dial 2
		3.04s service: PUT c arrives
		3.052s PUT c succeeds
		7s PUT b fails: context deadline exceeded
		7s client: closes connection 1
		11.008s service: PUT b arrives
		11.008s service: PUT b is cancelled
	`)
}

// With HTTP/1.1 a reset GET is sent again at once on a new connection, if its connection had served a request before. The
// first request of a connection is repeated 1 s later, and a PUT is not.
func TestResetHTTP1(t *testing.T) {
	w := http1(newWorld())
	w.think = second
	w.run(t, 2*second, func() {
		w.send(0, "GET", "a", 0)
		w.send(2*second, "GET", "b", 0)
		w.at(2500*ms, func() { w.all((*link).reset) })
		w.at(2700*ms, func() { w.all((*link).reset) })
		w.send(6*second, "PUT", "c", 0)
		w.at(6500*ms, func() { w.all((*link).reset) })
		w.send(7*second, "PUT", "d", 0)
	}, `
		2s GET b begins
		2.008s service: GET b arrives
		2.5s client: closes connection 1
		2.5s client: dial 2
		2.5s service: GET b is cancelled
		2.54s service: GET b arrives
		2.7s client: closes connection 2
		2.7s service: GET b is cancelled
		3.7s client: dial 3
		3.74s service: GET b arrives
		4.748s GET b succeeds
		6s PUT c begins
		6.008s service: PUT c arrives
		6.5s PUT c fails: read tcp there: connection reset by peer
		6.5s client: closes connection 3
		6.5s service: PUT c is cancelled
		7s PUT d begins
		7s client: dial 4
		7.04s service: PUT d arrives
		8.048s PUT d succeeds
	`)
}

// The environment's DISABLE_HTTP2 has clients use HTTP/1.1: requests at the same time want a connection each, and no ping is
// sent. A request that waits for its dial takes a connection that is free earlier.
func TestDisableHTTP2(t *testing.T) {
	t.Setenv("DISABLE_HTTP2", "1")
	w := newWorld()
	w.run(t, 0, func() {
		w.send(0, "GET", "a", 0)
		w.send(second, "GET", "b", 0)
		w.send(1001*ms, "GET", "c", 0)
		w.at(80*second, func() {})
	}, `
		0s GET a begins
		0s client: dial 1
		40ms service: GET a arrives
		52ms GET a succeeds
		1s GET b begins
		1.001s GET c begins
		1.001s client: dial 2
		1.008s service: GET b arrives
		1.02s GET b succeeds
		1.028s service: GET c arrives
		1.04s GET c succeeds
	`)
}
