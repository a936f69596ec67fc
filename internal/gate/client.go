package gate

import (
	"fmt"
	"strings"

	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/scenarios/plan"
)

// ClientSaid is what somebody, such as a flag or a file, says of a client.
type ClientSaid struct {
	// Kind is the name of a kind of client; "" where no kind is said.
	Kind string
	// QPS and Burst are those of its rest.Config; nil where the kind's own numbers count.
	QPS   *float64
	Burst *int
}

// said tells whether any field is set.
func (s *ClientSaid) said() bool { return s.Kind != "" || s.QPS != nil || s.Burst != nil }

// Client returns the client that is said. It returns nil without an error if nothing is said, or if somebody says that there is
// none: what a client adds to a round trip is then part of the environment's MaxRoundTrip. It reads 0 and negative numbers as
// rest.Config does. The error is for an unknown kind, for numbers that kubernetes.NewForConfig refuses, and for numbers that do
// not fit the kind.
func (s *ClientSaid) Client() (*plan.Client, error) {
	if !s.said() {
		return nil, nil
	}
	name := s.Kind
	if name == "" {
		name = defaultKind
	}
	kind, known := plan.ClientKindNamed(name)
	if !known {
		return nil, fmt.Errorf("%s is not a kind of client; want one of %s", name, strings.Join(plan.ClientKindNames(), ", "))
	}
	if name == plan.NoClient {
		if s.QPS != nil || s.Burst != nil {
			return nil, fmt.Errorf("qps and burst of no client; want a kind of client, such as %s", defaultKind)
		}
		return nil, nil
	}
	c := kind.Client
	if s.QPS != nil && *s.QPS != 0 {
		c.QPS = max(0, *s.QPS)
		if c.QPS > 0 && c.Burst == 0 {
			c.Burst = plan.DefaultBurst
		}
	}
	switch {
	case c.QPS == 0 && s.QPS == nil && s.Burst != nil:
		return nil, fmt.Errorf("burst %d of a client without a limit; want a qps too", *s.Burst)
	case c.QPS == 0:
		c.Burst = 0
	case s.Burst != nil && *s.Burst < 1:
		return nil, fmt.Errorf("burst %d with qps %s, which kubernetes.NewForConfig refuses; want 1 or more, or qps -1 for no limit", *s.Burst,
			FormatRate(c.QPS))
	case s.Burst != nil:
		c.Burst = *s.Burst
	}
	return &c, nil
}

// defaultKind is the kind of a client of which only QPS or Burst is said.
const defaultKind = "client-go"

// SetClient sets Client and ClientFrom of a target that is in no file, to what s says; ClientFrom is --client, or --qps if s says
// no kind. It also sets the request timeout of the client's kind, unless timeoutSaid is true. s.Client must not return an error.
func (t *Target) SetClient(s *ClientSaid, timeoutSaid bool) {
	t.Client, _ = s.Client()
	if t.ClientFrom = "--client"; s.Kind == "" {
		t.ClientFrom = "--qps"
	}
	t.timeoutOfKind(s.Kind, timeoutSaid)
}

// timeoutOfKind sets Timeout to that of a kind of client, half of RenewDeadline or none, and TimeoutFrom to --client. It does
// nothing if said is true, or if the kind is unknown or NoClient.
func (t *Target) timeoutOfKind(kind string, said bool) {
	k, known := plan.ClientKindNamed(kind)
	if said || !known || kind == plan.NoClient {
		return
	}
	t.Timeout, t.TimeoutFrom = files.Timeout{Kind: files.None}, "--client"
	if k.Halves {
		t.Timeout.Kind = files.Half
	}
}

// clientOf sets t.Client and, as its origin, t.ClientFrom: from the target f that was found in a file, the code of its program,
// or the flags. With a kind that a flag gives, it also sets the request timeout, unless one is known. It sets nothing if nobody
// says anything of clients: no flag, not the environment, not f as a whole, and not f of the client that the program has for
// leader election alone. What a client adds then stays part of the environment's round trip. It also sets nothing for a program
// with a profile of its own. It returns a files.Problem if what f says of the client cannot be read, or if its numbers are bad.
func (t *Target) clientOf(f *files.Target, unsaid *Unsaid, e *Environment) error {
	if t.Own != nil {
		e = t.Own
	}
	asked := unsaid.Client.said() || len(e.OfClients()) > 0 || f.ClientWhole
	own := f.Program != nil && f.Program.Client != ""
	s := unsaid.Client
	switch {
	case f.Program != nil && f.Program.Profile != "" || !asked && !(own && f.SaysClient() && f.ClientUnread == ""):
		return nil
	case f.ClientUnread != "":
		return t.problem("%s", f.ClientUnread)
	case own:
		s, t.ClientFrom = ClientSaid{Kind: f.Program.Client}, f.Program.Name
	case s.said():
		t.ClientFrom = "--client"
		t.timeoutOfKind(s.Kind, t.Timeout.Kind != files.Either)
	}
	if f.SaysClient() {
		s.QPS, s.Burst, t.ClientFrom = f.QPS, f.Burst, "the file"
	}
	c, err := s.Client()
	if err != nil {
		return t.problem("the client: %v", err)
	}
	t.Client = c
	return nil
}

// checkClient returns a files.Problem if a bound of the environment does not count for the target's client: a MaxRetryAfter if
// that client has no retries, OtherQPS or OtherBurst if it has no limiter. Otherwise it returns nil.
func (t *Target) checkClient(e *bound.Environment) error {
	switch {
	case t.Client.Repeats() && (t.Client.Limits() || e.OtherQPS == 0 && e.OtherBurst == 0):
	case e.MaxRetryAfter > 0 && !t.Client.Repeats():
		return t.problem("maxRetryAfter counts for a client that repeats requests: want --client")
	case (e.OtherQPS > 0 || e.OtherBurst > 0) && !t.Client.Limits():
		return t.problem("otherQPS and otherBurst count for a client with a limiter: want --client client-go, or --qps and --burst")
	}
	return nil
}

// clientAssumed returns in words what the verdict assumes of j.Client, which must not be nil.
func (j *Judgement) clientAssumed() string {
	c, e := j.Client, &j.Environment
	if !c.Limits() {
		return "client: no limit of requests (" + j.ClientFrom + "), " + j.retryWords()
	}
	words := fmt.Sprintf("client: %s requests a second, bursts of %d (%s)", FormatRate(c.QPS), c.Burst, j.ClientFrom)
	switch {
	case e.OtherQPS == 0 && e.OtherBurst == 0 && j.Program != nil && j.Program.Client != "":
		words += ", no other traffic (leader election has a client of its own: " + j.Program.ClientSource + ")"
	case e.OtherQPS == 0 && e.OtherBurst == 0:
		words += ", no other traffic (assumed)"
	default:
		words += fmt.Sprintf(", other traffic up to %s a second, bursts of %d", FormatRate(e.OtherQPS), e.OtherBurst)
	}
	return words + ", " + j.retryWords()
}

// retryWords returns in words for how long a server asks a client to wait before it tries again; "no Retry-After" where none
// asks.
func (j *Judgement) retryWords() string {
	if j.Environment.MaxRetryAfter == 0 {
		return "no Retry-After"
	}
	return "Retry-After up to " + FormatDuration(j.Environment.MaxRetryAfter)
}
