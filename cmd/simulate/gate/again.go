package gate

import (
	"fmt"
	"strings"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// gateCommand returns the command line by which simulate gate judges a target again by flags, without its file; "" if its version of
// client-go is none that a flag takes.
func gateCommand(j *gate.Judgement) string {
	if j.ClientGo > 0 && bound.UnknownClientGo(j.ClientGo) != nil {
		return ""
	}
	e := gate.Environment{Environment: j.Environment}
	words := []string{
		"simulate gate", "--lease-duration", gate.FormatDuration(j.LeaseDuration),
		"--renew-deadline", gate.FormatDuration(j.RenewDeadline),
		"--retry-period", gate.FormatDuration(j.RetryPeriod),
	}
	if j.ClientGo > 0 {
		words = append(words, "--client-go", gate.ClientGoText(j.ClientGo))
	} else {
		words = append(words, "--profile", j.Profile.Name)
	}
	words = append(words, lockWords(&j.Config)...)
	words = append(words, clientWords(j)...)
	if j.ReleaseOnCancel {
		words = append(words, "--release-on-cancel")
	}
	timeout := programs.FixedTimeout(j.RequestTimeout)
	if j.Timeout.Kind == programs.Either || j.Timeout.Kind == programs.Half {
		timeout = j.Timeout
	}
	if j.TimeoutFrom != gate.TimeoutDefault {
		words = append(words, "--request-timeout", gate.TimeoutFlag(timeout))
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

// clientWords returns the flags of simulate gate that describe a target's client, with --qps -1 if it has no limiter or its waits
// are not known; nil if they are not known and no closing of its connection counts.
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
