package calibrate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// Probe measures round trips on a server, with one request at a time. It only reads unless Write is set.
type Probe struct {
	Config *rest.Config
	// Namespace and Name are those of the Lease to read. If Name is "", it is any Lease that can be listed in Namespace, or in
	// any namespace if Namespace is "" too. With Write, Name must be "", and Namespace is where the probe makes its own Lease.
	Namespace, Name string
	// Write: the probe makes a Lease with a name that nobody uses, reads and updates it in turn, and deletes it at the end.
	Write bool
	// For is how long the probe measures. Interval is the time from one request (with Write: pair of requests) to the next.
	// Timeout is the time after which a request is given up. All are above 0.
	For, Interval, Timeout time.Duration
	// Chosen is called once, with the Lease that is used. Progress is called after each request that is measured. Both can be
	// nil.
	Chosen   func(namespace, name string)
	Progress func(passed time.Duration, m *Measurement)
}

// Live is what a Probe has measured.
type Live struct {
	Measurement
	Namespace, Name string
	// Lasted is how long the probe measured. It is shorter than Probe.For if the probe was interrupted or failed. Interrupted:
	// the context ended first.
	Lasted      time.Duration
	Interrupted bool
	// Offset is how far the server's clock is ahead; nil if the server did not tell its time.
	Offset *ClockOffset
}

// Run measures until the time is up or ctx ends; the end of ctx is no error. In either case it deletes its own Lease. The error
// says why it could measure no more, or that its own Lease is perhaps still there. The result has what was measured until then;
// it is nil only if no client could be made.
func (p *Probe) Run(ctx context.Context) (*Live, error) {
	c, err := newClient(p.Config)
	if err != nil {
		return nil, err
	}
	r := &probing{Probe: p, client: c, live: &Live{Namespace: p.Namespace, Name: p.Name}}
	err = r.run(ctx)
	r.live.Offset = c.clock.offset()
	return r.live, err
}

// probing is one run of a probe.
type probing struct {
	*Probe
	client *client
	live   *Live
	began  time.Time
	// own is the probe's own Lease as the server made it; nil if the server has not said that it did.
	own *coordinationv1.Lease
}

// run chooses or makes the Lease, calls Chosen, measures into r.live, and deletes its own Lease at the end. The error says why it
// could measure no more, or that its own Lease is perhaps still there; both can be joined in it.
func (r *probing) run(ctx context.Context) (err error) {
	switch {
	case r.Write:
		r.live.Name = "simulate-calibrate-" + strings.ToLower(rand.Text())
	case r.Name == "":
		if err := r.choose(ctx); err != nil {
			return err
		}
	}
	if r.Chosen != nil {
		r.Chosen(r.live.Namespace, r.live.Name)
	}
	r.began = time.Now()
	defer func() { r.live.Lasted = time.Since(r.began) }()
	if r.Write {
		if err := r.create(ctx); err != nil && !uncertain(err) {
			return err
		} else if err != nil {
			return errors.Join(err, r.remove(ctx))
		}
		defer func() { err = errors.Join(err, r.remove(ctx)) }()
	}
	return r.loop(ctx)
}

// uncertain tells whether the server has perhaps applied a request that failed with err, or will perhaps still apply it. That is
// so unless the connection was refused, or the server has answered with a status that is an answer by isAnswer.
func uncertain(err error) bool {
	if utilnet.IsConnectionRefused(err) {
		return false
	}
	var status apierrors.APIStatus
	return !errors.As(err, &status) || !isAnswer(int(status.Status().Code))
}

// loop calls round at once and then every Interval, until the time is up, ctx ends or round fails. Only a failure of round gives
// an error. If ctx ends, it sets r.live.Interrupted.
func (r *probing) loop(ctx context.Context) error {
	until := time.Now().Add(r.For)
	end := time.NewTimer(r.For)
	defer end.Stop()
	tick := time.NewTicker(r.Interval)
	defer tick.Stop()
	for {
		if err := r.round(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			r.live.Interrupted = true
			return nil
		case <-end.C:
			return nil
		case <-tick.C:
			if !time.Now().Before(until) {
				return nil
			}
		}
	}
}

// choose sets the Lease to read, in r.live, to the first one that the server lists in r.Namespace, or in any namespace if that is
// "". It returns an error if there is none, or if the server does not list them.
func (r *probing) choose(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	var found coordinationv1.LeaseList
	err := r.client.Get().NamespaceIfScoped(r.Namespace, r.Namespace != "").Resource("leases").Param("limit", "1").
		Do(within).Into(&found)
	switch {
	case err != nil:
		return r.explain("list", err)
	case len(found.Items) == 0:
		return errors.New("there is no Lease to read: want one, or --write for an own one")
	}
	r.live.Namespace, r.live.Name = found.Items[0].Namespace, found.Items[0].Name
	return nil
}

// create makes the probe's own Lease, stores it in r.own, and adds the request to the measurement. If it fails, it returns an
// error, r.own is nil, and nothing is measured. The request does not end with ctx: otherwise the server could still apply it
// after the Lease was deleted.
func (r *probing) create(ctx context.Context) error {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Timeout)
	defer cancel()
	seconds := int32(1)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Name: r.live.Name, Namespace: r.live.Namespace,
			Labels: map[string]string{"app.kubernetes.io/managed-by": "simulate-calibrate"},
		},
		Spec: coordinationv1.LeaseSpec{HolderIdentity: &r.live.Name, LeaseDurationSeconds: &seconds},
	}
	r.own = &coordinationv1.Lease{}
	began := time.Now()
	err := r.client.Post().Namespace(lease.Namespace).Resource("leases").Body(lease).Do(within).Into(r.own)
	took := time.Since(began)
	if err != nil {
		r.own = nil
		return r.explain("create", err)
	}
	r.seen("create", nil, took)
	return nil
}

// round measures one read of the Lease and, with Write, an update after a read that succeeded. It returns an error only if there
// is no point in going on: a request is not allowed, or it fails before any request has been answered.
func (r *probing) round(ctx context.Context) error {
	var got coordinationv1.Lease
	err := r.measure(ctx, "get", func(ctx context.Context) error {
		return r.client.Get().Namespace(r.live.Namespace).Resource("leases").Name(r.live.Name).Do(ctx).Into(&got)
	})
	if err != nil || !r.Write || got.UID == "" {
		return err
	}
	now := metav1.NowMicro()
	got.Spec.RenewTime = &now
	return r.measure(ctx, "update", func(ctx context.Context) error {
		return r.client.Put().Namespace(r.live.Namespace).Resource("leases").Name(r.live.Name).Body(&got).Do(ctx).Error()
	})
}

// measure makes one request, of at most r.Timeout, and adds how long it took to the measurement, under its verb. A request that
// fails is measured as well, and gives no error. If ctx has ended, a failed request is not measured. measure returns an error
// only if there is no point in going on: the request is not allowed, or it fails before any request has been answered.
func (r *probing) measure(ctx context.Context, verb string, request func(context.Context) error) error {
	within, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	began := time.Now()
	err := request(within)
	took := time.Since(began)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil // interrupted: nobody knows how long it would have taken
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return r.explain(verb, err)
	case err != nil && r.live.All().Count == 0:
		return r.explain(verb, err)
	}
	r.seen(verb, err, took)
	return nil
}

// seen adds a request that has just ended, and how long it took, to the measurement by its result err: an answer if that is nil
// or an HTTP status, a timeout, or a broken connection. Then it calls Progress, if that is set.
func (r *probing) seen(verb string, err error, took time.Duration) {
	var status apierrors.APIStatus
	code := 0
	switch {
	case err == nil:
		code = http.StatusOK
	case errors.As(err, &status):
		code = int(status.Status().Code)
	}
	now := time.Now()
	r.live.keep(&Request{Verb: verb, Received: now.Add(-took), Answered: now, Status: code})
	switch {
	case err == nil:
		r.live.answer(verb, http.StatusOK, took)
	case code != 0:
		r.live.answer(verb, code, took)
	case errors.Is(err, context.DeadlineExceeded):
		r.live.fail(Timeout, took)
	default:
		r.live.fail("connection", took)
	}
	if r.Progress != nil {
		r.Progress(time.Since(r.began), &r.live.Measurement)
	}
}

// Timeout is the name under which a measurement counts requests that were given up.
const Timeout = "timeout"

// remove tries to delete the own Lease this many times, with this wait in between.
const (
	removals    = 3
	removalWait = time.Second
)

// remove deletes the probe's own Lease, with up to three tries, even if ctx has ended. A Lease that the server is known to have
// made, and that is not found, counts as deleted. An error says that the Lease is perhaps still there.
func (r *probing) remove(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	for n := range removals {
		if n > 0 {
			time.Sleep(removalWait)
		}
		if err = r.delete(ctx); err == nil || r.own != nil && apierrors.IsNotFound(err) {
			return nil
		}
	}
	return fmt.Errorf("the Lease %s/%s may still be there: delete it with "+
		"'kubectl delete lease --namespace %s %s': %w", r.live.Namespace, r.live.Name, r.live.Namespace, r.live.Name, err)
}

// delete sends one request to delete the probe's own Lease. If r.own is known, the request deletes only the Lease with its UID,
// and no other one of that name.
func (r *probing) delete(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	options := &metav1.DeleteOptions{}
	if r.own != nil {
		options.Preconditions = metav1.NewUIDPreconditions(string(r.own.UID))
	}
	return r.client.Delete().Namespace(r.live.Namespace).Resource("leases").Name(r.live.Name).Body(options).
		Do(within).Error()
}

// explain returns an error that says which request on which Lease failed and why and, of a refusal, a Lease that is not there or
// a deadline, what would help.
func (r *probing) explain(verb string, err error) error {
	what := "leases in every namespace"
	if r.live.Namespace != "" {
		what = "leases in namespace " + r.live.Namespace
	}
	if r.live.Name != "" {
		what = fmt.Sprintf("the Lease %s/%s", r.live.Namespace, r.live.Name)
	}
	switch {
	case apierrors.IsForbidden(err) && verb == "list":
		return fmt.Errorf("may not list %s: name one with --namespace and --lease, or have RBAC allow the verb list: %w",
			what, err)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("may not %s %s: have RBAC allow the verb %s on leases of coordination.k8s.io: %w", verb, what, verb, err)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the server does not know the user: want other credentials: %w", err)
	case apierrors.IsNotFound(err) && verb == "get":
		return fmt.Errorf("cannot %s %s: want one that exists, or --write for an own one: %w", verb, what, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("cannot %s %s: no answer within %v: want a server that answers, or a longer --request-timeout",
			verb, what, r.Timeout)
	}
	return fmt.Errorf("cannot %s %s: %w", verb, what, err)
}
