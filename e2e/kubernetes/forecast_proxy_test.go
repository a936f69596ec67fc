package kubernetes_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"interregnum/internal/behaviour"
)

// site is a way to the server on which requests fare as a behaviour says, drawn from a seed. What becomes of a request is decided when it
// comes, as in a forecast.
type site struct {
	server   *httptest.Server
	next     http.RoundTripper
	to       string
	b        *behaviour.Behaviour
	began    time.Time
	episodes []happening

	mu   sync.Mutex
	rand *rand.Rand
	came []time.Time
	// delayed is by how much answers were late in all, beyond what was drawn.
	delayed time.Duration
	after   int
}

// happening is an episode and when it is.
type happening struct {
	*behaviour.Episode
	from, until time.Duration
}

// newSite opens a way for so long.
func newSite(t *testing.T, to *rest.Config, b *behaviour.Behaviour, seed uint64, lasts time.Duration) *site {
	next, err := rest.TransportFor(to)
	require.NoError(t, err)
	s := &site{next: next, to: to.Host, b: b, rand: rand.New(rand.NewPCG(seed, 1)), began: time.Now()}
	for i := range b.Episodes {
		e := &b.Episodes[i]
		draw := rand.New(rand.NewPCG(seed, 2+uint64(i)))
		for at := time.Duration(0); ; {
			at += time.Duration(draw.ExpFloat64() * float64(e.Every))
			if at > lasts {
				break
			}
			s.episodes = append(s.episodes, happening{e, at, at + e.Lasts.At(draw.Float64())})
		}
	}
	s.server = httptest.NewUnstartedServer(s)
	s.server.EnableHTTP2 = true
	s.server.StartTLS()
	t.Cleanup(s.server.CloseClientConnections) // Close waits for those that are never answered
	return s
}

// config is what a client comes by.
func (s *site) config(timeout time.Duration) *rest.Config {
	c := &rest.Config{Host: s.server.URL, QPS: -1, Timeout: timeout}
	c.CAData = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})
	return c
}

func (s *site) asked() []time.Time { return s.came }

func (s *site) late() time.Duration { return s.delayed / time.Duration(max(1, s.after)) }

// fate draws what becomes of a request that comes now.
func (s *site) fate() (takes time.Duration, failed, stalled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.came = append(s.came, now)
	from, at := &s.b.RoundTrip, now.Sub(s.began)
	for i := range s.episodes {
		h := &s.episodes[i]
		if at < h.from || at >= h.until {
			continue
		}
		switch h.Kind {
		case behaviour.Outage:
			failed = true
		case behaviour.Stall:
			stalled = true
		case behaviour.Brownout:
			from = h.RoundTrip
		}
	}
	return from.At(s.rand.Float64()), failed, stalled
}

func (s *site) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	came := time.Now()
	takes, failed, stalled := s.fate()
	switch {
	case stalled:
		<-q.Context().Done()
		return
	case failed:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"ServiceUnavailable","code":503}`)
		return
	}
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return
	}
	time.Sleep(takes/2 - time.Since(came))
	a, text := s.pass(q, body)
	if a == nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	time.Sleep(takes - time.Since(came))
	w.Header().Set("Content-Type", a.Header.Get("Content-Type"))
	w.WriteHeader(a.StatusCode)
	_, _ = w.Write(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delayed += time.Since(came) - takes
	s.after++
}

// pass passes a request on, whether or not its client still waits.
func (s *site) pass(q *http.Request, body []byte) (*http.Response, []byte) {
	on, err := http.NewRequestWithContext(context.WithoutCancel(q.Context()), q.Method, s.to+q.URL.RequestURI(), nil)
	if err != nil {
		return nil, nil
	}
	on.Header = q.Header.Clone()
	on.Header.Del("Accept-Encoding")
	on.Body, on.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a, err := s.next.RoundTrip(on)
	if err != nil {
		return nil, nil
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, nil
	}
	return a, text
}
