package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// errLost is what a request gets whose connection is given up; its words are those of net/http.
var errLost = errors.New("http2: client connection lost")

// errUnreached is what discovery gets where messages are lost, in words of net/http. After errLost client-go would sleep for a second and ask
// again, while its caller holds a mutex, so that virtual time stood still.
var errUnreached = errors.New("net/http: TLS handshake timeout")

// silence makes a request of a process that is gone wait without an answer. It returns the context's error when the request's
// context ends, or the answer of ended, status 403, when the run is over. If the process was ended since it made no progress
// (node.spun), silence waits for the context alone.
func (p *process) silence(q *http.Request) (*http.Response, error) {
	w := p.node.world
	w.mu.Lock()
	spun := p.node.spun
	w.mu.Unlock()
	if spun {
		<-q.Context().Done()
		return nil, q.Context().Err()
	}
	select {
	case <-q.Context().Done():
		return nil, q.Context().Err()
	case <-w.over:
		return ended(q), nil
	}
}

// ended returns the answer to all requests after the horizon. It says that a namespace is going away, since recorders of
// events accept that without a word, and log any other error on standard error.
func ended(q *http.Request) *http.Response {
	text, _ := json.Marshal(metav1.Status{ // it always can be
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Message: "the scenario is over", Reason: metav1.StatusReasonForbidden,
		Code:    http.StatusForbidden,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}},
	})
	return &http.Response{
		StatusCode: http.StatusForbidden, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(text)), Request: q,
	}
}
