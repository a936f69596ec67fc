package fakekube

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
)

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   Fault
		err     func(error) bool
		applied bool
		takes   time.Duration
	}{
		{"none", Fault{}, isNil, true, 0},
		{"another user", Fault{User: "b", Status: 500}, isNil, true, 0},
		{"another verb", Fault{Verb: "update", Status: 500}, isNil, true, 0},
		{"another resource", Fault{Resource: "configmaps", Status: 500}, isNil, true, 0},
		{"another name", Fault{Name: "other", Status: 500}, isNil, true, 0},
		{"another namespace", Fault{Namespace: "other", Status: 500}, isNil, true, 0},
		{"this one", Fault{User: "a", Verb: "create", Resource: "leases", Namespace: "default", Name: "g",
			Status: 500}, apierrors.IsInternalError, false, 0},
		{"delay", Fault{Request: time.Second, Response: 2 * time.Second}, isNil, true, 3 * time.Second},
		{"late request", Fault{Request: 20 * time.Second}, isLate, true, 10 * time.Second},
		{"lost request", Fault{LoseRequest: true}, isLate, false, 10 * time.Second},
		{"lost response", Fault{LoseResponse: true}, isLate, true, 10 * time.Second},
		{"timeout", Fault{Status: 504}, apierrors.IsTimeout, false, 0},
		{"timeout after it was applied", Fault{Status: 504, Applied: true}, apierrors.IsTimeout, true, 0},
		{"forbidden", Fault{Status: 403}, apierrors.IsForbidden, false, 0},
		{"unauthorized", Fault{Status: 401}, apierrors.IsUnauthorized, false, 0},
		{"exists", Fault{Status: 409}, apierrors.IsAlreadyExists, false, 0},
		{"too many", Fault{Status: 429}, apierrors.IsTooManyRequests, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s Server
				remove := s.Inject(c.fault)
				real := clientset.NewForConfigOrDie(s.ConfigFor("a")).CoordinationV1().Leases("default")
				begin := time.Now()
				ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
				defer cancel()
				_, err := real.Create(ctx, lease("g"), creating)
				assert.True(t, c.err(err), "%v", err)
				assert.Equal(t, c.takes, time.Since(begin))
				time.Sleep(time.Minute) // what was on its way arrives
				remove()
				_, err = real.Get(t.Context(), "g", getting)
				assert.Equal(t, c.applied, err == nil, "%v", err)
			})
		})
	}
}

// TestLostForGood: without a deadline it is the connection that ends. A get is sent again, by client-go itself.
func TestLostForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		s.Inject(Fault{LoseRequest: true, Times: 2})
		leases := clientset.NewForConfigOrDie(s.ConfigFor("a")).CoordinationV1().Leases("default")
		begin := time.Now()
		_, err := leases.Create(ctx, lease("g"), creating)
		assert.ErrorIs(t, err, errConnectionLost)
		assert.Equal(t, connectionLost, time.Since(begin))
		_, err = leases.Get(ctx, "g", getting)
		assert.True(t, apierrors.IsNotFound(err), "%v", err)
	})
}

func isNil(err error) bool  { return err == nil }
func isLate(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// TestStockFaults: the fake clientset knows no contexts.
func TestStockFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		leases := s.ClientsetFor("a").CoordinationV1().Leases("default")
		s.Inject(Fault{User: "a", LoseResponse: true, Request: time.Second, Times: 1})
		begin := time.Now()
		_, err := leases.Create(ctx, lease("g"), creating)
		assert.ErrorIs(t, err, errNoSuccess)
		assert.Equal(t, apierrors.ReasonForError(err), metav1.StatusReasonUnknown)
		assert.Equal(t, time.Second, time.Since(begin))
		_, err = leases.Create(ctx, lease("g"), creating)
		assert.True(t, apierrors.IsAlreadyExists(err), "it was applied, and the fault is over: %v", err)

		// The last one counts.
		s.Inject(Fault{Status: 500})
		remove := s.Inject(Fault{Verb: "update", Status: 409})
		_, err = leases.Update(ctx, lease("g"), updating)
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		remove()
		_, err = leases.Update(ctx, lease("g"), updating)
		assert.True(t, apierrors.IsInternalError(err), "%v", err)
	})
}

// TestConcurrentRequests: a request on its way does not hold up the same client's others.
func TestConcurrentRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		c := s.ClientsetFor("a").CoordinationV1().Leases("default")
		s.Inject(Fault{Verb: "create", Request: 10 * time.Second})
		go func() { _, _ = c.Create(ctx, lease("g"), creating) }()
		time.Sleep(time.Second)
		begin := time.Now()
		_, err := c.Get(ctx, "g", getting)
		assert.True(t, apierrors.IsNotFound(err))
		assert.Zero(t, time.Since(begin))
		time.Sleep(10 * time.Second)
		_, err = c.Get(ctx, "g", getting)
		require.NoError(t, err)
	})
}
