package rest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"interregnum/plan"
)

// verbs are the lock's verbs, by the method of their requests.
var verbs = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "update"}

// pipes is a listener whose connections are in memory.
type pipes struct {
	made chan net.Conn
	over chan struct{}
}

func (p *pipes) dial() (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.made <- server:
		return client, nil
	case <-p.over:
		return nil, net.ErrClosed
	}
}

// Accept returns the server's end of the next connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.made:
		return c, nil
	case <-p.over:
		return nil, net.ErrClosed
	}
}

// Close does nothing: the end of the world closes it.
func (p *pipes) Close() error { return nil }

// Addr returns no real address.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// ServeHTTP handles a request as the network and the service do. One that is lost never gets an answer. The world's time passes
// here, not in the connections.
func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "/leases") {
		answer(out, http.StatusNotFound, nil, "get", nil)
		return
	}
	verb, candidate := verbs[r.Method], candidateOf(r.UserAgent())
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	w.note(candidate, sent(verb))
	if w.carry(candidate, plan.RequestLeg) {
		return
	}
	status, lease, retryAfter := w.serve(candidate, verb, leaseOf(body))
	if w.carry(candidate, plan.ResponseLeg) {
		return
	}
	answer(out, status, lease, verb, retryAfter)
}

// candidateOf returns the index of the candidate with that user agent.
func candidateOf(agent string) int {
	i, err := strconv.Atoi(agent)
	if err != nil {
		panic(err)
	}
	return i
}

// leaseOf reads a Lease in the encoding that the client chose, nil if there is none.
func leaseOf(body []byte) *coordinationv1.Lease {
	if len(body) == 0 {
		return nil
	}
	in := &coordinationv1.Lease{}
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, in); err != nil {
		panic(err)
	}
	return in
}

// carry lets pass what a message takes on that leg, by the faults in force now. It returns true, at the end of the world, if the
// message is lost.
func (w *world) carry(candidate int, leg plan.Leg) (lost bool) {
	lost, delay := w.leg(candidate, leg)
	if lost {
		<-w.over
		return true
	}
	select {
	case <-w.over:
		return true
	case <-time.After(delay):
		return false
	}
}

// serve has the service answer a request that has arrived.
func (w *world) serve(candidate int, verb string, in *coordinationv1.Lease) (
	status int, lease *coordinationv1.Lease, retryAfter *time.Duration,
) {
	w.mu.Lock()
	defer w.mu.Unlock()
	refusal, applied, retryAfter := w.refusal(candidate, verb)
	if refusal == 0 || applied {
		var changed bool
		if status, lease, changed = w.store.handle(verb, in); changed {
			w.noteLocked(candidate, wrote(verb, *lease.Spec.HolderIdentity, w.store.version, int(*lease.Spec.LeaseTransitions)))
			if retryAfter != nil {
				w.seen["applied, and a Retry-After"]++
			}
		} else {
			w.noteLocked(candidate, handled(verb, status))
		}
	}
	if refusal == 0 {
		return status, lease, nil
	}
	w.noteLocked(candidate, refused(verb, refusal))
	return refusal, nil, retryAfter
}

// answer writes an answer with a Lease, or that of an error.
func answer(out http.ResponseWriter, status int, lease *coordinationv1.Lease, verb string, retryAfter *time.Duration) {
	var body any = lease
	if lease == nil {
		reason := apierrors.NewGenericServerResponse(status, verb, coordinationv1.Resource("leases"), "lock", "", 0, true).Status()
		if status == http.StatusConflict && verb == "create" {
			reason = apierrors.NewAlreadyExists(coordinationv1.Resource("leases"), "lock").Status()
		}
		reason.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
		body = reason
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	out.Header().Set("Content-Type", "application/json")
	if retryAfter != nil {
		out.Header().Set("Retry-After", strconv.Itoa(int(*retryAfter/time.Second)))
	}
	out.WriteHeader(status)
	_, _ = out.Write(text) // nobody reads it if the client has given up
}
