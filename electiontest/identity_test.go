package electiontest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/plan"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// hosted is the unmodified library where each candidate names itself by its host, in either encoding.
func hosted(contentType string, own func(host string) string) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		host, err := os.Hostname()
		if err != nil {
			panic(err)
		}
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		lock, direct := config.Lock.(*resourcelock.LeaseLock)
		if direct {
			rest := c.RESTConfig()
			rest.ContentType = contentType
			lock.Client = kubernetes.NewForConfigOrDie(rest).CoordinationV1()
			lock.LockConfig.Identity = own(host)
			leaderelection.RunOrDie(ctx, config)
			return
		}
		config.Lock = &named{config.Lock, own(host)}
		leaderelection.RunOrDie(ctx, config)
	}
}

// named is a lock under another name.
type named struct {
	resourcelock.Interface
	identity string
}

func (n *named) Identity() string { return n.identity }

// TestHostname: candidates that call themselves by the host are told apart, as pods are, and each knows its own lease again.
func TestHostname(t *testing.T) {
	same := func(host string) string { return host }
	for _, c := range []struct {
		name, contentType string
		lock              plan.Lock
		own               func(string) string
	}{
		{"json", runtime.ContentTypeJSON, plan.Lease, same},
		{"protobuf", runtime.ContentTypeProtobuf, plan.Lease, same},
		{"part", runtime.ContentTypeJSON, plan.Lease, func(host string) string { return host + "_operator" }},
		{"configmap", runtime.ContentTypeJSON, plan.ConfigMap, same},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Scenario(2, time.Minute, scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}},
				scenarios.Fault{Kind: "edit", At: 50 * time.Second, Edit: scenarios.Edit{Holder: new("c1")}})
			if c.lock != plan.Lease {
				s.Faults = s.Faults[:1]
			}
			for i := range s.Candidates {
				s.Candidates[i].Lock = c.lock
			}
			want, got := Options{}.play(t, s, working(waiting)), Options{}.play(t, s, hosted(c.contentType, c.own))
			assert.Empty(t, got.Blind)
			assert.Equal(t, want.Result.Terms, got.Result.Terms)
			assert.Len(t, got.Result.Terms, 2)
		})
	}
}

// TestHostnameRestart: a process with its old identity finds its lease again, one with a new identity does not.
func TestHostnameRestart(t *testing.T) {
	for _, identity := range []plan.Identity{"", plan.NewIdentity} {
		s := Scenario(1, time.Minute, scenarios.Fault{Kind: "restart", At: 20 * time.Second, Identity: identity})
		own := func(host string) string { return host }
		want, got := Options{}.play(t, s, working(waiting)), Options{}.play(t, s, hosted(runtime.ContentTypeJSON, own))
		require.Len(t, want.Result.Terms, 2)
		assert.Equal(t, want.Result.Terms, got.Result.Terms)
	}
}

// TestKlogFatal: klog.Fatal ends the candidate and no other, with its work.
func TestKlogFatal(t *testing.T) {
	s := Scenario(2, time.Minute, scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}})
	out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { time.Sleep(40 * time.Second) },
			OnStoppedLeading: func() {
				if ctx.Err() == nil {
					klog.FlushAndExit(time.Second, 1)
				}
			},
		}))
	})
	assert.Empty(t, out.Blind)
	assert.True(t, out.Result.AsExpected)
	assert.Len(t, out.Result.Terms, 2)
}

func TestFailingForeignGuard(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), working(func(ctx context.Context) {
		defer Guard(context.Background())()
		<-ctx.Done()
	}))
}

// TestTidiesUp: what a program does after the horizon, without a context, because every request fails, is no work.
func TestTidiesUp(t *testing.T) {
	Run(t, Scenario(2, time.Minute), working(func(ctx context.Context) {
		<-ctx.Done()
		defer Guard(context.Background())()
	}))
}

func TestFailingRefused(t *testing.T) {
	failing(t)
	var server fakekube.Server
	Options{Server: &server}.Run(t, Scenario(2, time.Minute), func(ctx context.Context, c *Candidate) {
		err := c.Clientset().CoreV1().RESTClient().Get().AbsPath("/apis/example.com/v1/namespaces/default/sites/one").Do(ctx).Error()
		if err == nil {
			working(waiting)(ctx, c)
		}
		_, err = c.Clientset().CoreV1().Pods("default").Get(ctx, "none", metav1.GetOptions{})
		assert.Error(t, err)
	})
}

// TestFailingForAll: the code elects nobody, and its function does not return.
func TestFailingForAll(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), func(ctx context.Context, _ *Candidate) {
		defer Guard(ctx)()
		select {}
	})
}

// TestNamed: what is wrong is named.
func TestNamed(t *testing.T) {
	fails(t, map[string]string{
		"TestFailingForeignGuard": `Guard at \S+identity_test\.go:\d+ was called, at 4ms, with a context that does not derive.*Candidate\.Manager, or with BaseContext`,
		"TestFailingForAll":       `nobody asked for the lock default/lock`,
		"TestFailingRefused": `candidate c1 returned at 4ms by itself.*; the server in memory does not serve what the code asked for: ` +
			`GET /apis/example.com/v1/namespaces/default/sites/one \(404\); to show`,
	})
}
