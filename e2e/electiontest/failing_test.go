package electiontest_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"interregnum/electiontest"
)

// failing are tests that are meant to fail: TestFailures runs each in a process of its own.
func failing(t *testing.T) {
	if os.Getenv("ELECTIONTEST_FAILING") == "" {
		t.Skip("run by TestFailures")
	}
}

// TestFailingNames: the second manager's controller has the name of the first one's, which controller-runtime refuses.
func TestFailingNames(t *testing.T) {
	failing(t)
	electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		var o ctrl.Options
		byHand(&o, c, ctx)
		o.Controller.SkipNameValidation = nil
		m, err := ctrl.NewManager(c.RESTConfig(), o)
		if err == nil {
			err = ctrl.NewControllerManagedBy(m).For(&corev1.ConfigMap{}).Complete(reconcile.Func(
				func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil }))
		}
		if err == nil {
			err = m.Add(manager.RunnableFunc(heeding))
		}
		if err == nil {
			err = m.Start(ctx)
		}
		_ = err // the mistake: nobody is told
	})
}

// TestFailingWebhooks: a webhook server without certificates ends its manager at once.
func TestFailingWebhooks(t *testing.T) {
	failing(t)
	electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		_ = listening(ctx, config, o, nil)
	})
}

// TestFailingBaseContext: without one the runnables' contexts are nobody's.
func TestFailingBaseContext(t *testing.T) {
	failing(t)
	electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		o.BaseContext = nil
		_ = run(ctx, config, o)
	})
}

// TestFailingStandby: options that elect nobody.
func TestFailingStandby(t *testing.T) {
	failing(t)
	electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		o := ctrl.Options{}
		config := c.Manager(ctx, &o)
		_ = run(ctx, config, o)
	})
}

// TestFailingEnded: a manager is started with a context that has ended.
func TestFailingEnded(t *testing.T) {
	failing(t)
	electiontest.Run(t, scenario(t, nil), func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		m, err := ctrl.NewManager(config, o)
		if err == nil {
			err = m.GetFieldIndexer().IndexField(ctx, &corev1.ConfigMap{}, "name", func(o client.Object) []string { return []string{o.GetName()} })
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if err == nil {
			err = m.Start(ended)
		}
		assert.NoError(t, err)
	})
}

// TestFailures: what shows nothing of a manager or of an informer fails, and says why.
func TestFailures(t *testing.T) {
	for test, want := range map[string]string{
		"TestFailingNames":       `candidate b returned at 700ms by itself: .*such as that of NewManager or Start`,
		"TestFailingWebhooks":    `candidate a returned at 0s by itself`,
		"TestFailingBaseContext": `Guard at \S+pages_test\.go:\d+ was called, .* that does not derive .*Candidate\.Manager`,
		"TestFailingAides":       `left goroutines of client-go, such as an informer's\. One of them sent POST /api/v1/namespaces/default/configmaps`,
		"TestFailingEnded":       `the run was given up .*: the context of a manager of controller-runtime ended before its caches were there`,
		"TestFailingStandby":     `Candidate\.Manager of candidate a: LeaderElection is false`,
	} {
		t.Run(test, func(t *testing.T) {
			self, err := os.Executable()
			require.NoError(t, err)
			c := exec.CommandContext(t.Context(), self, "-test.run=^"+test+"$")
			c.Env = append(os.Environ(), "ELECTIONTEST_FAILING=1", "TMPDIR="+t.TempDir())
			out, err := c.CombinedOutput()
			assert.Error(t, err)
			assert.Regexp(t, want, string(out))
		})
	}
}
