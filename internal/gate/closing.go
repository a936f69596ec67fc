package gate

import (
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
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
	return closing.Longest(c, e, closing.All(c, e))
}
