package cluster

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const controllersLog = "controllers.log"

// StartControllers starts a real kube-controller-manager with its default controllers, which lives as long as the cluster. Call
// it once for a cluster. The context that it returns ends when the program ends, or the test.
func (c *Cluster) StartControllers(t testing.TB) context.Context {
	t.Helper()
	program, err := kubernetesProgram("kube-controller-manager")
	require.NoError(t, err)
	c.controllers, err = start(c.file(controllersLog), program, c.controllerFlags(c.Kubeconfig(t, "admin", ""))...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-c.controllers.done
		cancel(fmt.Errorf("kube-controller-manager has ended: %w", c.controllers.err))
	}()
	return ctx
}

// controllerFlags returns the flags for kube-controller-manager. With them it opens no port, and a node can go without
// heartbeats, which a busy machine can delay, for 24 hours.
func (c *Cluster) controllerFlags(kubeconfig string) []string {
	return []string{
		"--kubeconfig=" + kubeconfig, "--leader-elect=false", "--secure-port=0", "--node-monitor-grace-period=24h",
	}
}
