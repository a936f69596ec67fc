package text

import (
	"fmt"
	"io"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// Tune writes a tuning: the best configuration, the reasons for its numbers, and what one second less or more of each does. If
// there is no such configuration, Tune writes what stands in the way of one. Then it writes the frontier and the environment. Lines
// have at most width columns; a width below 40 counts as 40.
func Tune(w io.Writer, t *gate.Tuning, width int) error {
	s := newSheet(width)
	if t.Best == nil {
		s.line("No configuration in whole seconds is as wished, up to a leaseDuration of " + words.Duration(t.Wish.MaxLease) + ".")
		s.say(steady)
		for _, o := range t.Obstacles {
			s.say(o)
		}
		if len(t.Obstacles) == 0 {
			s.say("No single one of the wishes stands in the way.")
		}
	} else {
		s.choice(t.Best, &t.Wish)
		s.blank()
		s.lines = append(s.lines, "One second less or more:")
		s.neighbours(t)
	}
	s.blank()
	if len(t.Frontier) > 0 {
		s.line("What a tolerated outage costs, and the shortest failover there is with it:")
		s.frontier(t)
		s.blank()
	}
	s.environment(&t.Environment)
	return s.write(w)
}

// steady is a sentence on which configurations a tuning looks at: those that bound.Steady does not rule out.
const steady = "looked at are configurations with which a leader keeps the lock, and another can take it, while every answer takes as long as it may"

// choice adds to s the best configuration as flags of the gate, explains each of its figures, and says under which conditions it is
// safe, if there are any.
func (s *sheet) choice(b *gate.Choice, w *gate.Wish) {
	s.line(choiceFlags(b))
	s.blank()
	s.say("worst failover " + words.Duration(b.Failover) + ": " + failoverWords(b, &w.Environment))
	s.say(outageWords(b, &w.Environment))
	s.say(fmt.Sprintf("load %.3g requests a second: %d candidates, one leader", b.QPS, w.Candidates))
	s.say(steady)
	if w.ClientGo > 0 {
		s.say(gate.VersionWords(&w.Config, w.ClientGo, gate.ClientGoFlag))
	}
	if client := b.ClientWords(&w.Environment); client != "" {
		s.say(client)
	}
	if d := b.IfClosed(&w.Environment); d > 0 {
		s.say("safe only if the client closes no connection while a request is under way: if it does, as client-go's, two leaders can work at once for " +
			words.Duration(d) + " (simulate gate --client client-go judges that)")
	}
	if d := b.IfRestarted(w); d > 0 {
		s.say("safe only if no process starts again under its own name within a second: if one does, two leaders can work at once for " +
			words.Duration(d) + " (simulate gate --reruns judges that)")
	}
	if b.Config.ReleasesLater() {
		s.say("safe if OnStartedLeading returns only when all work is over: the lock is released then")
	}
}

// choiceFlags returns a configuration as flags of the gate.
func choiceFlags(b *gate.Choice) string {
	c := &b.Config
	return fmt.Sprintf("--lease-duration %s --renew-deadline %s --retry-period %s --request-timeout %s",
		words.Duration(c.LeaseDuration), words.Duration(c.RenewDeadline), words.Duration(c.RetryPeriod), words.Duration(c.RequestTimeout))
}

// outageWords returns in words which outage a configuration tolerates, and why.
func outageWords(b *gate.Choice, e *bound.Environment) string {
	switch {
	case b.Outage > 0:
		return "tolerated outage " + words.Duration(b.Outage) + ": whenever it begins, one more request goes out after it, " +
			"early enough within renewDeadline to renew"
	case !bound.OutageComputed(&b.Config, e):
		return "which outage costs no leadership is not computed"
	}
	return "every outage can cost the leadership: a lost message is waited for too long"
}

// failoverWords returns the worst failover of a configuration as a sum of times, in words.
func failoverWords(b *gate.Choice, e *bound.Environment) string {
	freeze := "; a freeze, " + words.Duration(e.MaxPause)
	if b.Config.Lock.Expires() {
		return "the entry lasts " + words.Duration(b.Config.LeaseDuration) +
			"; its last refresh on its way, clocks, and until a follower notices, " +
			words.Duration(b.Failover-b.Config.LeaseDuration-e.MaxPause) + freeze
	}
	p, period := &b.Config.Profile, b.Config.RetryPeriod
	lease, wait, late := slow(b.Config.LeaseDuration, e), slow(period*11/5, e), "2.2 retryPeriods"
	if !p.Jitters() {
		wait, late = slow(period, e), "a retryPeriod"
	}
	rest, told := b.Failover-lease-2*wait-e.MaxPause, ""
	if p.LooksLater() {
		rest -= slow(period, e)
		told = "; until its program is told, " + words.Duration(slow(period, e))
	}
	return "the lease lasts " + words.Duration(lease) + " for a follower, which notices two waits of up to " + late + " late, " +
		words.Duration(2*wait) + told + "; round trips, " + words.Duration(rest) + freeze
}

// slow returns how long, in true time, it takes at most until a clock has gone on by d, given the drift that the environment
// allows.
func slow(d time.Duration, e *bound.Environment) time.Duration { return bound.True(d, -e.MaxDriftPPM) }

// neighbours adds to s a table of what happens if one number of the best configuration is a second lower or higher.
func (s *sheet) neighbours(t *gate.Tuning) {
	var rows table
	for _, n := range t.Neighbours {
		value := words.Duration(n.Value)
		if n.Parameter == "request-timeout" {
			value = timeoutText(n.Value)
		}
		rows.add("  --"+n.Parameter, value, n.Effect)
	}
	s.table(&rows)
}

// timeoutText formats a request timeout; 0 is "none".
func timeoutText(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return words.Duration(d)
}

// frontier adds to s a table of the frontier: a line for each tolerated outage, with the shortest failover and its
// configuration. A * marks the best configuration.
func (s *sheet) frontier(t *gate.Tuning) {
	rows := newTable("", "  ", "tolerated outage", "worst failover", "lease", "deadline", "retry", "timeout", "requests/s")
	for i := range t.Frontier {
		p := &t.Frontier[i]
		mark := "  "
		if t.Best != nil && p.Config == t.Best.Config {
			mark = "* "
		}
		rows.add(mark, words.Duration(p.Outage), words.Duration(p.Failover), words.Duration(p.Config.LeaseDuration),
			words.Duration(p.Config.RenewDeadline), words.Duration(p.Config.RetryPeriod), timeoutText(p.Config.RequestTimeout), fmt.Sprintf("%.3g", p.QPS))
	}
	s.table(rows)
}
