package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"interregnum/internal/electorproc"
	"interregnum/simlock/fakekube"
)

// pod is an elector inside of this process, on a fake Kubernetes.
type pod struct {
	*testing.T
	out, err electorproc.Buffer
	address  string
	delete   context.CancelFunc
	code     chan int
}

func start(t *testing.T, server *fakekube.Server, id string, args ...string) *pod {
	return startOn(t, func() *rest.Config { return server.ConfigFor(id) }, id, args...)
}

// startOn is start on any API server.
func startOn(t *testing.T, config func() *rest.Config, id string, args ...string) *pod {
	p := &pod{T: t, code: make(chan int, 1)}
	addresses := make(chan string, 1)
	of := program{
		stdout: &p.out, stderr: &p.err, env: environmentOf{"POD_NAME": id, "POD_NAMESPACE": "jobs"}.get,
		kube: func(*options, func(string) string) (*rest.Config, string, error) {
			return config(), "", nil
		},
		listening: func(address string) { addresses <- address },
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.delete = cancel
	args = append([]string{
		"--name=reports", "--lease-duration=4s", "--renew-deadline=2400ms", "--retry-period=200ms",
	}, args...)
	args = append([]string{"--listen=127.0.0.1:0"}, args...)
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.code <- of.run(ctx, args)
	}()
	t.Cleanup(func() {
		cancel()
		<-over
		if t.Failed() {
			t.Log(id + ":\n" + electorproc.Tail(p.err.String()))
		}
	})
	select {
	case p.address = <-addresses:
	case <-over:
		require.Fail(t, "it has ended", p.err.String())
	}
	return p
}

type environmentOf map[string]string

func (e environmentOf) get(name string) string { return e[name] }

// get asks the HTTP server.
func (p *pod) get(path string) (code int, body string) {
	p.Helper()
	answer, err := http.Get("http://" + p.address + path)
	require.NoError(p, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p, err)
	return answer.StatusCode, string(text)
}

func (p *pod) leads() bool {
	_, text := p.get("/leader")
	var answer struct{ Leading bool }
	require.NoError(p, json.Unmarshal([]byte(text), &answer))
	return answer.Leading
}

// TestKubernetes: one leads and the other does when it has gone, at once.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	for _, kind := range lockKinds {
		for _, profile := range []string{"strict", "client-go"} {
			t.Run(kind+"/"+profile, func(t *testing.T) {
				t.Parallel()
				var server fakekube.Server
				flags := []string{"--lock-kind", kind, "--profile", profile}
				a := start(t, &server, "a", flags...)
				electorproc.Eventually(t, "a leads", a.leads)
				b := start(t, &server, "b", flags...)
				electorproc.Eventually(t, "b sees a", func() bool {
					_, text := b.get("/leader")
					return strings.Contains(text, `"a"`)
				})
				require.False(t, b.leads())
				for _, p := range []*pod{a, b} {
					for _, path := range []string{"/healthz", "/readyz"} {
						code, text := p.get(path)
						require.Equal(t, http.StatusOK, code, text)
					}
				}
				figures := regexp.MustCompile(`(?s)_leader{name="reports"} 1.*` +
					`_lease_remaining_seconds{name="reports"} [1-3]\..*` +
					`_lock_request_seconds_count{name="reports",result="ok",verb="create"} 1.*` +
					`_transitions_total{name="reports"} 1`)
				electorproc.Eventually(t, "a leads, by its metrics", func() bool {
					_, text := a.get("/metrics")
					return figures.MatchString(text)
				})
				_, text := b.get("/metrics")
				require.Contains(t, text, `interregnum_elector_leader{name="reports"} 0`)
				require.Contains(t, text, `interregnum_elector_lease_remaining_seconds{name="reports"} 0`)
				a.delete()
				require.Equal(t, exitDone, <-a.code)
				require.Contains(t, a.err.String(), `"No longer leading"`)
				since := time.Now()
				electorproc.Eventually(t, "b leads", b.leads)
				require.Less(t, time.Since(since), 3*time.Second, "the lease was given up")
				b.delete()
				require.Equal(t, exitDone, <-b.code)
				all := messages(t, &server)
				for _, want := range []string{
					"a became leader", "a stopped leading", "b became leader", "b stopped leading",
				} {
					require.Contains(t, all, want)
				}
			})
		}
	}
}

// messages are those of the events that there are.
func messages(t *testing.T, server *fakekube.Server) (all []string) {
	t.Helper()
	events, err := server.Clientset().CoreV1().Events("jobs").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for _, e := range events.Items {
		all = append(all, e.Message)
	}
	return all
}

// TestKubernetesCommand: the command runs on a Lease too.
func TestKubernetesCommand(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	p := start(t, &server, "a", "--exec", `test "$`+tokenVariable+`" -gt 0 && exit 9`)
	require.Equal(t, 9, <-p.code)
	lease, err := server.Clientset().CoordinationV1().Leases("jobs").Get(t.Context(), "reports", metav1.GetOptions{})
	require.NoError(t, err)
	require.Empty(t, *lease.Spec.HolderIdentity)
}

// TestNoLease: between two terms nothing is left of a lease that was given up.
func TestNoLease(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	p := start(t, &server, "a", "--restart", "--exec", "exit 1")
	electorproc.Eventually(t, "a term is over", func() bool {
		_, text := p.get("/metrics")
		return strings.Contains(text, `_lease_remaining_seconds{name="reports"} 0`) &&
			strings.Contains(text, `result="ok",verb="update"} `)
	})
}

// TestForbidden: what RBAC refuses is named, in the log and by /readyz, and is tried again.
func TestForbidden(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"get", "create", "update"} { // of events and of who observes: see the tests of these
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			var server fakekube.Server
			if verb == "update" {
				prepared(t, &server)
			}
			allow := server.Inject(fakekube.Fault{Verb: verb, Resource: "leases", Status: http.StatusForbidden})
			p := start(t, &server, "a")
			want := lacks(verb, "leases.coordination.k8s.io", "reports")
			electorproc.Eventually(t, "said", func() bool {
				return strings.Contains(p.err.String(), escaped(want))
			})
			if verb == "get" {
				code, text := p.get("/readyz")
				require.Equal(t, http.StatusServiceUnavailable, code)
				require.Contains(t, text, want)
			}
			allow()
			electorproc.Eventually(t, "leads", p.leads)
		})
	}
}

// lacks is what elector says of a right that is missing.
func lacks(verb, resource, name string) string {
	return fmt.Sprintf("the service account may not %s %s %q in namespace \"jobs\": its Role lacks the verb %q on %s",
		verb, resource, name, verb, resource)
}

// escaped is a text as it is in JSON.
func escaped(text string) string { return strings.ReplaceAll(text, `"`, `\"`) }

// prepared makes the Lease as deploy/elector does, without a holder.
func prepared(t *testing.T, server *fakekube.Server) {
	_, err := server.Clientset().CoordinationV1().Leases("jobs").Create(t.Context(),
		&coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "reports"}}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// TestLeastPrivilege: on a Lease that is there get and update are enough.
func TestLeastPrivilege(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	prepared(t, &server)
	for _, verb := range []string{"create", "list", "watch", "patch", "delete"} {
		server.Inject(fakekube.Fault{User: "a", Verb: verb, Resource: "leases", Status: http.StatusForbidden})
	}
	p := start(t, &server, "a")
	electorproc.Eventually(t, "leads", p.leads)
	require.NotContains(t, p.err.String(), "may not")
}

// reviewed answers what a candidate asks for its rights, and passes the rest on.
type reviewed struct {
	next http.RoundTripper
	// refused is the verb that it may not.
	refused *atomic.Value
}

func (r reviewed) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(request.URL.Path, "/selfsubjectaccessreviews") {
		return r.next.RoundTrip(request)
	}
	var review authorizationv1.SelfSubjectAccessReview
	if err := json.NewDecoder(request.Body).Decode(&review); err != nil {
		return nil, err
	}
	asked := review.Spec.ResourceAttributes
	review.Kind, review.APIVersion = "SelfSubjectAccessReview", "authorization.k8s.io/v1"
	review.Status.Allowed = asked.Verb != r.refused.Load() && asked.Name == "reports" && asked.Namespace == "jobs"
	text, err := json.Marshal(review)
	return &http.Response{
		StatusCode: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(text)), Request: request,
	}, err
}

// TestReadyRights: a candidate that could not take the lease over is not ready, also while it only stands by.
func TestReadyRights(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	leader := start(t, &server, "a")
	electorproc.Eventually(t, "leads", leader.leads)
	var refused atomic.Value
	refused.Store("update")
	p := startOn(t, func() *rest.Config {
		config := server.ConfigFor("b")
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return reviewed{next, &refused} })
		return config
	}, "b", "--lease-duration=3s", "--renew-deadline=1800ms")
	want := lacks("update", "leases.coordination.k8s.io", "reports")
	electorproc.Eventually(t, "not ready", func() bool {
		code, text := p.get("/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(text, want)
	})
	require.Contains(t, p.err.String(), escaped(want))
	refused.Store("none")
	electorproc.Eventually(t, "ready", func() bool { code, _ := p.get("/readyz"); return code == http.StatusOK })
	code, text := leader.get("/readyz")
	require.Equal(t, http.StatusOK, code, "a server that knows no such question: "+text)
}

// TestReadyDeleted: where the Lease was deleted, and may not be made anew, nobody is ready: that is an outage. It is over
// when somebody makes it.
func TestReadyDeleted(t *testing.T) {
	t.Parallel()
	var server fakekube.Server
	prepared(t, &server)
	server.Inject(fakekube.Fault{Verb: "create", Resource: "leases", Status: http.StatusForbidden})
	var pods []*pod
	for _, id := range []string{"a", "b"} {
		pods = append(pods, start(t, &server, id))
	}
	electorproc.Eventually(t, "leads", func() bool { return pods[0].leads() || pods[1].leads() })
	require.NoError(t, server.Clientset().CoordinationV1().Leases("jobs").Delete(t.Context(), "reports",
		metav1.DeleteOptions{}))
	for _, p := range pods {
		electorproc.Eventually(t, "not ready, and it stays so", func() bool {
			for range 10 {
				code, text := p.get("/readyz")
				right := strings.HasPrefix(text, "the service account may not create ") && strings.Contains(text, `the verb "create"`)
				if code != http.StatusServiceUnavailable || !right {
					return false
				}
				time.Sleep(50 * time.Millisecond)
			}
			return true
		})
	}
}
