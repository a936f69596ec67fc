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

// client makes requests about Leases, and looks at the clock of the server that answers.
type client struct {
	rest.Interface
	clock *serverClock
}

// newClient returns a client as client-go makes it, but without a limit on the rate of requests: waiting for that limit
// is no part of a round trip. Requests that the server asks to repeat are repeated, as in an elector, and their time
// counts as one.
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

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// ClockOffset bounds by how much the wall clock of the answering server is ahead of the local one.
type ClockOffset struct {
	// Least is above Most if the answers contradict each other: they came from several servers, or a clock was set.
	Least time.Duration `json:"leastNs"`
	Most  time.Duration `json:"mostNs"`
}

// serverClock narrows the offset down. Each answer tells the server's time in whole seconds, and was made after the
// request was sent and before the answer came.
type serverClock struct {
	mu    sync.Mutex
	known *ClockOffset
}

// see narrows down by how much the server's clock is ahead, with the Date of an answer and the times of request and answer.
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

// offset returns the bounds of how far the server's clock is ahead, nil if no answer had a date.
func (s *serverClock) offset() *ClockOffset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}
