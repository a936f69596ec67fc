package conn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"interregnum/internal/newest"
)

func TestMain(m *testing.M) { newest.Main(m, rest.AnonymousClientConfig) }

const (
	second = time.Second
	ms     = time.Millisecond
)

// world is a clientset, a service, the network between them, and what happens there.
type world struct {
	network
	// think is how long the service takes to answer.
	think time.Duration
	// answer answers a request, after that.
	answer func(to http.ResponseWriter, from *http.Request, body []byte)
	// deaf: the service carries out a request that it has got, even if its client is gone.
	deaf bool
	// streams is how many requests the service takes at once on one connection, 0 for the 250 of net/http.
	streams int
	// config changes the clientset's configuration, if it is set.
	config func(*rest.Config)

	start   time.Time
	clients *kubernetes.Clientset
	steps   sync.WaitGroup

	recording sync.Mutex
	events    []event
	over      bool
}

type event struct {
	at   time.Duration
	text string
}

// newWorld is a world whose requests are answered 20 ms after they begin, if there is a connection.
func newWorld() *world {
	w := &world{network: network{request: 8 * ms, response: 8 * ms}, think: 4 * ms, answer: anyLease}
	w.network.note = w.record
	return w
}

// run runs a script in a bubble until all its steps are done, and compares what happened from an instant on.
func (w *world) run(t *testing.T, from time.Duration, script func(), want string) {
	t.Helper()
	w.play(t, script)
	assert.Equal(t, trimmed(want), w.transcript(from))
}

func (w *world) play(t *testing.T, script func()) {
	synctest.Test(t, func(t *testing.T) {
		w.start, w.done, w.arrivals = time.Now(), make(chan struct{}), newArrivals()
		w.serve(t)
		w.clients = w.clientset(t, w.config)
		script()
		w.steps.Wait()
		synctest.Wait()
		w.recording.Lock()
		w.over = true
		w.recording.Unlock()
		close(w.done)
		w.all((*link).reset)
	})
}

func (w *world) record(format string, args ...any) {
	w.recording.Lock()
	defer w.recording.Unlock()
	if !w.over {
		w.events = append(w.events, event{time.Since(w.start), fmt.Sprintf(format, args...)})
	}
}

// transcript is what happened from an instant on, one event a line. Those of one instant are in the order of their texts. It
// has no RST_STREAM of the instant at which the connection is closed: whether it is sent before that is a race in the
// library.
func (w *world) transcript(from time.Duration) string {
	slices.SortFunc(w.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.text, b.text))
	})
	closed := map[event]bool{}
	for _, e := range w.events {
		if connection, closes := strings.CutPrefix(e.text, "client: closes "); closes {
			closed[event{e.at, connection}] = true
		}
	}
	var b strings.Builder
	for _, e := range w.events {
		what, connection, _ := strings.Cut(e.text, " on ")
		resets := strings.HasPrefix(what, "client: sends RST_STREAM")
		if e.at >= from && !(resets && closed[event{e.at, connection}]) {
			fmt.Fprintf(&b, "%v %s\n", e.at, e.text)
		}
	}
	return b.String()
}

// trimmed is a transcript as tests have it in their source, without the tabs and the first line.
func trimmed(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(text, "\n"), "\t", ""), "\n") + "\n"
}

// at has a step of the script happen at an instant.
func (w *world) at(when time.Duration, do func()) {
	w.steps.Go(func() {
		time.Sleep(when)
		do()
	})
}

// send sends a request at an instant. Its context has a timeout, or none if that is 0. The Lease has the given name.
func (w *world) send(when time.Duration, verb, name string, timeout time.Duration) {
	w.at(when, func() {
		ctx := klog.NewContext(context.Background(), logr.Discard())
		if timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
		w.record("%s %s begins", verb, name)
		if err := w.do(ctx, verb, name); err != nil {
			w.record("%s %s fails: %v", verb, name, cause(err))
			return
		}
		w.record("%s %s succeeds", verb, name)
	})
}

func (w *world) do(ctx context.Context, verb, name string) (err error) {
	leases := w.clients.CoordinationV1().Leases("default")
	lease := &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: name}}
	switch verb {
	case http.MethodGet:
		_, err = leases.Get(ctx, name, meta.GetOptions{})
	case http.MethodPost:
		_, err = leases.Create(ctx, lease, meta.CreateOptions{})
	default:
		_, err = leases.Update(ctx, lease, meta.UpdateOptions{})
	}
	return err
}

// cause is an error without the address of its request.
func cause(err error) error {
	var about *url.Error
	if errors.As(err, &about) {
		return about.Err
	}
	return err
}
