// Package runtime_test builds a program on an old controller-runtime with this module, and runs it in a scenario: requiring
// interregnum must not force newer Kubernetes modules on a program that they break.
package runtime_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"interregnum/electiontest"
	"interregnum/scenarios"
)

const cutOff = `
name: cut-off
about: the leader is cut off for good
horizon: 60s
defaults: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s, jitter: 0.5}
candidates: [{id: a}, {id: b, startAt: 2.8s}]
faults: [{kind: partition, at: 20s, on: [leader]}]
`

// TestManager: two managers; the leader is cut off, and the other takes over. With work that heeds its context that holds,
// with heedless work the kit finds both at work.
func TestManager(t *testing.T) {
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	for name, c := range map[string]struct {
		work   manager.RunnableFunc
		expect map[string]scenarios.Expectation
	}{
		"heeding": {work: func(ctx context.Context) error {
			defer electiontest.Guard(ctx)()
			<-ctx.Done()
			return nil
		}},
		"heedless": {
			work: func(ctx context.Context) error {
				defer electiontest.Guard(ctx)()
				time.Sleep(time.Minute)
				return nil
			},
			expect: map[string]scenarios.Expectation{"single-work": scenarios.ExpectViolated},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.Read(strings.NewReader(cutOff), "cut-off.yaml")
			require.NoError(t, err)
			s.Expect = c.expect
			r := electiontest.Run(t, s, func(ctx context.Context, e *electiontest.Candidate) {
				m, err := ctrl.NewManager(e.RESTConfig(), options(ctx, e))
				if err == nil {
					err = m.Add(c.work)
				}
				if err != nil {
					panic(err)
				}
				_ = m.Start(ctx) // leader election lost
			})
			assert.Len(t, r.Terms, 2)
		})
	}
}

func options(ctx context.Context, c *electiontest.Candidate) ctrl.Options {
	return ctrl.Options{
		Logger:                  logr.Discard(),
		Metrics:                 server.Options{BindAddress: "0"},
		Controller:              config.Controller{SkipNameValidation: ptr.To(true)},
		BaseContext:             func() context.Context { return context.WithoutCancel(ctx) },
		LeaderElection:          true,
		LeaderElectionID:        c.LockKey.Name,
		LeaderElectionNamespace: c.LockKey.Namespace,
		LeaseDuration:           &c.Settings.LeaseDuration,
		RenewDeadline:           &c.Settings.RenewDeadline,
		RetryPeriod:             &c.Settings.RetryPeriod,
	}
}

var requirement = regexp.MustCompile(`(?m)^\s+(k8s\.io/client-go|sigs\.k8s\.io/controller-runtime) v0\.(\d+)\.`)

// TestUnforced: client-go has the version that this controller-runtime was made for, twelve above its own, and no newer one.
func TestUnforced(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	minor := map[string]string{}
	for _, found := range requirement.FindAllStringSubmatch(string(text), -1) {
		minor[found[1]] = found[2]
	}
	want := map[string]string{"21": "33", "22": "34", "23": "35"}[minor["sigs.k8s.io/controller-runtime"]]
	assert.Equal(t, want, minor["k8s.io/client-go"])
	assert.NotEmpty(t, want)
}
