package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// frozenServer is the variable of the environment with the address of a test's server. A process of this test binary that has it is a candidate.
const frozenServer = "INTERREGNUM_FROZEN_SERVER"

// The timings of that candidate, in real time.
const (
	frozenDeadline = 300 * time.Millisecond
	frozenPeriod   = 100 * time.Millisecond
)

// TestAnswersFirst: a process of the unmodified library is stopped over the deadline of its poll, and a renewal that arrives after that deadline is
// answered before the process goes on. It has both the answer and the end of the context then. It takes the answer in some trials, and goes on to
// lead, as a freeze with answersFirst says; in others it ends its term, as one without it says.
func TestAnswersFirst(t *testing.T) {
	if address := os.Getenv(frozenServer); address != "" {
		leadOnce(t, address)
		return
	}
	leads, ends := 0, 0
	for trial := 0; trial < 200 && (leads == 0 || ends == 0); trial++ {
		if goesOn(t) {
			leads++
		} else {
			ends++
		}
	}
	t.Logf("goes on to lead in %d trials, ends in %d", leads, ends)
	assert.Positive(t, leads)
}

// leadOnce runs a candidate of the server with that address until it has led once.
func leadOnce(t *testing.T, address string) {
	clients, err := kubernetes.NewForConfig(&rest.Config{Host: address, QPS: -1})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: "default", Name: "lock"}, Client: clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "a"},
		},
		LeaseDuration: time.Second, RenewDeadline: frozenDeadline, RetryPeriod: frozenPeriod,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: cancel},
	})
}

// goesOn freezes a candidate over the deadline of a renewal that it is told of as it wakes, and tells whether it renews once more.
func goesOn(t *testing.T) (leads bool) {
	var mu sync.Mutex
	var candidate *os.Process
	var service store
	renewals, renewed := 0, make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		verb := verbs[r.Method]
		if verb == "update" {
			renewals++
		}
		if renewals == 3 && verb == "update" {
			assert.NoError(t, candidate.Signal(syscall.SIGSTOP))
			time.Sleep(frozenDeadline + frozenPeriod/2)
			time.AfterFunc(frozenPeriod/2, func() { assert.NoError(t, candidate.Signal(syscall.SIGCONT)) })
		}
		if renewals == 4 {
			select {
			case renewed <- struct{}{}:
			default:
			}
		}
		status, lease, _ := service.handle(verb, leaseOf(body))
		answer(out, status, lease, verb, nil)
	}))
	defer server.Close()
	mu.Lock()
	command := exec.Command(os.Args[0], "-test.run=^TestAnswersFirst$")
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s", frozenServer, server.URL))
	require.NoError(t, command.Start())
	candidate = command.Process
	mu.Unlock()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case <-renewed:
		leads = true
		require.NoError(t, candidate.Kill())
		<-ended
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("it neither renews nor ends")
	}
	return leads
}
