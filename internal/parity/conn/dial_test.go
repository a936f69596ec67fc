package conn

import "testing"

// While there is no connection each request dials one for itself. A TLS handshake that hangs fails 10 s after the connection
// was made, and its request with it, if that still waits. Not even a GET is repeated.
func TestHandshakeHangs(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(stalled)
		w.send(0, "GET", "a", 5*second)
		w.send(2*second, "GET", "b", 0)
		w.send(3*second, "PUT", "c", 0)
		w.send(20*second, "PUT", "d", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		2s GET b begins
		2s client: dial 2
		3s PUT c begins
		3s client: dial 3
		5s GET a fails: context deadline exceeded
		10.016s client: closes connection 1
		12.016s GET b fails: net/http: TLS handshake timeout
		12.016s client: closes connection 2
		13.016s PUT c fails: net/http: TLS handshake timeout
		13.016s client: closes connection 3
		20s PUT d begins
		20s client: dial 4
		30.016s PUT d fails: net/http: TLS handshake timeout
		30.016s client: closes connection 4
	`)
}

// As soon as one handshake is done, all requests that wait go to that connection, even if nobody waits any more who dialled it.
// The handshakes of the others go on.
func TestHandshakeResumes(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(stalled)
		w.send(0, "GET", "a", 5*second)
		w.send(2*second, "GET", "b", 0)
		w.send(3*second, "PUT", "c", 0)
		w.at(8*second, func() { w.links[0].resume() })
		w.send(14*second, "PUT", "d", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		2s GET b begins
		2s client: dial 2
		3s PUT c begins
		3s client: dial 3
		5s GET a fails: context deadline exceeded
		8.024s service: GET b arrives
		8.024s service: PUT c arrives
		8.036s GET b succeeds
		8.036s PUT c succeeds
		12.016s client: closes connection 2
		13.016s client: closes connection 3
		14s PUT d begins
		14.008s service: PUT d arrives
		14.02s PUT d succeeds
	`)
}

// A dial that nobody answers goes on for 30 s, even when its request has been given up. Its request is not repeated.
func TestDialIsNotAnswered(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(silent)
		w.send(0, "GET", "a", 5*second)
		w.send(2*second, "GET", "b", 0)
		w.at(20*second, func() { w.dialling(connected) })
		w.send(35*second, "PUT", "c", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		2s GET b begins
		2s client: dial 2
		5s GET a fails: context deadline exceeded
		32s GET b fails: dial tcp there: i/o timeout
		35s PUT c begins
		35s client: dial 3
		35.04s service: PUT c arrives
		35.052s PUT c succeeds
	`)
}

// A request that waits for its dial takes a connection that another request has dialled since.
func TestDialIsOvertaken(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(silent)
		w.send(0, "PUT", "a", 0)
		w.at(2*second, func() { w.dialling(connected) })
		w.send(2500*ms, "PUT", "b", 0)
		w.at(4*second, func() {})
	}, `
		0s PUT a begins
		0s client: dial 1
		2.5s PUT b begins
		2.5s client: dial 2
		2.54s service: PUT a arrives
		2.54s service: PUT b arrives
		2.552s PUT a succeeds
		2.552s PUT b succeeds
		3.032s client: closes connection 1
	`)
}

// A dial whose request was given up makes a connection as its first packet is sent again, and the next request takes it.
func TestDialGoesOn(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(silent)
		w.send(0, "PUT", "a", 5*second)
		w.send(5500*ms, "PUT", "b", 0)
		w.at(6800*ms, func() { w.dialling(connected) })
		w.send(9*second, "GET", "c", 0)
	}, `
		0s PUT a begins
		0s client: dial 1
		5s PUT a fails: context deadline exceeded
		5.5s PUT b begins
		5.5s client: dial 2
		7.04s service: PUT b arrives
		7.052s PUT b succeeds
		8.532s client: closes connection 2
		9s GET c begins
		9.008s service: GET c arrives
		9.02s GET c succeeds
	`)
}

// A refused dial fails its request, and not even a GET is repeated.
func TestDialIsRefused(t *testing.T) {
	w := newWorld()
	w.run(t, 0, func() {
		w.dialling(refused)
		w.send(0, "GET", "a", 0)
		w.send(second, "PUT", "b", 0)
	}, `
		0s GET a begins
		0s client: dial 1
		16ms GET a fails: dial tcp there: connection refused
		1s PUT b begins
		1s client: dial 2
		1.016s PUT b fails: dial tcp there: connection refused
	`)
}
