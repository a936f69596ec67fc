package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// This file is of connections that the client closes, once nothing was read from them for plan.LongestStall. What closings at any
// instants can do has an upper bound (anyClosings). Some of it can be shown: a lost request ends, after plan.PingWait or more if all
// that was before was answered, and the attempt goes on on a new connection, as after a request timeout (closings).

// anyClosings is no request timeout. It stands for closings at any instants, of any number of connections; see bound.Config. anyDials
// stands for new connections at any instants, of a client that closes none by itself.
const (
	anyClosings time.Duration = -1
	anyDials    time.Duration = -2
)

// closable tells whether closings can make a difference to c. They can for an algorithm of client-go whose requests end with
// their context, other than strict, on a lock that does not expire by itself.
func closable(c *bound.Config) bool {
	p := &c.Profile
	return p.Client == machine.OfClientGo && !p.CountsFromRenewal() && !c.Lock.Expires() && p.CarriesContext()
}

// allClosings returns anyClosings and after it what closings returns; nil if a closing makes no difference.
func allClosings(c *bound.Config, e *bound.Environment) []time.Duration {
	if !closable(c) {
		return nil
	}
	return append([]time.Duration{anyClosings}, closings(c, e)...)
}

// closings returns the request timeouts that have the same effect as the closing of a connection at the worst instants, where there is
// no request timeout. It returns nil with one, and if a closing makes no difference.
//
// To renew, the worst is a lost call that is under way for as long as the poll still leaves time for the attempt. An attempt to
// acquire has no deadline, so that the longest lost call is the worst. If even the shortest lost call leaves no such time, the
// shortest is the worst, since it leaves most of the poll to the last write.
func closings(c *bound.Config, e *bound.Environment) []time.Duration {
	if c.RequestTimeout > 0 || !closable(c) {
		return nil
	}
	most := plan.LongestStall
	if c.RepeatsReads() {
		// A read whose connection was closed is sent again, and that one's connection may be closed too. That is one call.
		most += plan.MaxRetries * (plan.RepeatAfter + plan.LongestStall)
	}
	all := []time.Duration{plan.PingWait, min(plan.LongestStall, most), most}
	for _, trip := range []time.Duration{bound.ClientTrip(c, e), e.MaxRoundTrip} {
		if fits := min(latest(c, e, trip), most); fits > plan.PingWait {
			all = append(all, fits)
		}
	}
	return all
}

// cover raises the upper bound of j.Result to that of the result given as most, which is the one for anyClosings. If most has the
// longer overlap, j.Result becomes most, still with the plan that j.Result shows, and j.Covered is set. AtLeast and Slack of
// j.Result then give the higher of the two upper bounds, or none if one of them is not known. If most is Unbounded, j.Result becomes so,
// and stays otherwise as it is, unless it is safe. cover does nothing if j.Result is Unbounded.
func (j *Judgement) cover(most *bound.Result) {
	shown := j.Result
	switch {
	case shown.Unbounded:
		return
	case most.Unbounded && !shown.Safe():
		j.Result = shown.Without(most.Plan.Endless)
		return
	}
	if most.Overlap > shown.Overlap {
		j.Result, j.Covered = most.Showing(shown), true
	}
	atMost(j.Result, []*bound.Result{shown, most})
}

// latest returns the longest time, on the leader's clock, after which a lost call can end and leave room in its poll for two
// answers. Each answer takes the duration given as trip, in true time. The leader's clock can be slow, so that it shows less time
// than the answers take. The call ends at least a nanosecond before the poll. If there is no room, the result is 0 or negative.
func latest(c *bound.Config, e *bound.Environment, trip time.Duration) time.Duration {
	return c.RenewDeadline - max(bound.Local(2*trip, -e.MaxDriftPPM), 1)
}

// closes tells whether the target's client is known to close connections on which nothing comes. This is so if t.Client is set and
// speaks HTTP/2. It is also so if the program is known, is written in Go, so that its client is client-go's, and nobody says anything
// of its client.
func (t *Target) closes() bool {
	if t.Client != nil {
		return !t.Client.HTTP1
	}
	return t.Program != nil && t.Program.Profile == "" && t.ClientFrom == ""
}

// closingsOf returns the values of closing, for boundClosed, with which a configuration of the target is judged. The first is 0,
// which stands for no closing. If the client is known to close connections, those of allClosings follow. Otherwise anyDials follows
// if it takes time to make a connection.
func (t *Target) closingsOf(c *bound.Config, e *bound.Environment) []time.Duration {
	all := []time.Duration{0}
	switch {
	case t.closes():
		all = append(all, allClosings(c, e)...)
	case c.Client != nil && c.Client.Dial > 0:
		all = append(all, anyDials)
	}
	return all
}

// computing is the type of bound.Of and bound.Sum.
type computing func(*bound.Config, *bound.Environment) (*bound.Result, error)

// boundClosed computes the result for c, by bound.Of or bound.Sum, where the client closes a connection after closing. It puts a
// request timeout of that length in c, which stands for the closing. If closing is 0, the client closes no connection; if it is
// anyClosings, the result is an upper bound for closings at any instants. For that and for anyDials, any request can be the first on
// its connection.
func boundClosed(of computing, c bound.Config, e *bound.Environment, closing time.Duration) (*bound.Result, error) {
	switch closing {
	case 0:
		return of(&c, e)
	case anyClosings:
		c.Closes = true
		return of(&c, dialling(&c, e))
	case anyDials:
		r, err := of(&c, dialling(&c, e))
		if err == nil {
			r.Upper = true
		}
		return r, err
	}
	c.RequestTimeout = closing
	return of(&c, e)
}

// playedConfig returns the configuration with which the worst case is played, as a copy. If a closing is part of the worst case,
// the copy has the request timeout that stands for the closing.
func (j *Judgement) playedConfig() *bound.Config {
	c := j.Config
	if j.Closing > 0 {
		c.RequestTimeout = j.Closing
	}
	if c.Client != nil && c.Profile.ReadsFirst() { // whose retries are not simulated
		c.Client = c.Client.Clone()
		c.Client.Retries = false
	}
	return &c
}

// IfClosed returns the longest overlap that closings would make possible, over all request timeouts that the target can have,
// where the verdict does not count closings because nothing is known of the client; 0 if there is none, or if no bound is
// known. It also returns 0 where the verdict counts closings.
func (j *Judgement) IfClosed() time.Duration {
	if j.closes() || j.Client != nil {
		return 0
	}
	return j.longest(func(c *bound.Config) time.Duration { return ifClosed(c, &j.Environment) })
}

// IfClosed returns the longest overlap that closings make possible in environment e, if the choice does not count them because
// nothing is known of the client; 0 if there is none, or if no bound is known.
func (c *Choice) IfClosed(e *bound.Environment) time.Duration {
	if c.Config.Client != nil {
		return 0
	}
	return ifClosed(&c.Config, e)
}

// ifClosed returns the longest overlap that closings make possible for c in e; 0 if there is none, or if no bound is known.
func ifClosed(c *bound.Config, e *bound.Environment) time.Duration {
	return longestClosed(c, e, allClosings(c, e))
}

// longestClosed returns the longest overlap of c in e with one of these closings, for boundClosed; 0 if there is none, or if no bound is
// known.
func longestClosed(c *bound.Config, e *bound.Environment, closings []time.Duration) (longest time.Duration) {
	for _, closing := range closings {
		if r, err := boundClosed(bound.Sum, *c, e, closing); err == nil {
			longest = max(longest, r.Overlap)
		}
	}
	return longest
}
