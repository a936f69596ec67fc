package kubernetes_test

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"interregnum/scenarios"
)

// outage is a restart of the server as clients see it. Until it listens connections are refused. From then on they are taken,
// and what is sent waits until it serves.
type outage struct{ killed, listens, serves time.Time }

// restart restarts the server once, whoever asks for it.
func (b *bench) restart(t *testing.T, down time.Duration) func() outage {
	return sync.OnceValue(func() (o outage) {
		o.killed = time.Now()
		listens := make(chan time.Time, 1)
		go func() { listens <- b.listensAgain(o.killed.Add(time.Minute)) }()
		b.server.Restart(t, down)
		o.listens, o.serves = <-listens, b.meter.answeredAfter(o.killed.Add(down))
		t.Logf("connections were refused for %v and waited for %v", o.listens.Sub(o.killed), o.serves.Sub(o.listens))
		return o
	})
}

// listensAgain is when connections are taken again after they have been refused.
func (b *bench) listensAgain(deadline time.Time) time.Time {
	refused := false
	for time.Now().Before(deadline) {
		way, err := net.Dial("tcp", strings.TrimPrefix(b.server.URL(), "https://"))
		switch {
		case err != nil:
			refused = true
		case refused:
			_ = way.Close()
			return time.Now()
		default:
			_ = way.Close()
		}
		time.Sleep(5 * time.Millisecond)
	}
	return deadline
}

// step is how finely a request that waits until the server serves is told in faults, each of which has one delay.
const step = 25 * time.Millisecond

// faults are what a simulation needs to know of an outage.
func (o outage) faults(epoch time.Time) (all []scenarios.Fault) {
	at := func(instant time.Time) time.Duration { return instant.Round(0).Sub(epoch) }
	listens, serves := at(o.listens), at(o.serves)
	all = append(all, scenarios.Fault{Kind: "error", At: at(o.killed), Until: &listens, Status: 503})
	for from := listens; from < serves; from += step {
		until := min(from+step, serves)
		all = append(all, scenarios.Fault{
			Kind: "delay", At: from, Until: &until, Request: &scenarios.Delay{Min: serves - from, Max: serves - from},
		})
	}
	return all
}
