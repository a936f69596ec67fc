package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios/plan"
)

// This file is of connections that the client closes. Without a request timeout a lost request ends nevertheless: once nothing was
// read from the connection for plan.LongestStall the client closes it. Such a request has been under way for plan.PingWait at least,
// since all that was before was answered, or the ping was. The attempt goes on on a new connection, as after a timeout.

// closings returns the request timeouts that have the same effect as a closing at the worst instants; none where a request timeout
// ends all requests before a connection can be closed, and where a closing makes no difference. The longer a lost call is under way, the
// longer is an attempt, until it ends with its poll: that is the worst for one to renew. An attempt to acquire has no deadline, so that the
// longest is. Where not even the shortest lets an attempt end with its poll, the shortest leaves most of it to the last write.
func closings(c *bound.Config, e *bound.Environment) []time.Duration {
	f, p := c.RequestTimeout, &c.Profile
	if f > 0 && f <= plan.PingWait || p.Client != machine.OfClientGo || p.CountsFromRenewal() || c.Lock.Expires() || !p.CarriesContext() {
		return nil
	}
	most := plan.LongestStall
	if c.Client == nil || c.Client.Repeats() { // client-go's own does
		// A read whose connection was closed is sent again, and that one's connection may be closed too. That is one call.
		most += plan.MaxRetries * (plan.RepeatAfter + plan.LongestStall)
		if f > 0 {
			most = min(most, 2*f)
		}
	} else if f > 0 {
		most = min(most, f)
	}
	all := []time.Duration{plan.PingWait, min(plan.LongestStall, most), most}
	for _, trip := range []time.Duration{bound.ClientTrip(c, e), e.MaxRoundTrip} {
		if fits := min(latest(c, e, trip), most); fits > plan.PingWait {
			all = append(all, fits)
		}
	}
	return all
}

// latest returns the longest time, on the leader's clock, after which a lost call may end and leave room in its poll for two
// answers, which take trip each, in true time. The leader's clock may be slow, so that it shows less than they take. The call
// ends within the poll in any case.
func latest(c *bound.Config, e *bound.Environment, trip time.Duration) time.Duration {
	return c.RenewDeadline - max(bound.Local(2*trip, -e.MaxDriftPPM), 1)
}

// closes tells whether the target's client is known to close connections: something is said of it, or else the program is known to be
// one in Go, whose clients are client-go's, and nobody says that it has none.
func (t *Target) closes() bool {
	return t.Client != nil || t.Program != nil && t.Program.Profile == "" && t.ClientFrom == ""
}

// closingsOf returns the values of closing, for boundClosed, with which a configuration of the target is judged: 0, which is
// none and, where the client is known to close connections, also closings.
func (t *Target) closingsOf(c *bound.Config, e *bound.Environment) []time.Duration {
	all := []time.Duration{0}
	if t.closes() {
		all = append(all, closings(c, e)...)
	}
	return all
}

// computing is bound.Of, or bound.Sum.
type computing func(*bound.Config, *bound.Environment) (*bound.Result, error)

// boundClosed computes the result for c where the client closes connections after closing, for which it puts a request timeout
// in c. With 0 the client closes none.
func boundClosed(of computing, c bound.Config, e *bound.Environment, closing time.Duration) (*bound.Result, error) {
	if closing == 0 {
		return of(&c, e)
	}
	c.RequestTimeout = closing
	r, err := of(&c, e)
	if err == nil {
		spread(r, &c, e)
	}
	return r, err
}

// spread changes r, a result with closings for which c.RequestTimeout stands, into an upper bound: it makes the term sameSecond
// a whole second. It does so where an attempt that fails can come before the last one in its poll: its closing may come at
// another time than the last one's, so that it ends just before a tick, and r does not count that.
func spread(r *bound.Result, c *bound.Config, e *bound.Environment) {
	if r.Unbounded || c.RequestTimeout >= latest(c, e, e.MaxRoundTrip) {
		return
	}
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Name == "sameSecond" && t.Time < time.Second {
			r.Overlap += time.Second - t.Time
			t.Time, r.Upper = time.Second, true
		}
	}
}

// playedConfig returns a copy of the configuration, with which the worst case is played: where a closing is part of it, with
// the request timeout that stands for that.
func (j *Judgement) playedConfig() *bound.Config {
	c := j.Config
	if j.Closing > 0 {
		c.RequestTimeout = j.Closing
	}
	return &c
}

// IfClosed returns the longest overlap that closings make possible, 0 for none, where the verdict does not count them, since nothing is
// known of the client.
func (j *Judgement) IfClosed() (longest time.Duration) {
	if j.closes() {
		return 0
	}
	return ifClosed(&j.Config, &j.Environment)
}

// IfClosed returns the longest overlap that closings make possible in an environment, 0 for none: the choice does not count them.
func (c *Choice) IfClosed(e *bound.Environment) time.Duration { return ifClosed(&c.Config, e) }

// ifClosed returns the longest overlap that closings make possible; 0 for none.
func ifClosed(c *bound.Config, e *bound.Environment) (longest time.Duration) {
	for _, d := range closings(c, e) {
		if r, err := boundClosed(bound.Sum, *c, e, d); err == nil {
			longest = max(longest, r.Overlap)
		}
	}
	return longest
}
