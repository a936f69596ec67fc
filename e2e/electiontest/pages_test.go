package electiontest_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"interregnum/electiontest"
)

// The programs of docs/electiontest.md. TestPages compares: what is there is here.

var ourOptions = ctrl.Options{LeaderElection: true, LeaderElectionID: "80807133.example.com"}

// run is all of main that a test can call.
func run(ctx context.Context, config *rest.Config, o ctrl.Options) error {
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	if err := m.Add(manager.RunnableFunc(work)); err != nil {
		return err
	}
	return m.Start(ctx)
}

// work needs a while to stop, which is no harm where main exits at once.
func work(ctx context.Context) error {
	defer electiontest.Guard(ctx)()
	<-ctx.Done()
	time.Sleep(40 * time.Second)
	return nil
}

func TestExitOfMain(t *testing.T) {
	electiontest.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		if err := run(ctx, config, o); err != nil {
			c.Exit() // main's os.Exit(1)
		}
	})
}

// program is one that ends itself somewhere deep inside.
type deep struct {
	exit func(code int) // os.Exit
}

func (d *deep) run(ctx context.Context, config *rest.Config, o ctrl.Options) {
	if err := run(ctx, config, o); err != nil {
		d.exit(1)
		panic("it goes on after os.Exit")
	}
}

func TestExitInside(t *testing.T) {
	electiontest.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		d := deep{exit: func(int) {
			c.Exit()
			runtime.Goexit() // os.Exit does not return
		}}
		d.run(ctx, config, o)
	})
}

// TestExitOfKlog: klog.Fatal and klog.Exit need nothing.
func TestExitOfKlog(t *testing.T) {
	electiontest.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o)
		if err := run(ctx, config, o); err != nil {
			klog.FlushAndExit(time.Second, 1)
		}
	})
}

// listening is run with an HTTP server of the program's own; without a listener there is none.
func listening(ctx context.Context, config *rest.Config, o ctrl.Options, l net.Listener) error {
	if l != nil {
		server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}
		go func() { _ = server.Serve(l) }()
		defer server.Close()
	}
	m, err := ctrl.NewManager(config, o)
	if err != nil {
		return err
	}
	m.GetWebhookServer().Register("/validate", http.NotFoundHandler())
	if err := ctrl.NewWebhookManagedBy(m, &corev1.Pod{}).WithDefaulter(defaulter{}).Complete(); err != nil {
		return err
	}
	if err := m.AddReadyzCheck("webhook", m.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	if err := m.Add(manager.RunnableFunc(heeding)); err != nil {
		return err
	}
	return m.Start(ctx)
}

// defaulter is a webhook, as kubebuilder has one.
type defaulter struct{}

func (defaulter) Default(context.Context, *corev1.Pod) error { return nil }

// noWebhooks listens to nobody.
type noWebhooks struct{}

func (noWebhooks) NeedLeaderElection() bool        { return false }
func (noWebhooks) Register(string, http.Handler)   {}
func (noWebhooks) Start(ctx context.Context) error { <-ctx.Done(); return nil }
func (noWebhooks) StartedChecker() healthz.Checker { return healthz.Ping }
func (noWebhooks) WebhookMux() *http.ServeMux      { return http.NewServeMux() }

func TestListening(t *testing.T) {
	electiontest.RunFile(t, "testdata/cut-off.yaml", func(ctx context.Context, c *electiontest.Candidate) {
		o := ourOptions
		config := c.Manager(ctx, &o) // metrics, probes and pprof are off
		o.WebhookServer = noWebhooks{}
		_ = listening(ctx, config, o, nil)
	})
}

// TestPages: the code of docs/electiontest.md is that of tests, which compile and run.
func TestPages(t *testing.T) {
	page, err := os.ReadFile("../../docs/electiontest.md")
	require.NoError(t, err)
	_, page2, found := strings.Cut(string(page), "\n## My main calls os.Exit\n")
	require.True(t, found)
	part, _, found := strings.Cut(page2, "\n## What can be trusted\n")
	require.True(t, found)
	here := ""
	for _, file := range []string{"pages_test.go", "own_test.go", "../runtime021/operator_test.go"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		here += flat(string(text))
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(part, -1)
	assert.GreaterOrEqual(t, len(blocks), 4)
	for _, b := range blocks {
		assert.Contains(t, here, flat(b[1]))
	}
}

// flat is a text without indentation.
func flat(text string) string { return regexp.MustCompile(`(?m)^[\t ]+`).ReplaceAllString(text, "") }
