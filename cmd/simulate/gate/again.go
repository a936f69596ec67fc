package gate

import (
	"fmt"
	"strings"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/phrase"
	"interregnum/scenarios/plan"
)

// gateCommand returns the command line by which simulate gate judges a target again by flags, without its file.
func gateCommand(j *gate.Judgement) string {
	e := gate.Environment{Environment: j.Environment}
	words := []string{
		"simulate gate", "--lease-duration", gate.FormatDuration(j.LeaseDuration),
		"--renew-deadline", gate.FormatDuration(j.RenewDeadline),
		"--retry-period", gate.FormatDuration(j.RetryPeriod), "--profile", j.Profile.Name,
	}
	words = append(words, lockWords(&j.Config)...)
	words = append(words, clientWords(j)...)
	if j.ReleaseOnCancel {
		words = append(words, "--release-on-cancel")
	}
	switch j.Timeout.Kind {
	case files.Either:
		words = append(words, "--request-timeout either")
	case files.Half:
		words = append(words, "--request-timeout half")
	default:
		if j.TimeoutFrom != gate.TimeoutDefault {
			words = append(words, "--request-timeout", timeoutWord(j.RequestTimeout))
		}
	}
	if j.Client == nil { // no flag says then how much of the round trip is a stall
		e.Stall = 0
	}
	for _, n := range e.AllNumbers() {
		switch {
		case n.Switch() && n.Value == "true":
			words = append(words, "--"+n.Flag)
		case !n.Switch() && (n.Value != "0s" && n.Value != "0" || n.Flag == "max-round-trip"):
			words = append(words, "--"+n.Flag, n.Value)
		}
	}
	return strings.Join(words, " ")
}

// timeoutWord formats a request timeout as a value of --request-timeout; 0 is "none".
func timeoutWord(d time.Duration) string {
	if d == 0 {
		return string(files.None)
	}
	return gate.FormatDuration(d)
}

// lockWords returns the flags of simulate gate that describe the lock, without those that have their default: none for a Lease.
func lockWords(c *bound.Config) []string {
	var words []string
	if c.Lock != "" && c.Lock != plan.Lease {
		words = append(words, "--lock", string(c.Lock))
	}
	if c.Now != "" {
		words = append(words, "--now", string(c.Now))
	}
	if c.Precision > 0 {
		words = append(words, "--precision", phrase.Duration(c.Precision))
	}
	return words
}

// clientWords returns the flags of simulate gate that describe a target's client; nil if its waits are not known and no closing
// of its connection counts.
func clientWords(j *gate.Judgement) []string {
	switch c := j.Client; {
	case c == nil && j.Closing == 0 && !j.Covered:
		return nil
	case !c.Limits():
		return []string{"--client client-go --qps -1"}
	default:
		return []string{"--client client-go --qps", gate.FormatRate(c.QPS), "--burst", fmt.Sprint(c.Burst)}
	}
}
