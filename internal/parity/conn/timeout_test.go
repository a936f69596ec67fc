package conn

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/rest"
)

var timeouts = regexp.MustCompile(`fails: .*(context deadline exceeded|Client\.Timeout).*`)

// timedOut makes the errors of one instant the same: rest.Config.Timeout sets two timers, and either may be the first.
func timedOut(transcript string) string {
	return timeouts.ReplaceAllString(transcript, "fails: timeout")
}

// rest.Config.Timeout fails a request at the instant at which a context of that timeout would. The shorter of both counts.
func TestConfigTimeout(t *testing.T) {
	w := newWorld()
	w.config = func(c *rest.Config) { c.Timeout = 5 * second }
	w.play(t, func() {
		w.send(0, "GET", "a", 0)
		w.at(second, func() { w.all((*link).stall) })
		w.send(2*second, "PUT", "b", 0)
		w.send(2*second, "GET", "c", 10*second)
		w.send(3*second, "PUT", "d", 2*second)
	})
	assert.Equal(t, trimmed(`
		2s GET c begins
		2s PUT b begins
		3s PUT d begins
		5s PUT d fails: timeout
		5s client: sends RST_STREAM and PING on connection 1
		7s GET c fails: timeout
		7s PUT b fails: timeout
		7s client: sends RST_STREAM on connection 1
		7s client: sends RST_STREAM on connection 1
	`), timedOut(w.transcript(second)))
}

// All repetitions of a GET have the time of one rest.Config.Timeout together.
func TestConfigTimeoutOfRepetitions(t *testing.T) {
	w := newWorld()
	w.config = func(c *rest.Config) { c.Timeout = 5 * second }
	w.think = second
	w.play(t, func() {
		w.send(0, "GET", "a", 0)
		w.send(4*second, "GET", "b", 0)
		w.at(4500*ms, func() {
			w.dialling(stalled)
			w.all((*link).reset)
		})
	})
	assert.Equal(t, trimmed(`
		4s GET b begins
		4.008s service: GET b arrives
		4.5s client: closes connection 1
		4.5s service: GET b is cancelled
		5.5s client: dial 2
		9s GET b fails: timeout
	`), timedOut(w.transcript(4*second)))
}

// A request waits for the client's rate limiter before the time of rest.Config.Timeout begins. A context's time goes on.
func TestConfigTimeoutAndLimiter(t *testing.T) {
	w := newWorld()
	w.config = func(c *rest.Config) { c.Timeout, c.QPS, c.Burst = 5*second, 1, 1 }
	w.play(t, func() {
		w.dialling(silent)
		w.send(0, "PUT", "a", 0)
		w.send(ms, "PUT", "b", 0)
		w.send(2*ms, "PUT", "c", 5*second)
	})
	assert.Equal(t, trimmed(`
		0s PUT a begins
		0s client: dial 1
		1ms PUT b begins
		2ms PUT c begins
		1s client: dial 2
		2s client: dial 3
		5s PUT a fails: timeout
		5.002s PUT c fails: timeout
		6s PUT b fails: timeout
	`), timedOut(w.transcript(0)))
}
