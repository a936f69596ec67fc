package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/plan"
)

// closes tells whether the target's client is known to close connections on which nothing comes. This is so if t.Client is set and
// speaks HTTP/2. It is also so if the program is known, is written in Go, so that its client is client-go's, and nobody says anything
// of its client.
func (t *Target) closes() bool {
	if t.Client != nil {
		return !t.Client.HTTP1
	}
	return t.Program != nil && t.Program.Profile == "" && t.ClientFrom == ""
}

// pinging is the second number of the first version of client-go whose every patch sends pings: k8s.io/apimachinery v0.18.0 and v0.19.0 send
// none (util/net/http.go).
const pinging = 20

// endStalls limits the stalls of e to plan.LongestStall, which a client measures by its own clock, if the target's is known to close connections
// on which nothing comes.
func (t *Target) endStalls(e *bound.Environment) {
	most, pings := bound.True(plan.LongestStall, -e.MaxDriftPPM), t.ClientGo == 0 || t.ClientGo >= pinging
	if pings && t.closes() && e.Stall > most {
		stalls(e, most)
	}
}

// resets tells whether a read can take any time: with HTTP/1.1 one whose answer is lost is sent again whenever its connection is reset, which a
// Retry-After of plan.RepeatAfter says that it may be. With HTTP/2 closings cover that.
func (t *Target) resets(e *bound.Environment) bool {
	return t.Client.Repeats() && t.Client.HTTP1 && e.MaxRetryAfter >= plan.RepeatAfter && closing.Counts(&t.Config)
}

// withResets makes j.Result one without an upper bound where a read can take any time. It returns a files.Problem if the result was safe:
// nobody knows then.
func (j *Judgement) withResets() error {
	if !j.resets(&j.Environment) {
		return nil
	}
	if j.Result.Safe() {
		return j.problem("no bound is known for a client of HTTP/1.1 whose connection may be reset, as a maxRetryAfter of %s or more says: "+
			"a read whose answer is lost is sent again then, however late; want less maxRetryAfter, or protocol http/2", plan.RepeatAfter)
	}
	if !j.Result.Unbounded {
		r := *j.Result
		r.AtLeast, r.Slack = true, 0
		j.Result = &r
	}
	return nil
}

// closingsOf returns the values of closing, for closing.Of, with which a configuration of the target is judged.
func (t *Target) closingsOf(c *bound.Config, e *bound.Environment) []time.Duration {
	return closing.Judged(c, e, t.closes())
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

// ifClosed returns the longest overlap that closings make possible for c in e; 0 if there is none, or if no bound is known.
func ifClosed(c *bound.Config, e *bound.Environment) time.Duration {
	return closing.Longest(c, e, closing.All(c, e))
}

// manyClosings is the LeaseDuration from which on a longer one lets no more closings count. A shorter one can be safe although a longer one
// is not: an attempt to acquire begins within a lease of an answer, and so the connection is perhaps closed under it only if the lease is long.
const manyClosings = plan.LongestStall + plan.RepeatAfter

// bound computes the result with each request timeout that the target can have and, if the client is known to close connections,
// with each closing. It stores the worst result in j.Result, with its configuration in j.Config and its closing in j.Closing, and whether
// it is an upper bound of closings in j.Covered. It returns an error, and changes nothing, if one of them has no bound.
func (j *Judgement) bound() error {
	w, err := closing.WorstOf(&j.Config, &j.Environment, j.timeouts(j.RenewDeadline), j.closes())
	if err != nil {
		return err
	}
	j.Result, j.Config, j.Closing, j.Covered = w.Result, w.Config, w.Closing, w.Covered
	return nil
}
