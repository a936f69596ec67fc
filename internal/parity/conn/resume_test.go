package conn

import (
	"testing"
	"time"
)

// resumes has requests from 6 s on, each with a timeout, on a connection that stalls at 5 s, for a while. The last frame
// before arrives at 4.02 s, so the connection ends at 49.02 s if the stall lasts.
func resumes(stall, timeout time.Duration) (*world, func()) {
	w := newWorld()
	return w, func() {
		w.send(0, "GET", "a", 0)
		w.send(4*second, "PUT", "b", 0)
		w.at(5*second, func() { w.all((*link).stall) })
		w.send(6*second, "PUT", "c", timeout)
		w.send(8*second, "GET", "d", timeout)
		w.send(12*second, "PUT", "e", timeout)
		w.at(5*second+stall, func() { w.all((*link).resume) })
		w.send(5*second+stall+second, "PUT", "f", timeout)
	}
}

// After a stall all requests arrive at once. Those that were given up meanwhile arrive too, with their end right behind: the
// service begins them, and they are cancelled at the same instant. Those still in flight are answered.
func TestResumeAfter10s(t *testing.T) {
	w, script := resumes(10*second, 5*second)
	w.run(t, 6*second, script, `
		6s PUT c begins
		8s GET d begins
		11s PUT c fails: context deadline exceeded
		11s client: sends RST_STREAM and PING on connection 1
		12s PUT e begins
		13s GET d fails: context deadline exceeded
		13s client: sends RST_STREAM on connection 1
		15.008s service: GET d arrives
		15.008s service: GET d is cancelled
		15.008s service: PUT c arrives
		15.008s service: PUT c is cancelled
		15.008s service: PUT e arrives
		15.02s PUT e succeeds
		16s PUT f begins
		16.008s service: PUT f arrives
		16.02s PUT f succeeds
	`)
}

// Without timeouts a stall is a long delay.
func TestResumeAfter10sWithoutTimeout(t *testing.T) {
	w, script := resumes(10*second, 0)
	w.run(t, 6*second, script, `
		6s PUT c begins
		8s GET d begins
		12s PUT e begins
		15.008s service: GET d arrives
		15.008s service: PUT c arrives
		15.008s service: PUT e arrives
		15.02s GET d succeeds
		15.02s PUT c succeeds
		15.02s PUT e succeeds
		16s PUT f begins
		16.008s service: PUT f arrives
		16.02s PUT f succeeds
	`)
}

// A late answer to the ping keeps the connection, if it comes within 15 s.
func TestResumeAfter35s(t *testing.T) {
	w, script := resumes(35*second, 0)
	w.run(t, 12*second, func() {
		script()
		w.send(75*second, "GET", "g", 0)
	}, `
		12s PUT e begins
		34.02s client: sends PING on connection 1
		40.008s service: GET d arrives
		40.008s service: PUT c arrives
		40.008s service: PUT e arrives
		40.02s GET d succeeds
		40.02s PUT c succeeds
		40.02s PUT e succeeds
		41s PUT f begins
		41.008s service: PUT f arrives
		41.02s PUT f succeeds
		1m11.02s client: sends PING on connection 1
		1m15s GET g begins
		1m15.008s service: GET g arrives
		1m15.02s GET g succeeds
	`)
}

// What the client had sent on a connection arrives even after the client has closed it, because TCP goes on. The service begins
// such a request, although its caller has had an error long ago and may have made others on a new connection since.
func TestResumeAfter60s(t *testing.T) {
	w, script := resumes(60*second, 0)
	w.run(t, 12*second, script, `
		12s PUT e begins
		34.02s client: sends PING on connection 1
		49.02s PUT c fails: http2: client connection lost
		49.02s PUT e fails: http2: client connection lost
		49.02s client: closes connection 1
		50.02s client: dial 2
		50.06s service: GET d arrives
		50.072s GET d succeeds
		1m5.008s service: GET d arrives
		1m5.008s service: GET d is cancelled
		1m5.008s service: PUT c arrives
		1m5.008s service: PUT c is cancelled
		1m5.008s service: PUT e arrives
		1m5.008s service: PUT e is cancelled
		1m6s PUT f begins
		1m6.008s service: PUT f arrives
		1m6.02s PUT f succeeds
	`)
}

// The same for requests that the client has given up.
func TestResumeAfter60sWithTimeout(t *testing.T) {
	w, script := resumes(60*second, 5*second)
	w.run(t, 15*second, script, `
		17s PUT e fails: context deadline exceeded
		17s client: sends RST_STREAM on connection 1
		34.02s client: sends PING on connection 1
		49.02s client: closes connection 1
		1m5.008s service: GET d arrives
		1m5.008s service: GET d is cancelled
		1m5.008s service: PUT c arrives
		1m5.008s service: PUT c is cancelled
		1m5.008s service: PUT e arrives
		1m5.008s service: PUT e is cancelled
		1m6s PUT f begins
		1m6s client: dial 2
		1m6.04s service: PUT f arrives
		1m6.052s PUT f succeeds
	`)
}

// After a stall of the answers alone, the client has those that it still waits for.
func TestResumeOfAnswers(t *testing.T) {
	w := newWorld()
	w.run(t, second, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all(func(l *link) { l.down.hold() }) })
		w.send(2*second, "PUT", "b", 5*second)
		w.send(3*second, "PUT", "c", 0)
		w.at(10*second, func() { w.all((*link).resume) })
	}, `
		2s PUT b begins
		2.008s service: PUT b arrives
		3s PUT c begins
		3.008s service: PUT c arrives
		7s PUT b fails: context deadline exceeded
		7s client: sends RST_STREAM and PING on connection 1
		10.008s PUT c succeeds
	`)
}
