package scenarios

import (
	"math"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/plan"
)

// http1 is the protocol of a connection that is not one of HTTP/2.
const http1 = "http/1.1"

var trafficFields = []plan.Field[plan.Traffic]{
	plan.FieldAt("at", func(t *plan.Traffic) *time.Duration { return &t.At }),
	plan.FieldAt("until", func(t *plan.Traffic) **time.Duration { return &t.Until }),
	plan.FieldAt("every", func(t *plan.Traffic) *time.Duration { return &t.Every }),
	plan.FieldAt("count", func(t *plan.Traffic) *int { return &t.Count }),
	plan.FieldAt("drawn", func(t *plan.Traffic) *bool { return &t.Drawn }),
}

var protocols = []string{"http/2", http1}

// half stands for a request timeout of half the RenewDeadline, until that is known. So does halfOfKind, which the kind of client has
// brought: it goes if another kind takes its place.
const (
	half time.Duration = math.MinInt64 + iota
	halfOfKind
)

// timeoutByKind gives c the request timeout of the kind of client that n names, if it names a known one. A kind without a timeout
// only removes that of another kind. It must be called before n is decoded into c: then a requestTimeout in n counts instead,
// wherever in n it stands.
func timeoutByKind(n *node, c *Candidate) {
	f := n.get("client")
	if f == nil {
		return
	}
	name := f.value.text
	if f.value.kind == mapKind {
		kind := f.value.get("kind")
		if kind == nil {
			return
		}
		name = kind.value.text
	}
	switch k, known := plan.ClientKindNamed(name); {
	case !known:
	case k.Halves:
		c.RequestTimeout = halfOfKind
	case c.RequestTimeout == halfOfKind:
		c.RequestTimeout = 0
	}
}

// requestTimeout decodes a duration, the word half, for which it returns the constant half, or the word none, for which it returns 0.
// A duration that stands for one of the constants half and halfOfKind is an error.
func (d *decoder) requestTimeout(n *node) time.Duration {
	switch {
	case n.kind == textKind && n.text == "half":
		return half
	case n.kind == textKind && n.text == "none":
		return 0
	case n.kind == textKind && !strings.ContainsAny(n.text, "0123456789"):
		d.fail("%s is not half, none or a duration such as 5s", phrase.Quote(n.text))
		return 0
	}
	given := d.duration(n)
	if given <= halfOfKind {
		d.fail("%v is negative", given)
	}
	return given
}

// client decodes a client: the name of a kind, or a mapping. In a mapping, a field that is not given has the value of the
// kind; without a kind, that of inherited or, if inherited is nil, of client-go. Only burst depends on another field. Without
// a rate it becomes 0. With a rate, plan.DefaultBurst takes the place of a 0 that the file does not give, and of any 0 if the
// file gives a qps of 0. The result is nil for the name none, and for a mapping that has the kind none and no other field. It
// shares no memory with inherited.
func (d *decoder) client(n *node, inherited *plan.Client) *plan.Client {
	if n.kind != mapKind {
		return d.clientKind(n)
	}
	c := inherited
	if f := n.get("kind"); f != nil {
		d.at(step{name: f.name, line: f.line}, func() { c = d.clientKind(f.value) })
	} else if c == nil {
		k, _ := plan.ClientKindNamed("client-go")
		c = &k.Client
	}
	none := c == nil
	if c = c.Clone(); none {
		c = new(plan.Client)
	}
	fields(d, n, "a client", plan.ClientFields(), c)
	qps := n.get("qps")
	noRate := qps != nil && d.number(qps.value) == 0 // which stands for the default
	switch {
	case none && len(n.fields) == 1:
		return nil
	case c.QPS == 0: // without a rate there is no bucket
		c.Burst = 0
	case c.Burst == 0 && (noRate || n.get("burst") == nil):
		c.Burst = plan.DefaultBurst
	}
	return c
}

// protocol decodes the name of a connection's protocol. A name that is not one of protocols is an error.
func (d *decoder) protocol(n *node) string {
	name := d.oneOf(n, "protocol", protocols)
	if !slices.Contains(protocols, name) {
		d.fail("%s is not a protocol of a connection; want %s", phrase.Quote(name), phrase.Or(protocols))
	}
	return name
}

// clientKind decodes the name of a kind of client, and returns a new client of that kind; nil for none. An unknown name is an error.
func (d *decoder) clientKind(n *node) *plan.Client {
	if n.kind == listKind || n.kind == nullKind {
		d.fail("want a kind of client, such as client-go, or {qps: 5, burst: 10}; got %s", n)
	}
	name := d.oneOf(n, "kind of client", plan.ClientKindNames())
	k, known := plan.ClientKindNamed(name)
	switch {
	case !known:
		d.fail("%s is not a kind of client; want one of %s", phrase.Quote(name), strings.Join(plan.ClientKindNames(), ", "))
		return nil
	case name == plan.NoClient:
		return nil
	}
	return k.Client.Clone()
}

// rateOf returns the QPS of a plan.Client for the one in a file, which means the same as in rest.Config: 0 is the default of
// client-go, and a negative one is no limit, for which the result is 0.
func rateOf(qps float64) float64 {
	switch {
	case qps == 0:
		return plan.DefaultQPS
	case qps < 0:
		return 0
	default:
		return qps
	}
}

// other decodes n, a list of traffic that shares a client.
func (d *decoder) other(n *node) (all []plan.Traffic) {
	d.list(n, "a list of other traffic, such as [{at: 0s, every: 1s, count: 3}]", func(_ int, n *node) {
		all = append(all, d.traffic(n))
	})
	return all
}

// traffic decodes n into traffic that shares a client. The field at is required; a count that is not given is 1, and any other
// field is zero.
func (d *decoder) traffic(n *node) plan.Traffic {
	t := plan.Traffic{Count: 1}
	fields(d, n, "other traffic", trafficFields, &t)
	d.need(n, "at", "it is when the first requests come, such as 20s")
	return t
}

// clientMembers returns the fields to write for a client: the kind none, so that nothing is inherited, then all that differ from
// those of no client. Without a limit it also writes retries, since a kind alone would be no client.
func clientMembers(c *plan.Client) members {
	usual := plan.Client{}
	if !c.Limits() { // there is no burst then, and the kind alone would be no client
		usual.Burst, usual.Retries = c.Burst, !c.Retries
	}
	return append(members{{"kind", plan.NoClient}}, membersOf(plan.ClientFields(), c, &usual)...)
}

// otherValue returns the value to write for the traffic that shares a client. Each entry has at, and the fields that differ from the value
// of a field that is left out.
func otherValue(other []plan.Traffic) any {
	all := []members{}
	for i := range other {
		all = append(all, membersOf(trafficFields, &other[i], &plan.Traffic{At: -1, Count: 1})) // no traffic has that at
	}
	return all
}
