package kubernetes_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	clientrecord "k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

// standingVariable has this program stand for election, in place of testing: its value is a standing, in JSON.
const standingVariable = "INTERREGNUM_STANDING"

// kinds are what stands for election: the library, unmodified, and this module's elector in both profiles.
var kinds = []string{"library", "client-go", "strict"}

// standing is what a process is told that stands for election once, and ends when it has lost.
type standing struct {
	Kind                                      string
	Kubeconfig, Namespace, Name, ID           string
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
	// Truth is the file to which it appends what really happens, line by line, by the clock that all processes here share.
	Truth string
	// JSON has it log as slog does, otherwise it logs as klog does.
	JSON bool
}

// stand stands for election as text says. Its log goes to standard error.
func stand(text string) {
	var s standing
	must(json.Unmarshal([]byte(text), &s))
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	if s.JSON {
		ctx = klog.NewContext(ctx, logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, nil)))
	}
	tell := teller(s.Truth)
	go tellPauses(ctx, tell)
	config, err := clientcmd.BuildConfigFromFlags("", s.Kubeconfig)
	must(err)
	config.Timeout = s.RenewDeadline / 2
	config.ContentType = runtime.ContentTypeJSON // which writesTold reads
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &writesTold{next, tell} })
	must(s.run(ctx, config, func(ctx context.Context) {
		tell("start %d", time.Now().UnixNano())
		<-ctx.Done()
		tell("end %d", time.Now().UnixNano())
	}))
	klog.FromContext(ctx).Info("leader election lost")
	klog.Flush()
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run stands for election once, and returns when that is over and the work has returned.
func (s *standing) run(ctx context.Context, config *rest.Config, work func(context.Context)) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	events := clientrecord.NewBroadcaster(clientrecord.WithContext(ctx))
	defer events.Shutdown()
	events.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, s.Namespace, s.Name, client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: s.ID, EventRecorder: events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: s.Kind})})
	if err != nil {
		return err
	}
	var works sync.WaitGroup
	started := func(ctx context.Context) {
		works.Add(1)
		defer works.Done()
		work(ctx)
	}
	defer works.Wait()
	if s.Kind == "library" {
		e, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: started, OnStoppedLeading: func() {}},
		})
		if err == nil {
			e.Run(ctx)
		}
		return err
	}
	e, err := elector.NewLeaderElector(elector.LeaderElectionConfig{
		Lock: lock, Profile: elector.Profile(s.Kind), LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		Callbacks: elector.LeaderCallbacks{OnStartedLeading: started, OnStoppedLeading: func() {}},
	})
	if err == nil {
		e.Run(ctx)
	}
	return err
}

// teller returns what appends lines to a file. What it has told lasts, whatever becomes of the process.
func teller(file string) func(format string, args ...any) {
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(out, format+"\n", args...)
	}
}

// tellPauses tells of each time for which this process did not run.
func tellPauses(ctx context.Context, tell func(string, ...any)) {
	pauses(ctx, func(from, until time.Time) { tell("pause %d %d", from.UnixNano(), until.UnixNano()) })
}

// pauses calls back with each time of 10 ms or more for which the goroutine that calls it should have run and did not.
func pauses(ctx context.Context, found func(from, until time.Time)) {
	const every = 2 * time.Millisecond
	for last := time.Now(); ctx.Err() == nil; {
		time.Sleep(every)
		now := time.Now()
		if now.Round(0).Sub(last.Round(0)) >= every+10*time.Millisecond {
			found(last.Add(every), now)
		}
		last = now
	}
}

// writesTold tells when each write was sent and when its answer came.
type writesTold struct {
	next http.RoundTripper
	tell func(string, ...any)
}

// WrappedRoundTripper is asked for by client-go.
func (w *writesTold) WrappedRoundTripper() http.RoundTripper { return w.next }

var renewTime = regexp.MustCompile(`"renewTime":"([^"]+)"`)

func (w *writesTold) RoundTrip(q *http.Request) (*http.Response, error) {
	sent := time.Now()
	a, err := w.next.RoundTrip(q)
	if q.GetBody == nil || q.Method == http.MethodGet {
		return a, err
	}
	body, bodyErr := q.GetBody()
	if bodyErr != nil {
		return a, err
	}
	line, _ := bufio.NewReader(body).ReadString(0)
	if m := renewTime.FindStringSubmatch(line); m != nil && err == nil && a.StatusCode < 300 && strings.Contains(q.URL.Path, "/leases") {
		w.tell("wrote %d %d %s", sent.UnixNano(), time.Now().UnixNano(), m[1])
	}
	return a, err
}
