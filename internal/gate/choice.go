package gate

import (
	"time"

	"interregnum/internal/bound"
)

// Tolerates returns in words, to follow the name of the choice, which outage it tolerates in environment e.
func (c *Choice) Tolerates(e *bound.Environment) string {
	if c.Outage == 0 && !bound.OutageComputed(&c.Config, e) {
		return "is safe, but which outage it tolerates is not computed, since requests may wait in the client's limiter"
	}
	return "tolerates " + FormatDuration(c.Outage.Truncate(time.Millisecond))
}

// Heeded returns e without the numbers that do not count for the wished client: those that a file gives about a limiter or retries,
// where it has none.
func (w *Wish) Heeded(e *Environment) Environment {
	t, kept := Target{Config: w.Config}, *e
	kept.Environment = *t.heeded(e)
	given := e.AllNumbers()
	for i, n := range kept.AllNumbers() {
		if n.Value != given[i].Value {
			kept.Sources[i] = defaultSource
		}
	}
	return kept
}

// ClientWords returns in words what the choice assumes of its client in environment e; "" if it has none.
func (c *Choice) ClientWords(e *bound.Environment) string {
	if c.Config.Client == nil {
		return ""
	}
	j := Judgement{Target: Target{Config: c.Config, ClientFrom: "given"}, Environment: *e}
	return j.clientAssumed()
}

// IfClosed returns the longest overlap that closings make possible in environment e, if the choice does not count them because
// nothing is known of the client; 0 if there is none, or if no bound is known.
func (c *Choice) IfClosed(e *bound.Environment) time.Duration {
	if c.Config.Client != nil {
		return 0
	}
	return ifClosed(&c.Config, e)
}

// IfRestarted returns the longest overlap that is possible with the choice, which keeps to the wish w, if a process starts
// again under its own name within a second; 0 in the cases that restarted names.
func (c *Choice) IfRestarted(w *Wish) time.Duration {
	t := Target{Config: c.Config, Timeout: w.Timeout}
	return t.restarted(&c.Config, &w.Environment)
}
