package rest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/plan"
)

// lockClient returns the client that the library makes for the lock of a program which sets nothing in its rest.Config.
func lockClient(t *testing.T, renewDeadline time.Duration) *restclient.RESTClient {
	config := &restclient.Config{Host: "http://127.0.0.1:1"}
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, "ns", "name", resourcelock.ResourceLockConfig{}, config, renewDeadline)
	require.NoError(t, err)
	getter, ok := lock.(*resourcelock.LeaseLock).Client.(interface{ RESTClient() restclient.Interface })
	require.True(t, ok)
	client, ok := getter.RESTClient().(*restclient.RESTClient)
	require.True(t, ok)
	return client
}

// TestHalf: half of a RenewDeadline is the request timeout that the library sets, a second at least.
func TestHalf(t *testing.T) {
	for _, d := range []time.Duration{1, time.Second, 1999 * time.Millisecond, 2 * time.Second, 2*time.Second + 1, 2*time.Second + 2, 10 * time.Second} {
		assert.Equal(t, lockClient(t, d).Client.Timeout, plan.HalfOf(d), d)
	}
}

// TestKindOfClient: the kind client-go has the limits of a rest.Config in which nothing is set.
func TestKindOfClient(t *testing.T) {
	kind, known := plan.ClientKindNamed("client-go")
	require.True(t, known)
	limiter := lockClient(t, time.Minute).GetRateLimiter()
	assert.InEpsilon(t, kind.QPS, limiter.QPS(), 1e-9)
	at := 0
	for limiter.TryAccept() {
		at++
	}
	assert.Equal(t, kind.Burst, at)
	assert.False(t, kind.Halves, "NewFromKubeconfig sets a timeout, and New does not")
}
