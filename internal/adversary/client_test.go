package adversary

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
)

// client is a candidate's way to the service.
type client struct {
	typed.LeaseInterface
	b    *bubble
	i    int
	p    *Part
	step Step
	runs int
	// starts is closed as it starts, where it follows another.
	starts chan struct{}
	cancel context.CancelFunc
	// leading: it has become leader, and has neither given up nor been cancelled since.
	leading bool
	// busy counts its requests of one instant.
	at          time.Duration
	busy, total int
}

// begin is the start of the Run of that number.
func (l *client) begin(run int, cancel context.CancelFunc) {
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	l.runs, l.cancel, l.leading = run, cancel, false
	l.b.out.Runs[l.i]++
	if run > 0 {
		l.phase()
	} else {
		l.anchored()
	}
}

// phase begins another phase.
func (l *client) phase() {
	l.step = Step{Phase: l.step.Phase + 1}
	l.anchored()
}

// anchored does what hangs on the step that has just been taken.
func (l *client) anchored() {
	if l.runs < len(l.p.Cancels) && l.cancel != nil && l.p.Cancels[l.runs].Step == l.step {
		l.cancelAfter(l.p.Cancels[l.runs].After)
	}
}

// Eventf is the lock's event recorder.
func (l *client) Eventf(_ runtime.Object, _, _, format string, args ...any) {
	if strings.HasSuffix(fmt.Sprintf(format, args...), "became leader") {
		l.b.mu.Lock()
		defer l.b.mu.Unlock()
		l.phase()
		l.leading = true
	}
}

// stops begins another phase where it has led until now. The mutex is held.
func (l *client) stops() {
	if l.leading {
		l.leading = false
		l.phase()
	}
}

// metric is a candidate's, or the provider of all. Off is how the library tells that a leader has given up, before it releases.
type metric struct{ leaderelection.LeaderMetric }

// clients are those of the run in progress, by the names of their electors.
var clients map[string]*client

func (metric) NewLeaderMetric() leaderelection.LeaderMetric { return metric{} }
func (metric) On(string)                                    {}
func (metric) SlowpathExercised(string)                     {}

func (metric) Off(name string) {
	l := clients[name]
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	l.stops()
}

// end is the end of a Run.
func (l *client) end() {
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	l.cancel = nil
}

// cancelAfter ends the context of the Run that is in progress then.
func (l *client) cancelAfter(d time.Duration) {
	time.AfterFunc(max(1, d), func() {
		l.b.mu.Lock()
		defer l.b.mu.Unlock()
		if l.cancel != nil {
			l.stops()
			l.cancel()
		}
	})
}

// work is OnStartedLeading.
func (l *client) work(ctx context.Context) {
	b := l.b
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return
	}
	n := len(b.out.Works)
	b.out.Works = append(b.out.Works, Work{Candidate: l.i, Start: b.now(), End: never})
	b.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-b.over:
		return
	}
	if b.sleep(b.c.Env.Drain) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.closed {
			b.out.Works[n].End = b.now()
		}
	}
}

func (l *client) Leases(string) typed.LeaseInterface { return l }

func (l *client) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return l.call(ctx, Gets, nil)
}

func (l *client) Create(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return l.call(ctx, Creates, in)
}

func (l *client) Update(
	ctx context.Context, in *coordinationv1.Lease, _ metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	if in.Name == "" {
		return &coordinationv1.Lease{}, errors.New("resource name may not be empty")
	}
	return l.call(ctx, Updates, in)
}

type answer struct {
	lease  *coordinationv1.Lease
	status int
}

func (l *client) call(ctx context.Context, verb Verbs, in *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	b := l.b
	empty := &coordinationv1.Lease{}
	a, err := l.exchange(ctx, verb, in)
	b.mover = l.i
	switch {
	case err != nil:
		return empty, err
	case a.status >= 400:
		return empty, statusError(verb, a.status)
	}
	return a.lease, nil
}

func (l *client) exchange(ctx context.Context, verb Verbs, in *coordinationv1.Lease) (answer, error) {
	b := l.b
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	if in != nil {
		in = in.DeepCopy()
	}
	f, n := l.called(verb, in)
	if now := b.now(); now != l.at {
		l.at, l.busy = now, 0
	}
	l.total++
	if l.busy++; l.busy > standstill || l.total > enough {
		f.Out.Lost = true
	}
	if f.Hold > 0 {
		t := time.NewTimer(f.Hold)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return answer{}, ctx.Err()
		case <-b.over:
			return answer{}, errOver
		}
	}
	if b.c.Config.RequestTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.c.Config.RequestTimeout)
		defer cancel()
	}
	answers := make(chan answer, 1)
	l.send(f, n, verb, in, answers)
	select {
	case a := <-answers:
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	case <-b.over:
		return answer{}, errOver
	}
}

var errOver = errors.New("the world is over")

// called is the fate and the index of the next request, which may wait in the limiter now.
func (l *client) called(verb Verbs, in *coordinationv1.Lease) (Fate, int) {
	b := l.b
	b.mu.Lock()
	defer b.mu.Unlock()
	l.step.Number++
	q := Request{Candidate: l.i, Step: l.step, Verb: verb, Sent: b.now(), Arrived: never, Handled: never}
	if in != nil {
		q.Holds, q.Renew = *in.Spec.HolderIdentity != "", time.Duration(in.Spec.RenewTime.UnixNano())
	}
	b.out.Sent = append(b.out.Sent, q)
	l.anchored()
	return b.c.allow(l.p.fate(l.step, verb), verb), len(b.out.Sent) - 1
}

// send puts a request on its way.
func (l *client) send(f Fate, n int, verb Verbs, in *coordinationv1.Lease, answers chan answer) {
	b := l.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || f.Out.Lost {
		return
	}
	b.after(f.Out.Delay, func() {
		a, wrote := b.serve(f, verb, in)
		b.out.Sent[n].Arrived, b.out.Sent[n].Wrote = b.now(), wrote
		b.followers(l.i, b.out.Sent[n].Step)
		if f.Back.Lost {
			return
		}
		b.after(f.Back.Delay, func() {
			b.out.Sent[n].Handled = b.now()
			answers <- a
		})
	})
}

// followers starts who follows a request that has arrived.
func (b *bubble) followers(of int, step Step) {
	for i := range b.g.Parts {
		if e := b.g.follows(i); e != nil && e.Of == of && e.Step == step && b.out.Starts[i] == never {
			b.out.Starts[i] = e.instant(b.now())
			l := clients[name(i)]
			b.after(b.out.Starts[i]-b.now(), func() { close(l.starts) })
		}
	}
}

// after does something then, at once where that is now. The mutex is held, both times.
func (b *bubble) after(d time.Duration, do func()) {
	if d <= 0 {
		do()
		return
	}
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.closed {
			do()
		}
	})
}

func (b *bubble) serve(f Fate, verb Verbs, in *coordinationv1.Lease) (a answer, wrote bool) {
	if f.Status == 0 || f.Applied {
		a, wrote = b.apply(verb, in)
	}
	if f.Status != 0 {
		a = answer{status: f.Status}
	}
	return a, wrote
}

// apply carries a request out, as a lock service of one Lease does: compare-and-swap on the version.
func (b *bubble) apply(verb Verbs, in *coordinationv1.Lease) (a answer, wrote bool) {
	switch {
	case verb == Gets && b.lease == nil:
		return answer{status: http.StatusNotFound}, false
	case verb == Gets:
		return answer{lease: b.lease.DeepCopy(), status: http.StatusOK}, false
	case verb == Creates && b.lease != nil:
		return answer{status: conflict}, false
	case verb == Updates && (b.lease == nil || b.lease.ResourceVersion != in.ResourceVersion):
		return answer{status: conflict}, false
	}
	in.Spec.AcquireTime, in.Spec.RenewTime = micro(in.Spec.AcquireTime), micro(in.Spec.RenewTime)
	if verb == Updates && same(&b.lease.Spec, &in.Spec) {
		return answer{lease: b.lease.DeepCopy(), status: http.StatusOK}, false
	}
	b.version++
	in.ResourceVersion = strconv.Itoa(b.version)
	b.lease = in
	return answer{lease: in.DeepCopy(), status: http.StatusOK}, true
}

// same is whether an update changes nothing: it then leaves the version.
func same(a, b *coordinationv1.LeaseSpec) bool {
	return *a.HolderIdentity == *b.HolderIdentity && *a.LeaseDurationSeconds == *b.LeaseDurationSeconds &&
		*a.LeaseTransitions == *b.LeaseTransitions && a.AcquireTime.Equal(b.AcquireTime) && a.RenewTime.Equal(b.RenewTime)
}

// micro is a time as it comes back from the wire.
func micro(t *metav1.MicroTime) *metav1.MicroTime {
	out := metav1.NewMicroTime(t.UTC().Round(0).Truncate(time.Microsecond))
	return &out
}

func statusError(verb Verbs, status int) error {
	resource := coordinationv1.Resource("leases")
	switch {
	case status == conflict && verb == Creates:
		return apierrors.NewAlreadyExists(resource, "lock")
	case status == conflict:
		return apierrors.NewConflict(resource, "lock", errors.New("the object has been modified"))
	}
	return apierrors.NewGenericServerResponse(status, "call", resource, "lock", "", 0, true)
}
