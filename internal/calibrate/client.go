package calibrate

import (
	"net/http"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// client sends requests about Leases to a server, and measures how far the server's clock is ahead.
type client struct {
	rest.Interface
	clock *serverClock
}

// newClient returns a client like that of client-go, but without a limit on the rate of requests, since a wait for that limit is
// no part of a round trip. If a server asks the client to repeat a request, it does so, as an elector's client does, and the time
// of both counts as one. Each answer narrows client.clock. It returns an error if the configuration cannot be used.
func newClient(config *rest.Config) (*client, error) {
	scheme := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	c := rest.CopyConfig(config)
	c.APIPath, c.GroupVersion = "/apis", &coordinationv1.SchemeGroupVersion
	c.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	c.QPS, c.Timeout = -1, 0 // each request has a timeout of its own
	if c.UserAgent == "" {
		c.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	clock := &serverClock{}
	c.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(q *http.Request) (*http.Response, error) {
			sent := time.Now()
			answer, err := next.RoundTrip(q)
			if err == nil {
				clock.see(answer.Header.Get("Date"), sent, time.Now())
			}
			return answer, err
		})
	})
	r, err := rest.RESTClientFor(c)
	return &client{r, clock}, err
}

// roundTripper is a function in the form of an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper: it calls f.
func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// ClockOffset says by how much, at least and at most, the server's wall clock is ahead of the local one.
type ClockOffset struct {
	// Least and Most are both below 0 if the server's clock is behind. Least is above Most if the answers contradict each other,
	// because they came from several servers, or a clock was set.
	Least time.Duration `json:"leastNs"`
	Most  time.Duration `json:"mostNs"`
}

// serverClock keeps bounds of how far the server's wall clock is ahead, and narrows them with each answer. An answer carries the
// whole second in which it was made, which was after the request was sent and before the answer came. It can be used by several
// goroutines.
type serverClock struct {
	mu    sync.Mutex
	known *ClockOffset
}

// see narrows s.known with one answer. date is its Date header. sent and came are when the request was sent and when the answer
// came, on the local clock. It does nothing if date is no time.
func (s *serverClock) see(date string, sent, came time.Time) {
	second, err := http.ParseTime(date)
	if err != nil {
		return // a server need not say
	}
	// Wall clocks are compared, so the monotonic readings are taken off.
	now := ClockOffset{second.Sub(came.Round(0)), second.Add(time.Second).Sub(sent.Round(0))}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known != nil {
		now.Least, now.Most = max(now.Least, s.known.Least), min(now.Most, s.known.Most)
	}
	s.known = &now
}

// offset returns the bounds of how far the server's wall clock is ahead; nil if no answer had a date. The caller must not
// change them.
func (s *serverClock) offset() *ClockOffset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}
