package plan

import (
	"math"
	"slices"
	"strconv"
	"time"

	"interregnum/elector/machine"
)

// Client is what a candidate's client does with a call of the lock besides sending a request, as rest.Client of client-go does
// (rest/request.go and rest/with_retry.go).
type Client struct {
	// QPS and Burst are the rate, in requests a second, and the size of the token bucket that requests wait for
	// (golang.org/x/time/rate). A QPS of 0 is no bucket. A process starts with a full bucket for each of its elections.
	// A request that would wait beyond the end of its context fails at once.
	QPS   float64
	Burst int
	// Other is what else the process asks for with the same client: it takes tokens from the bucket, and nothing else.
	Other []Traffic
	// Retries: an answer of 429 or 5xx with a Retry-After is waited out and the request sent again, MaxRetries times at most.
	// That is part of the call: its context and its request timeout go on.
	Retries bool
	// Dial is how long the client takes to make a connection, before the first request on it is sent: with TCP and TLS 1.3 two round
	// trips. A request timeout goes on meanwhile. It is less than LongestDial.
	Dial time.Duration
	// HTTP1: its connection is one of HTTP/1.1, as with DISABLE_HTTP2 in the environment of client-go, or a URL without TLS. There are no
	// pings. A request that is given up ends its connection.
	HTTP1 bool
}

// MaxRetries is how often a call repeats its request.
const MaxRetries = 10

// RepeatAfter is how long a client waits before it sends a read again whose connection has ended (retryAfterResponse in
// rest/with_retry.go).
const RepeatAfter = time.Second

// An HTTP/2 connection from which nothing was read for ReadIdle is sent a ping, and is closed if no answer comes within PingWait.
// The code is golang.org/x/net/http2, the settings are those of k8s.io/apimachinery (util/net/http.go).
const (
	ReadIdle = 30 * time.Second
	PingWait = 15 * time.Second
	// LongestStall is how long after it was last read from a connection is closed.
	LongestStall = ReadIdle + PingWait
)

// IdleTimeout is how long a connection stays open on which no request is under way (IdleConnTimeout of net/http.DefaultTransport, which
// k8s.io/apimachinery takes over).
const IdleTimeout = 90 * time.Second

// DialTimeout is how long a client tries to make a connection, if nobody answers (the dialer in transport/cache.go of k8s.io/client-go).
const DialTimeout = 30 * time.Second

// FirstResend is how long TCP waits for an answer to the first packet of a connection before it sends that again. Each further wait is
// twice as long (RFC 6298, 2.1 and 5.5), so that a dial sends it at 0, 1, 3, 7 and 15 s. This is what Linux does with
// net.ipv4.tcp_syn_linear_timeouts at 0, and did before 6.5.
const FirstResend = time.Second

// LongestDial is how long a dial cannot take. It is two round trips, one for TCP and one for TLS, and client-go gives a TLS handshake up
// after 10 s (TLSHandshakeTimeout in transport/cache.go). TCP alone has DialTimeout.
const LongestDial = 20 * time.Second

// Traffic is requests that share a client with those of the lock. Its times are on the candidate's clock, which shows 0 at the
// start of the run. What comes while the process does not run, or is frozen, never comes.
type Traffic struct {
	// At is when the first requests come. Until, at which none come any more, is nil if they go on to the horizon.
	At    time.Duration
	Until *time.Duration
	// Every is the time to the next ones; 0: they come once.
	Every time.Duration
	// Count is how many come at a time.
	Count int
	// Drawn: each time to the next ones is drawn. It is exponentially distributed with mean Every, rounded down to nanoseconds, plus
	// 1 ns.
	Drawn bool
}

// HalfOf returns half of a RenewDeadline, and a second at least: what resourcelock.NewFromKubeconfig of client-go sets
// (k8s.io/client-go@v0.34.0, tools/leaderelection/resourcelock/interface.go:147), and controller-runtime
// (sigs.k8s.io/controller-runtime@v0.25.2, pkg/leaderelection/leader_election.go:106).
func HalfOf(renewDeadline time.Duration) time.Duration { return max(renewDeadline/2, time.Second) }

// Clone returns a copy of c, nil for nil.
func (c *Client) Clone() *Client {
	if c == nil {
		return nil
	}
	copied := *c
	copied.Other = slices.Clone(c.Other)
	return &copied
}

// Dials returns how long the candidate's client takes to make a connection, 0 without a client.
func (c *Candidate) Dials() time.Duration {
	if c.Client == nil {
		return 0
	}
	return c.Client.Dial
}

// Limits tells whether requests wait for tokens; false if c is nil.
func (c *Client) Limits() bool { return c != nil && c.QPS > 0 }

// Repeats tells whether the client sends requests again: after a Retry-After, and a read whose connection has ended. It is false
// if c is nil.
func (c *Client) Repeats() bool { return c != nil && c.Retries }

// WaitsOut tells whether an answer of that HTTP status, with a Retry-After, is waited out and the request sent again: 429 and 500
// or more are (checkWait in rest/with_retry.go), if the client repeats requests. It is false if c is nil.
func (c *Client) WaitsOut(status int) bool {
	return c.Repeats() && (status == tooManyRequests || status >= serverError)
}

// The limits of Client. maxBurst also limits Count.
const (
	minQPS, maxQPS = 1e-6, 1e6
	maxBurst       = 1_000_000
	// maxOther is how many entries of other traffic a client may have.
	maxOther = 100
	// maxTraffic is how many requests of one kind of other traffic may come in a run, and maxAllTraffic how many of all together.
	maxTraffic    = 10_000_000
	maxAllTraffic = 10 * maxTraffic
)

// traffic checks t, entry i of a client's other traffic, and adds its requests to v.traffics.
func (v *planCheck) traffic(i int, t *Traffic) {
	field := "client.other[" + strconv.Itoa(i) + "]."
	v.between(field+"at", t.At, 0)
	v.between(field+"every", t.Every, 0)
	if t.Until != nil {
		v.between(field+"until", *t.Until, 0)
		if *t.Until <= t.At {
			v.fail(field+"until", "%v is not after at, %v", *t.Until, t.At)
		}
	}
	switch {
	case t.Count < 1 || t.Count > maxBurst:
		v.fail(field+"count", "%d is out of range; want 1 to %d", t.Count, maxBurst)
	case t.Every == 0 && (t.Drawn || t.Until != nil):
		v.fail(field+"every", "is required with until or drawn; it is the time between two, such as 1s")
	case t.Every > 0 && t.Most(v.plan.Horizon) > maxTraffic:
		v.fail(field+"every", "%v makes more than %d requests until the horizon", t.Every, maxTraffic)
	default:
		v.others(field+"count", t.Most(v.plan.Horizon))
	}
}

// others adds more, a number of requests of other traffic, to v.traffics. It records an error of the field if there are then too
// many.
func (v *planCheck) others(field string, more int64) {
	if v.traffics += more; v.traffics > maxAllTraffic {
		v.fail(field, "makes more than %d requests of others in the whole scenario; want fewer, or for fewer candidates", maxAllTraffic)
	}
}

// Most returns how many requests come until the horizon at most, on a clock that runs true. If they are drawn, it returns how
// many come on average. If they come at more than maxTraffic times, it returns the number of times instead, which is too many
// in any case.
func (t *Traffic) Most(horizon time.Duration) int64 {
	if t.Every == 0 {
		return int64(t.Count)
	}
	n := times(t.At, t.Until, t.Every, horizon)
	if n > maxTraffic {
		return n
	}
	return n * int64(t.Count)
}

// times returns at how many times something comes, at most; it is at least 1. It comes first at the time at, then each time that
// every, which must be positive, has passed, up to the horizon, and up to until if that is earlier and not nil.
func times(at time.Duration, until *time.Duration, every, horizon time.Duration) int64 {
	if until != nil {
		horizon = min(horizon, *until)
	}
	return int64(max(0, horizon-at)/every) + 1
}

// RefusesClient returns why c cannot have a client, and what to do, or "" if it can have one.
func (c *Candidate) RefusesClient() string {
	switch {
	case c.Lock.Expires() || c.Lock.ByWallClock():
		return "keys and rows are not asked for through a client of Kubernetes; want none, or lock lease"
	case c.Coordinated:
		return "is not simulated in coordinated elections; want none"
	case c.Profile.Client != machine.OfClientGo || c.Profile.ReadsFirst():
		return "is not simulated with profile " + c.Profile.Name + "; want none, or one of the present library"
	}
	return ""
}

// limitedAlone tells whether c has the profile client-go-v0.24 and a client that repeats no request. That one is simulated although
// RefusesClient says why not: before v0.33 the library waits a Retry-After out, whatever ends meanwhile, and does without it what it does now.
// No plan with such a client is drawn.
func (c *Candidate) limitedAlone() bool {
	p := &c.Profile
	return p.Client == machine.OfClientGo && p.ReadsFirst() && p.CarriesContext() && !c.Client.Retries && !c.Lock.Expires() && !c.Lock.ByWallClock()
}

// client checks c.Client: that c can have one, its rate, its burst, its dial time and its other traffic. nil is valid.
func (v *planCheck) client(c *Candidate) {
	l := c.Client
	if l == nil {
		return
	}
	if why := c.RefusesClient(); why != "" && !c.limitedAlone() {
		v.fail("client", "%s", why)
	}
	switch {
	case math.IsNaN(l.QPS) || l.QPS != 0 && (l.QPS < minQPS || l.QPS > maxQPS):
		v.fail("client.qps", "%v is out of range; want 0.000001 to 1000000, or -1 for no limit", l.QPS)
	case l.QPS > 0 && (l.Burst < 1 || l.Burst > maxBurst):
		v.fail("client.burst", "%d is out of range; want 1 to %d: with less no request is ever sent", l.Burst, maxBurst)
	case l.QPS == 0 && len(l.Other) > 0:
		v.fail("client.other", "takes tokens, and there are none without qps; want qps and burst too")
	case len(l.Other) > maxOther:
		v.fail("client.other", "has more than %d entries", maxOther)
	}
	if v.between("client.dial", l.Dial, 0); l.Dial >= LongestDial {
		v.fail("client.dial", "%v is too long; want less than %v, half of which is the TLS handshake, which a client gives up after 10 s",
			l.Dial, LongestDial)
	}
	for i := range l.Other {
		v.traffic(i, &l.Other[i])
	}
}
