package conn

import (
	"net/http"
	"testing"
)

// A reset fails the requests in flight at that instant. A GET is repeated 1 s later, on a new connection; a PUT and a POST are
// not. The next request dials.
func TestReset(t *testing.T) {
	w := newWorld()
	w.think = second
	w.run(t, 4*second, func() {
		w.send(0, "GET", "a", 0)
		w.send(4*second, "GET", "b", 0)
		w.send(4*second, "PUT", "c", 0)
		w.send(4*second, "POST", "d", 0)
		w.at(4500*ms, func() { w.all((*link).reset) })
		w.send(8*second, "PUT", "e", 0)
	}, `
		4s GET b begins
		4s POST d begins
		4s PUT c begins
		4.008s service: GET b arrives
		4.008s service: POST (new) arrives
		4.008s service: PUT c arrives
		4.5s POST d fails: read tcp there: connection reset by peer
		4.5s PUT c fails: read tcp there: connection reset by peer
		4.5s client: closes connection 1
		4.5s service: GET b is cancelled
		4.5s service: POST (new) is cancelled
		4.5s service: PUT c is cancelled
		5.5s client: dial 2
		5.54s service: GET b arrives
		6.548s GET b succeeds
		8s PUT e begins
		8.008s service: PUT e arrives
		9.016s PUT e succeeds
	`)
}

// With no request in flight nobody notices a reset. The next request dials.
func TestResetWhileIdle(t *testing.T) {
	w := newWorld()
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(2*second, func() { w.all((*link).reset) })
		w.send(3*second, "PUT", "b", 0)
	}, `
		2s client: closes connection 1
		3s PUT b begins
		3s client: dial 2
		3.04s service: PUT b arrives
		3.052s PUT b succeeds
	`)
}

// If the other side has forgotten the connection, the next request fails one round trip after it was sent, or an idle
// connection's ping.
func TestForgotten(t *testing.T) {
	for _, verb := range []string{http.MethodGet, http.MethodPut} {
		t.Run(verb, func(t *testing.T) {
			w := newWorld()
			want := map[string]string{http.MethodGet: `
				3s GET b begins
				3.016s client: closes connection 1
				4.016s client: dial 2
				4.056s service: GET b arrives
				4.068s GET b succeeds
			`, http.MethodPut: `
				3s PUT b begins
				3.016s PUT b fails: read tcp there: connection reset by peer
				3.016s client: closes connection 1
			`}
			w.run(t, second, func() {
				w.send(0, "GET", "a", 0)
				w.at(2*second, func() { w.all((*link).forget) })
				w.send(3*second, verb, "b", 0)
			}, want[verb])
		})
	}
	w := newWorld()
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(2*second, func() { w.all((*link).forget) })
		w.send(40*second, "PUT", "b", 0)
	}, `
		30.052s client: sends PING on connection 1
		30.068s client: closes connection 1
		40s PUT b begins
		40s client: dial 2
		40.04s service: PUT b arrives
		40.052s PUT b succeeds
	`)
}

// A GET is repeated at most 10 times, also where no connection comes about.
func TestResetAgainAndAgain(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(rebuffed)
		w.send(0, "GET", "a", 0)
		w.send(20*second, "PUT", "b", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		1.016s client: dial 2
		2.032s client: dial 3
		3.048s client: dial 4
		4.064s client: dial 5
		5.08s client: dial 6
		6.096s client: dial 7
		7.112s client: dial 8
		8.128s client: dial 9
		9.144s client: dial 10
		10.16s client: dial 11
		10.176s GET a fails: dial tcp there: connection reset by peer
		20s PUT b begins
		20s client: dial 12
		20.016s PUT b fails: dial tcp there: connection reset by peer
	`)
}

// The wait before a repetition ends when the request's context does.
func TestResetAndTimeout(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(rebuffed)
		w.send(0, "GET", "a", 2500*ms)
	}, `
		0s GET a begins
		0s client: dial 1
		1.016s client: dial 2
		2.032s client: dial 3
		2.5s GET a fails: context deadline exceeded - error from a previous attempt: dial tcp there: connection reset by peer
	`)
}

// A reset during the TLS handshake is like one in flight.
func TestResetOfHandshake(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(stalled)
		w.send(0, "GET", "a", 0)
		w.send(0, "PUT", "b", 0)
		w.at(second, func() {
			w.dialling(connected)
			w.all((*link).reset)
		})
	}, `
		0s GET a begins
		0s PUT b begins
		0s client: dial 1
		0s client: dial 2
		1s PUT b fails: read tcp there: connection reset by peer
		1s client: closes connection 1
		1s client: closes connection 2
		2s client: dial 3
		2.04s service: GET a arrives
		2.052s GET a succeeds
	`)
}
