package text

import (
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/reports/internal/words"
)

// Tune writes what was found for people: the configuration, why its numbers are what they are, and the frontier. Lines
// are as wide as those of Gate.
func Tune(w io.Writer, t *gate.Tuning, width int) error {
	s := sheetOf(width)
	var lines []string
	if t.Best == nil {
		lines = append(lines, s.hanging("No configuration in whole seconds is as wished, up to a leaseDuration of "+
			words.Duration(t.Wish.MaxLease)+".")...)
		for _, o := range t.Obstacles {
			lines = append(lines, s.indented("  ", o)...)
		}
		if len(t.Obstacles) == 0 {
			lines = append(lines, s.indented("  ", "No single one of the wishes stands in the way.")...)
		}
	} else {
		lines = append(lines, s.choiceLines(t)...)
		lines = append(append(lines, "", "One second less or more:"), s.neighbourLines(t)...)
	}
	lines = append(lines, "")
	if len(t.Frontier) > 0 {
		lines = append(lines, s.hanging("What a tolerated outage costs, and the shortest failover there is with it:")...)
		lines = append(append(lines, s.frontierLines(t)...), "")
	}
	lines = append(lines, s.environmentLines(&t.Environment)...)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// choiceLines are the configuration as flags of the gate, and each of its figures as a sum or in words.
func (s sheet) choiceLines(t *gate.Tuning) []string {
	c, e := &t.Best.Config, &t.Wish.Environment
	lines := append(s.hanging(fmt.Sprintf("--lease-duration %s --renew-deadline %s --retry-period %s --request-timeout %s",
		words.Duration(c.LeaseDuration), words.Duration(c.RenewDeadline), words.Duration(c.RetryPeriod), words.Duration(c.RequestTimeout))), "")
	if c.Lock.Expires() {
		return append(lines, s.expiringLines(t)...)
	}
	lease, waits := slow(c.LeaseDuration, e), 2*slow(c.RetryPeriod*11/5, e)
	trips := t.Best.Failover - lease - waits - e.MaxPause
	lines = append(lines, s.indented("  ", "worst failover "+words.Duration(t.Best.Failover)+": the lease lasts "+words.Duration(lease)+
		" for a follower, which notices two waits of up to 2.2 retryPeriods late, "+words.Duration(waits)+
		"; round trips, "+words.Duration(trips)+"; a freeze, "+words.Duration(e.MaxPause))...)
	return append(lines, s.outageLines(t)...)
}

// expiringLines are the figures for a lock that expires by itself.
func (s sheet) expiringLines(t *gate.Tuning) []string {
	b, e := t.Best, &t.Wish.Environment
	lines := s.indented("  ", "worst failover "+words.Duration(b.Failover)+": the entry lasts "+words.Duration(b.Config.LeaseDuration)+
		"; its last refresh on its way, clocks, and until a follower notices, "+
		words.Duration(b.Failover-b.Config.LeaseDuration-e.MaxPause)+"; a freeze, "+words.Duration(e.MaxPause))
	return append(lines, s.outageLines(t)...)
}

// outageLines are the tolerated outage and the load.
func (s sheet) outageLines(t *gate.Tuning) []string {
	var lines []string
	outage := "every outage can cost the leadership: a lost message is waited for too long"
	if t.Best.Outage > 0 {
		outage = "tolerated outage " + words.Duration(t.Best.Outage) + ": whenever it begins, one more request goes out after it, " +
			"early enough within renewDeadline to renew"
	}
	lines = append(lines, s.indented("  ", outage)...)
	lines = append(lines, s.indented("  ", fmt.Sprintf("load %.3g requests a second: %d candidates, one leader",
		t.Best.QPS, t.Wish.Candidates))...)
	return lines
}

// slow returns the longest true time in which a clock shows d, given the drift that the environment allows.
func slow(d time.Duration, e *bound.Environment) time.Duration { return bound.True(d, -e.MaxDriftPPM) }

// neighbourLines returns a table of what speaks against changing one number of the best configuration by a second.
func (s sheet) neighbourLines(t *gate.Tuning) []string {
	var rows table
	for _, n := range t.Neighbours {
		value := words.Duration(n.Value)
		if n.Parameter == "request-timeout" {
			value = timeoutText(n.Value)
		}
		rows.add("  --"+n.Parameter, value, n.Effect)
	}
	return rows.within(int(s))
}

// timeoutText is a request timeout, of which 0 is none.
func timeoutText(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return words.Duration(d)
}

// frontierLines returns a table of the frontier: one line for each tolerated outage, with the shortest failover and its
// configuration; a * marks the best one.
func (s sheet) frontierLines(t *gate.Tuning) []string {
	rows := table{headed: true}
	rows.add("  ", "tolerated outage", "worst failover", "lease", "deadline", "retry", "timeout", "requests/s")
	for i := range t.Frontier {
		p := &t.Frontier[i]
		mark := "  "
		if t.Best != nil && p.Config == t.Best.Config {
			mark = "* "
		}
		rows.add(mark, words.Duration(p.Outage), words.Duration(p.Failover), words.Duration(p.Config.LeaseDuration),
			words.Duration(p.Config.RenewDeadline), words.Duration(p.Config.RetryPeriod), timeoutText(p.Config.RequestTimeout), fmt.Sprintf("%.3g", p.QPS))
	}
	return rows.within(int(s))
}
