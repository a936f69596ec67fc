// Package closing computes what it adds to a worst case that a client closes connections on which nothing comes, and that it
// takes time to make new ones.
//
// A client closes a connection once nothing was read from it for plan.LongestStall. What closings at any instants can do has an
// upper bound (Any). Some of it can be shown: a lost request ends, after plan.PingWait or more if all that was before was
// answered, and the attempt goes on on a new connection, as after a request timeout. A closing is therefore given as the request
// timeout that stands for it: how long the lost request is under way.
package closing

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// Any is no request timeout. It stands for closings at any instants, of any number of connections; see bound.Config. Dials
// stands for new connections at any instants, of a client that closes none by itself.
const (
	Any   time.Duration = -1
	Dials time.Duration = -2
)

// Counts tells whether closings can make a difference to c. They can for an algorithm of client-go whose requests end with
// their context, other than strict, on a lock that does not expire by itself.
func Counts(c *bound.Config) bool {
	p := &c.Profile
	return p.Client == machine.OfClientGo && !p.CountsFromRenewal() && !c.Lock.Expires() && p.CarriesContext()
}

// All returns Any and after it what shown returns; nil if a closing makes no difference.
func All(c *bound.Config, e *bound.Environment) []time.Duration {
	if !Counts(c) {
		return nil
	}
	return append([]time.Duration{Any}, shown(c, e)...)
}

// Judged returns the values of closing, for Of, with which c is judged. The first is 0, which stands for no closing. If closes
// says that the client is known to close connections, those of All follow. Otherwise Dials follows if it takes time to make a
// connection.
func Judged(c *bound.Config, e *bound.Environment, closes bool) []time.Duration {
	all := []time.Duration{0}
	switch {
	case closes:
		all = append(all, All(c, e)...)
	case c.Client != nil && c.Client.Dial > 0:
		all = append(all, Dials)
	}
	return all
}

// shown returns the request timeouts that have the same effect as the closing of a connection at the worst instants, where there is
// no request timeout. It returns nil with one, and if a closing makes no difference.
//
// To renew, the worst is a lost call that is under way for as long as the poll still leaves time for the attempt. An attempt to
// acquire has no deadline, so that the longest lost call is the worst. If even the shortest lost call leaves no such time, the
// shortest is the worst, since it leaves most of the poll to the last write.
func shown(c *bound.Config, e *bound.Environment) []time.Duration {
	if c.RequestTimeout > 0 || !Counts(c) {
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

// latest returns the longest time, on the leader's clock, after which a lost call can end and leave room in its poll for two
// answers. Each answer takes the duration given as trip, in true time. The leader's clock can be slow, so that it shows less time
// than the answers take. The call ends at least a nanosecond before the poll. If there is no room, the result is 0 or negative.
func latest(c *bound.Config, e *bound.Environment, trip time.Duration) time.Duration {
	return c.RenewDeadline - max(bound.Local(2*trip, -e.MaxDriftPPM), 1)
}

// Computing is the type of bound.Of and bound.Sum.
type Computing func(*bound.Config, *bound.Environment) (*bound.Result, error)

// Of computes the result for c, by bound.Of or bound.Sum, where the client closes a connection after closing. It puts a request
// timeout of that length in c, which stands for the closing. If closing is 0, the client closes no connection; if it is Any, the
// result is an upper bound for closings at any instants. For that and for Dials, any request can be the first on its connection.
func Of(of Computing, c bound.Config, e *bound.Environment, closing time.Duration) (*bound.Result, error) {
	switch closing {
	case 0:
		return of(&c, e)
	case Any:
		c.Closes = true
		return of(&c, dialling(&c, e))
	case Dials:
		r, err := of(&c, dialling(&c, e))
		if err == nil {
			r.Upper = true
		}
		return r, err
	}
	c.RequestTimeout = closing
	return of(&c, e)
}

// dialling returns e with round trips that are longer by the time that a client takes to make a connection, on its own clock. A
// request can be the first one on a connection, and then waits for that.
func dialling(c *bound.Config, e *bound.Environment) *bound.Environment {
	if c.Client == nil || c.Client.Dial == 0 {
		return e
	}
	longer := *e
	longer.MaxRoundTrip = min(e.MaxRoundTrip+bound.True(c.Client.Dial, -e.MaxDriftPPM)+time.Nanosecond, bound.MaxDuration)
	return &longer
}

// Longest returns the longest overlap of c in e with one of these closings, for Of; 0 if there is none, or if no bound is known.
func Longest(c *bound.Config, e *bound.Environment, closings []time.Duration) (longest time.Duration) {
	for _, closing := range closings {
		if r, err := Of(bound.Sum, *c, e, closing); err == nil {
			longest = max(longest, r.Overlap)
		}
	}
	return longest
}
