package parity

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// answering is a transport that answers each request in the same way, and counts them.
type answering struct {
	answer func() (*http.Response, error)
	count  int
}

func (a *answering) RoundTrip(*http.Request) (*http.Response, error) {
	a.count++
	return a.answer()
}

// TestRetries: this version waits a Retry-After out, although the context of the call ends meanwhile, and does not send a read again whose
// connection was closed. Both are facts on which bounds rest (docs/method/derivation.md, "Versions between").
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asks := func() (*http.Response, error) {
			return &http.Response{
				StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"5"}}, Body: io.NopCloser(strings.NewReader("")),
			}, nil
		}
		lost := func() (*http.Response, error) { return nil, errors.New("http2: client connection lost") }
		for _, c := range []struct {
			answer func() (*http.Response, error)
			lasts  time.Duration
		}{{asks, 5 * time.Second}, {lost, 0}} {
			transport := &answering{answer: c.answer}
			client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://lock", Transport: transport})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			begun := time.Now()
			_, err = client.CoordinationV1().Leases("x").Get(ctx, "lock", metav1.GetOptions{})
			assert.Error(t, err)
			assert.Equal(t, c.lasts, time.Since(begun))
			assert.Equal(t, 1, transport.count)
			cancel()
		}
	})
}
