package electiontest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest"
)

// controller is a plain client-go controller.
func controller(ctx context.Context, c *electiontest.Candidate) {
	le, err := leaderelection.NewLeaderElector(c.Config(leaderelection.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) { <-ctx.Done() },
		OnStoppedLeading: func() {},
	}))
	if err != nil {
		panic(err)
	}
	c.Observe(le)
	le.Run(ctx)
}

func TestLateAck(t *testing.T) {
	r := electiontest.RunFile(t, "h01-late-ack", controller)
	require.Len(t, r.Terms, 2)
}
