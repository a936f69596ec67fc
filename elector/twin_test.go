package elector_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
	"interregnum/elector/kubelock"
)

// TestOneIdentityAndADelete: somebody deletes the ConfigMap within the second in which it was locked, and a process of the same
// identity locks it anew. The records look the same, for an annotation has whole seconds; the objects do not. The first
// leader ends with its next renewal.
func TestOneIdentityAndADelete(t *testing.T) {
	for _, kind := range []string{kubelock.ConfigMapsResourceLock, kubelock.EndpointsResourceLock, kubelock.LeasesResourceLock} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			client := c.server.Clientset()
			ctx, cancel := context.WithCancel(c.ctx)
			run := func() *elector.LeaderElector {
				config := c.config("a")
				lock, err := kubelock.New(kind, "default", "lock", client.CoreV1(), client.CoordinationV1(),
					rl.ResourceLockConfig{Identity: "a"})
				require.NoError(t, err)
				config.Lock = lock
				config.Callbacks.OnStartedLeading = func(ctx context.Context) { <-ctx.Done() }
				config.Callbacks.OnStoppedLeading = func() {}
				le, err := elector.NewLeaderElector(config)
				require.NoError(t, err)
				go le.Run(ctx)
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
				require.True(t, le.IsLeader(), kind)
				return le
			}
			first := run()
			switch kind {
			case kubelock.ConfigMapsResourceLock:
				require.NoError(t, client.CoreV1().ConfigMaps("default").Delete(c.ctx, "lock", metav1.DeleteOptions{}))
			case kubelock.EndpointsResourceLock:
				require.NoError(t, client.CoreV1().Endpoints("default").Delete(c.ctx, "lock", metav1.DeleteOptions{}))
			default:
				require.NoError(t, c.leases().Delete(c.ctx, "lock", metav1.DeleteOptions{}))
			}
			second := run()
			time.Sleep(5 * time.Second)
			synctest.Wait()
			assert.False(t, first.IsLeader(), kind)
			assert.True(t, second.IsLeader(), kind)
			cancel()
			time.Sleep(time.Second)
		})
	}
}
