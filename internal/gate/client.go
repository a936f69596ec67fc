package gate

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
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
		return nil, fmt.Errorf("%s is not a kind of client; want one of %s", name, phrase.List(plan.ClientKindNames(), name))
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
	t.Timeout, t.TimeoutFrom = programs.Timeout{Kind: programs.None}, "--client"
	if k.Halves {
		t.Timeout.Kind = programs.Half
	}
}

// heeded returns the numbers of e that count for the target. Those about a client's limiter and retries count only where the client has
// them. Other traffic that a file gives counts only where leader election shares its client. But a number that is no file's stays for
// a target which is in none: Judge says then that it does not count.
func (t *Target) heeded(e *Environment) *bound.Environment {
	of := e.Environment
	ofSite := func(name string) bool { return strings.Contains(e.sourceOf(name), ":") }
	silent := func(name string) bool {
		return !t.Client.Limits() && (t.inFile || ofSite(name)) || t.Program.OwnsClient() && ofSite(name)
	}
	if silent("otherQPS") {
		of.OtherQPS = 0
	}
	if silent("otherBurst") {
		of.OtherBurst = 0
	}
	if !t.Client.Repeats() && (t.inFile || ofSite("maxRetryAfter")) {
		of.MaxRetryAfter = 0
	}
	return &of
}

// clientUnsaid tells whether numbers of e are about a client of which nothing is known. They do not count then.
func (t *Target) clientUnsaid(e *Environment) bool {
	given := e.OtherQPS > 0 || e.OtherBurst > 0 || e.MaxRetryAfter > 0
	return given && t.inFile && t.Client == nil && t.ClientFrom == "" && t.Profile.Client == machine.OfClientGo && !t.Lock.Expires()
}

// CheckClient returns an error if a bound of the environment does not count for the client c, which can be nil: a MaxRetryAfter if
// c has no retries, OtherQPS or OtherBurst if it has no limiter.
func CheckClient(c *plan.Client, e *bound.Environment) error {
	switch {
	case e.MaxRetryAfter > 0 && !c.Repeats():
		return errors.New("maxRetryAfter counts for a client that repeats requests: want --client")
	case (e.OtherQPS > 0 || e.OtherBurst > 0) && !c.Limits():
		return errors.New("otherQPS and otherBurst count for a client with a limiter: want --client client-go, or --qps and --burst")
	}
	return nil
}

// clientAssumed returns in words what the verdict assumes of j.Client, which must not be nil.
func (j *Judgement) clientAssumed() string {
	c, e := j.Client, &j.Environment
	if !c.Limits() {
		return "client: no limit of requests (" + j.ClientFrom + "), " + j.retryWords() + j.dialWords()
	}
	words := fmt.Sprintf("client: %s, bursts of %d (%s)", rateWords(c.QPS), c.Burst, j.ClientFrom)
	switch {
	case e.OtherQPS == 0 && e.OtherBurst == 0 && j.Program.OwnsClient():
		words += ", no other traffic (leader election has a client of its own: " + j.Program.ClientSource + ")"
	case e.OtherQPS == 0 && e.OtherBurst == 0:
		words += ", no other traffic (assumed)"
	default:
		words += fmt.Sprintf(", other traffic up to %s a second, bursts of %d", FormatRate(e.OtherQPS), e.OtherBurst)
	}
	if from := j.OtherFrom(); from != "" {
		words += " (" + from + ")"
	}
	return words + ", " + j.retryWords() + j.dialWords()
}

// dialWords returns in words how long the client takes to make a connection; "" if it takes no time.
func (j *Judgement) dialWords() string {
	if j.Client.Dial == 0 {
		return ""
	}
	return ", up to " + FormatDuration(j.Client.Dial) + " to connect"
}

// retryWords returns in words for how long a server asks a client to wait before it tries again, or "no Retry-After" where none asks. If
// the client repeats requests, and that time does not cover the second after which it repeats a read whose connection was reset, the words
// also say that none is.
func (j *Judgement) retryWords() string {
	words := "no Retry-After"
	if j.Environment.MaxRetryAfter > 0 {
		words = "Retry-After up to " + FormatDuration(j.Environment.MaxRetryAfter)
	}
	if j.Client.Repeats() && j.Environment.MaxRetryAfter < time.Second {
		words += ", no connection reset during a read"
	}
	return words
}
