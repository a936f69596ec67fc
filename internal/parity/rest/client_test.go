package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/plan"
)

// newProcess returns a process with a client as programs make it.
func (w *world) newProcess(candidate int, identity string, incarnation int) *process {
	c := &w.plan.Candidates[candidate]
	p := &process{
		world: w, candidate: candidate, incarnation: incarnation, identity: identity, plan: c, dead: make(chan struct{}),
	}
	config := &rest.Config{
		Host: "http://api.test", UserAgent: strconv.Itoa(candidate),
		QPS: float32(c.Client.QPS), Burst: c.Client.Burst, Timeout: c.RequestTimeout,
		Dial: func(context.Context, string, string) (net.Conn, error) { return w.listener.dial() },
		WrapTransport: func(next http.RoundTripper) http.RoundTripper {
			return &wire{process: p, next: next}
		},
	}
	if config.QPS == 0 {
		config.QPS = -1 // 0 would be the library's default
	}
	var err error
	if p.clients, err = kubernetes.NewForConfig(config); err != nil {
		panic(err)
	}
	return p
}

// ask makes requests of another kind by a schedule, with the same client. Those that were due up to an instant never come.
func (p *process) ask(t *plan.Traffic, since time.Duration) {
	for at := t.At; t.Until == nil || at < *t.Until; at += t.Every {
		if at > since {
			if !p.world.sleepUntil(at) || p.gone() {
				return
			}
			for range t.Count {
				p.world.wg.Go(func() {
					_, _ = p.clients.CoreV1().ConfigMaps("ns").Get(p.world.ctx, "other", metav1.GetOptions{})
				})
			}
		}
		if t.Every == 0 {
			return
		}
	}
}

// call is what a process knows about its call of the lock, which one goroutine makes.
type call struct {
	// tries counts how often its request was sent.
	tries int
	// last is the status of the last answer, 0 for none. gaveUp: the wait for one has ended.
	last   int
	gaveUp bool
	// ended is when that was.
	ended time.Time
	// ready is when its next request is sent if there is a token for it.
	ready time.Time
}

// wire notes how the requests for the lock end.
type wire struct {
	process *process
	next    http.RoundTripper
}

// RoundTrip sends a request. In a call whose context has ended it sends nothing: so does http.Transport. That happens after a
// Retry-After if there is no limiter.
func (r *wire) RoundTrip(in *http.Request) (*http.Response, error) {
	p := r.process
	p.dwell()
	defer p.dwell()
	if !strings.Contains(in.URL.Path, "/leases") || in.Context().Err() != nil {
		return r.next.RoundTrip(in)
	}
	verb, c := verbs[in.Method], &p.call
	c.tries++
	p.countSent()
	out, err := r.next.RoundTrip(in)
	c.ended = time.Now()
	if err != nil {
		c.gaveUp = true
		p.note(gaveUp(verb))
		return nil, err
	}
	c.last = out.StatusCode
	p.note(answered(verb, c.last))
	if after, err := strconv.Atoi(out.Header.Get("Retry-After")); err == nil {
		c.ready = c.ended.Add(time.Duration(after) * time.Second)
		p.count(fmt.Sprintf("a Retry-After of %d", c.last))
	}
	return out, nil
}

// lock is the library's, and notes which calls end without a request.
type lock struct {
	resourcelock.Interface
	process *process
}

func (p *process) lock() resourcelock.Interface {
	return &lock{p.leaseLock(p.clients.CoordinationV1()), p}
}

// leaseLock returns a LeaseLock on that client.
func (p *process) leaseLock(leases typed.LeasesGetter) *resourcelock.LeaseLock {
	return &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "ns", Name: "lock"},
		Client:     leases,
		LockConfig: resourcelock.ResourceLockConfig{Identity: p.identity},
	}
}

// Get reads the Lease.
func (l *lock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.process.beginCall()
	record, raw, err := l.Interface.Get(ctx)
	l.process.endCall("get", err)
	return record, raw, err
}

// Create makes the Lease.
func (l *lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	l.process.beginCall()
	err := l.Interface.Create(ctx, record)
	l.process.endCall("create", err)
	return err
}

// Update writes the Lease.
func (l *lock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	l.process.beginCall()
	err := l.Interface.Update(ctx, record)
	l.process.endCall("update", err)
	return err
}

// beginCall begins a call of the lock.
func (p *process) beginCall() {
	p.dwell()
	p.call = call{ready: time.Now()}
}

// endCall notes why the call has failed, if that is neither its last answer nor the end of the wait for one: at these the call
// ends without time passing.
func (p *process) endCall(verb string, err error) {
	p.dwell()
	p.world.mover.Store(int32(p.candidate))
	var status apierrors.APIStatus
	if err == nil || p.call.gaveUp || p.call.last != 0 && errors.As(err, &status) {
		if !time.Now().Equal(p.call.ended) {
			p.note("late end of " + verb)
		}
		return
	}
	why := reason(err)
	p.countUnsent(why)
	p.note(unsent(verb, why))
}

// reason returns why a request was not sent.
func reason(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "would exceed context deadline"):
		return throttled
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return ended
	case strings.Contains(text, "not initialized"), strings.Contains(text, "name may not be empty"):
		return noObject
	}
	return text
}
