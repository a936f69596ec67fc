package cluster_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"interregnum/e2e/kubernetes/cluster"
)

func TestCluster(t *testing.T) {
	c := cluster.Start(t)
	ctx := t.Context()
	leases := kubernetes.NewForConfigOrDie(c.Config("admin")).CoordinationV1().Leases("default")
	holder := "a"
	l, err := leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "lock"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	l.Spec.HolderIdentity = &holder
	updated, err := leases.Update(ctx, l, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = leases.Update(ctx, l, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)

	from := time.Now()
	c.Restart(t, time.Second)
	t.Log("restarted in", time.Since(from))
	after, err := leases.Get(ctx, "lock", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, updated, after)

	for user, is := range map[string]func(error) bool{
		"nobody": apierrors.IsForbidden, "": apierrors.IsForbidden, "stranger": apierrors.IsUnauthorized,
	} {
		config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig(t, user, ""))
		require.NoError(t, err)
		_, err = kubernetes.NewForConfigOrDie(config).CoordinationV1().Leases("default").
			Get(ctx, "lock", metav1.GetOptions{})
		assert.True(t, is(err), "%s: %v", user, err)
	}

	c.Pause(t)
	short := c.Config("admin")
	short.Timeout = 300 * time.Millisecond
	_, err = kubernetes.NewForConfigOrDie(short).CoordinationV1().Leases("default").
		Get(ctx, "lock", metav1.GetOptions{})
	require.Error(t, err)
	c.Resume(t)
	_, err = leases.Get(ctx, "lock", metav1.GetOptions{})
	require.NoError(t, err)
	assert.FileExists(t, c.AuditLog())
}
