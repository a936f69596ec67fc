package scenarios

import (
	"math"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

var (
	// clientFields and trafficFields are in the order in which they are written.
	clientFields  = []string{"kind", "qps", "burst", "retries", "other"}
	trafficFields = []string{"at", "until", "every", "count", "drawn"}
)

// half stands for a request timeout of half the RenewDeadline, until that is known. So does halfOfKind, which the kind of client has
// brought: it goes if another kind takes its place.
const (
	half time.Duration = math.MinInt64 + iota
	halfOfKind
)

// clientKind is a client with the settings that a program has if it gives none.
type clientKind struct {
	name string
	plan.Client
	// halves: its request timeout is half the RenewDeadline.
	halves bool
}

// noClient is the name of the kind without a client's work.
const noClient = "none"

// clientKinds are, after none: rest.Config of k8s.io/client-go (DefaultQPS and DefaultBurst in rest/config.go);
// sigs.k8s.io/controller-runtime, v0.21 and later (pkg/client/config/config.go and pkg/leaderelection/leader_election.go);
// k8s.io/component-base (config/v1alpha1/defaults.go), with the timeout of resourcelock.NewFromKubeconfig.
var clientKinds = []clientKind{
	{name: noClient},
	{name: "client-go", Client: plan.Client{QPS: clientGoQPS, Burst: clientGoBurst, Retries: true}},
	{name: "controller-runtime", Client: plan.Client{Retries: true}, halves: true},
	{name: "component-base", Client: plan.Client{QPS: 50, Burst: 100, Retries: true}, halves: true},
}

// What rest.Config takes 0 for.
const (
	clientGoQPS   = 5
	clientGoBurst = 10
)

// clientKindNames returns the names of clientKinds, in the same order.
func clientKindNames() (names []string) {
	for i := range clientKinds {
		names = append(names, clientKinds[i].name)
	}
	return names
}

// clientKindNamed returns the kind of that name, nil if there is none.
func clientKindNamed(name string) *clientKind {
	i := slices.IndexFunc(clientKinds, func(k clientKind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &clientKinds[i]
}

// timeoutByKind gives c the request timeout of the kind of client that n names, if it names one, in the place of that of another
// kind. n is what c is about to be decoded from, wherever in it the client stands: a requestTimeout beside it counts instead.
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
	switch k := clientKindNamed(name); {
	case k == nil:
	case k.halves:
		c.RequestTimeout = halfOfKind
	case c.RequestTimeout == halfOfKind:
		c.RequestTimeout = 0
	}
}

// requestTimeout decodes a duration, or half.
func (d *decoder) requestTimeout(n *node) time.Duration {
	if n.kind == textKind && n.text == "half" {
		return half
	}
	given := d.duration(n)
	if given <= halfOfKind {
		d.fail("%v is negative", given)
	}
	return given
}

// client decodes a client: the name of a kind, or a mapping. In a mapping, fields that are not given have the values of its
// kind; without a kind those of inherited or, if that is nil, of client-go.
func (d *decoder) client(n *node, inherited *plan.Client) *plan.Client {
	if n.kind != mapKind {
		return d.clientKind(n)
	}
	c := inherited
	if f := n.get("kind"); f != nil {
		d.at(step{name: f.name, line: f.line}, func() { c = d.clientKind(f.value) })
	} else if c == nil {
		c = &clientKindNamed("client-go").Client
	}
	if c = c.Clone(); c == nil {
		c = new(plan.Client)
	}
	d.mapping(n, "a client", clientFields, func(name string, n *node) {
		switch name {
		case "qps":
			c.QPS = d.qps(n)
		case "burst":
			c.Burst = int(d.whole(n))
		case "retries":
			c.Retries = d.boolean(n)
		case "other":
			c.Other = nil
			d.list(n, "a list of other traffic, such as [{at: 0s, every: 1s, count: 3}]", func(_ int, n *node) {
				c.Other = append(c.Other, d.traffic(n))
			})
		}
	})
	return settled(c, n)
}

// clientKind decodes the name of a kind of client.
func (d *decoder) clientKind(n *node) *plan.Client {
	if n.kind == listKind {
		d.fail("want a kind of client, such as client-go, or {qps: 5, burst: 10}; got a list")
	}
	name := d.oneOf(n, "kind of client", clientKindNames())
	k := clientKindNamed(name)
	switch {
	case k == nil:
		d.fail("%s is not a kind of client; want one of %s", phrase.Quote(name), strings.Join(clientKindNames(), ", "))
		return nil
	case name == noClient:
		return nil
	}
	return k.Client.Clone()
}

// qps decodes a rate as rest.Config takes it: 0 is the default of client-go, and a negative one no limit.
func (d *decoder) qps(n *node) float64 {
	switch qps := d.number(n); {
	case qps == 0:
		return clientGoQPS
	case qps < 0:
		return 0
	default:
		return qps
	}
}

// settled returns c, decoded from n, with a Burst that fits its QPS, as rest.Config takes them: without a rate there is no bucket,
// and where the rate is 0, which stands for the default, so is a size of 0.
func settled(c *plan.Client, n *node) *plan.Client {
	if c.QPS == 0 {
		c.Burst = 0
	}
	if f := n.get("qps"); f != nil && c.Burst == 0 && c.QPS == clientGoQPS && strings.Trim(f.value.text, "+-0.") == "" {
		c.Burst = clientGoBurst
	}
	return c
}

// traffic decodes n into traffic that shares a client. A count that is not given is 1.
func (d *decoder) traffic(n *node) plan.Traffic {
	t := plan.Traffic{Count: 1}
	d.mapping(n, "other traffic", trafficFields, func(name string, n *node) {
		switch name {
		case "at":
			t.At = d.duration(n)
		case "until":
			t.Until = new(d.duration(n))
		case "every":
			t.Every = d.duration(n)
		case "count":
			t.Count = int(d.whole(n))
		case "drawn":
			t.Drawn = d.boolean(n)
		}
	})
	d.need(n, "at", "it is when the first requests come, such as 20s")
	return t
}

// clientMembers returns the fields to write for a client: all that differ from those of no client.
func clientMembers(c *plan.Client) members {
	m := members{{"kind", noClient}} // so that nothing is inherited
	if c.Limits() {
		m.add(true, "qps", floatText(c.QPS))
		m.add(true, "burst", wholeText(int64(c.Burst)))
	}
	m.add(c.Retries, "retries", literal("true"))
	var other []members
	for i := range c.Other {
		other = append(other, trafficMembers(&c.Other[i]))
	}
	m.add(len(other) > 0, "other", other)
	return m
}

// trafficMembers returns the fields to write for traffic.
func trafficMembers(t *plan.Traffic) (m members) {
	m.duration(true, "at", t.At)
	if t.Until != nil {
		m.duration(true, "until", *t.Until)
	}
	m.duration(t.Every != 0, "every", t.Every)
	m.add(t.Count != 1, "count", wholeText(int64(t.Count)))
	m.add(t.Drawn, "drawn", literal("true"))
	return m
}
