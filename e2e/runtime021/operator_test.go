package runtime_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"interregnum/electiontest"
	"interregnum/scenarios"
)

// run is main: two controllers that own what they make, and work beside them.
func run(ctx context.Context, config *rest.Config, o ctrl.Options) error {
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	nothing := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil })
	if err := ctrl.NewControllerManagedBy(m).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(nothing); err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).Owns(&corev1.Pod{}).Complete(nothing); err != nil {
		return err
	}
	if err := m.Add(manager.RunnableFunc(heeding)); err != nil {
		return err
	}
	return m.Start(ctx)
}

func heeding(ctx context.Context) error {
	defer electiontest.Guard(ctx)()
	<-ctx.Done()
	return nil
}

// TestOperator: Candidate.Manager knows the options of this version, and its controllers run.
func TestOperator(t *testing.T) {
	log.SetLogger(logr.Discard())
	s, err := scenarios.Read(strings.NewReader(cutOff), "cut-off.yaml")
	require.NoError(t, err)
	electiontest.Run(t, s, func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{LeaderElection: true}
		config := c.Manager(ctx, &o)
		if err := run(ctx, config, o); err != nil {
			c.Exit()
		}
	})
}
