package kubernetes_test

import (
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"interregnum/e2e/kubernetes/cluster"
)

var calibratedFor = flag.Duration("forecast.calibrated", 5*time.Minute, "how long TestForecastFromLog watches real elections")

// TestForecastFromLog: what simulate calibrate reads from the audit log of a server whose etcd stalls again and again forecasts the elections that
// the log is of.
func TestForecastFromLog(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes five minutes")
	}
	simulate := buildSimulate(t)
	var etcd *proxy
	c := cluster.StartBehind(t, func(server string) string {
		var err error
		etcd, err = newProxy(server)
		require.NoError(t, err)
		return etcd.listener.Addr().String()
	})
	stalls := 0
	over := make(chan struct{})
	var stalling sync.WaitGroup
	stalling.Go(func() {
		draw := rand.New(rand.NewPCG(*forecastSeed, 7))
		for {
			select {
			case <-over:
				return
			case <-time.After(2*time.Second + time.Duration(draw.ExpFloat64()*15*float64(time.Second))):
				d := time.Second + time.Duration(draw.Float64()*3*float64(time.Second))
				etcd.holdUntil(time.Now().Add(d))
				time.Sleep(d)
				stalls++
			}
		}
	})
	elections, end, paused := elect(t, *calibratedFor, func() way { return &straight{server: c.Config("admin")} })
	close(over)
	stalling.Wait()
	file := filepath.Join(t.TempDir(), "site.yaml")
	out, err := exec.Command(simulate, "calibrate", c.AuditLog(), "--behaviour", "--environment", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	t.Logf("%d stalls; calibrated:\n%s", stalls, text)
	for _, e := range elections {
		t.Run(e.kind, func(t *testing.T) {
			seen := e.judge(t, forecastOf(t, simulate, e.kind, file), end, paused)
			assert.Positive(t, seen.losses)
		})
	}
}

// straight is the way to the server without anything between.
type straight struct {
	server *rest.Config
	mu     sync.Mutex
	all    []time.Time
}

func (s *straight) config(timeout time.Duration) *rest.Config {
	c := rest.CopyConfig(s.server)
	c.Timeout = timeout
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counted{next, s} })
	return c
}

func (s *straight) asked() []time.Time { return s.all }

func (s *straight) late() time.Duration { return 0 }

// counted notes when requests are sent.
type counted struct {
	next http.RoundTripper
	by   *straight
}

func (c *counted) RoundTrip(q *http.Request) (*http.Response, error) {
	c.by.mu.Lock()
	c.by.all = append(c.by.all, time.Now())
	c.by.mu.Unlock()
	return c.next.RoundTrip(q)
}

// WrappedRoundTripper is asked for by client-go.
func (c *counted) WrappedRoundTripper() http.RoundTripper { return c.next }
