package investigate

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// Reason is why a process gave up renewing, or did not lead, in the words of its own log.
type Reason struct {
	Process string
	// Place is the line by which it gave up, and At when that was, by its own clock. At is zero if its log does not say that it ever led.
	evidence.Place
	At Instant
	// Said are the lines that say why, in their order.
	Said []Quote
}

// Quote is a line of a process's log, and when it was written, by the process's clock.
type Quote struct {
	evidence.Place
	At   Instant
	Text string
}

// How long before a process gave up a line says why, at most, how many such lines are kept, and how much of each.
const (
	reasonLasts = 30 * time.Second
	mostQuotes  = 2
	mostQuoted  = 500
)

// reasonsOf returns the reasons that processes' logs state: of each line of giving up, and of a process that never led its last
// failure. It leaves out a process that was told to stop, and one whose lines do not say why. If a write of the lock is logged it
// returns nil: then the causes of losses are looked for in all logs.
func (t *teller) reasonsOf() (all []Reason) {
	if len(t.s.Writes) > 0 {
		return nil
	}
	for _, p := range t.pods {
		led := false
		for i, s := range p.sayings {
			led = led || s.Step == evidence.Acquired || s.Step == evidence.Lost
			if s.Step != evidence.Lost || over(s) && !saysWhy(s.Text) {
				continue
			}
			if said := p.saidBefore(i); len(said) > 0 {
				all = append(all, Reason{p.name, s.Place, Instant{s.At, s.At.Add(unit(s))}, said})
			}
		}
		if said := p.lastFailure(); !led && said != nil {
			all = append(all, Reason{p.name, said.Place, Instant{}, []Quote{quote(said)}})
		}
	}
	return all
}

// saidBefore returns the lines that say why the pod gave up in its i-th line: at most mostQuotes of the last failures before it in
// the same log, since its term began and within reasonLasts, or else that line itself; nil if none says why. That the limiter
// let no request go at the deadline is no reason (see tooLate).
func (p *pod) saidBefore(i int) (said []Quote) {
	lost := p.sayings[i]
	for k := i - 1; k >= 0 && len(said) < mostQuotes; k-- {
		s := p.sayings[k]
		if turns(s.Step) || lost.At.Sub(s.At) > reasonLasts {
			break
		}
		if s.Step == evidence.Failed && s.Source == lost.Source && saysWhy(s.Text) && !(strings.Contains(s.Text, wouldExceed) && p.tooLate(s)) {
			said = append(said, quote(s))
		}
	}
	if slices.Reverse(said); len(said) == 0 && saysWhy(lost.Text) {
		said = append(said, quote(lost))
	}
	return said
}

// lastFailure returns the last line of the pod that says why a request failed; later failures that do not say why are passed over.
// It returns nil if there is none, or if a later line shows that the pod has read the record.
func (p *pod) lastFailure() *evidence.Saying {
	for k := len(p.sayings) - 1; k >= 0; k-- {
		switch s := p.sayings[k]; {
		case s.Step == evidence.Failed && saysWhy(s.Text):
			return s
		case s.Step == evidence.Held || s.Step == evidence.Observed:
			return nil
		}
	}
	return nil
}

// addresses match those in a process's line, with what may be secret: a user with a password, and a query.
var addresses = regexp.MustCompile(`(https?://)(?:[^\s/"@]*@)?([^\s"?]*)(?:\?[^\s"]*)?`)

// tokens match what follows the word Bearer, and JSON web tokens.
var tokens = regexp.MustCompile(`(?i:(bearer\s+))[A-Za-z0-9._~+/=-]+|\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`)

// WithoutSecrets returns a text without what may be secret in it: users, passwords and queries in URLs, and tokens.
func WithoutSecrets(text string) string {
	return tokens.ReplaceAllString(addresses.ReplaceAllString(text, "$1$2"), "$1…")
}

// quote returns what a line says, without secrets, and cut where it is too long.
func quote(s *evidence.Saying) Quote {
	text := WithoutSecrets(strings.TrimSpace(s.Text))
	if len(text) > mostQuoted {
		text = strings.ToValidUTF8(text[:mostQuoted], "") + "…"
	}
	return Quote{s.Place, Instant{s.At, s.At.Add(unit(s))}, text}
}

// whys are the words of errors that say why a request has failed.
var whys = []string{
	"deadline exceeded", "timeout", "timed out", "rate limiter", "connection refused", "connection reset", "connection lost", "no route to host", "unreachable",
	"no such host", "i/o error", "eof", "tls", "x509", "forbidden", "unauthorized", "provide credentials", "too many requests", "cannot be fulfilled", "no leader",
	"unavailable", "internal error", "rejected our request", "unable to return a response", "not found",
}

// saysWhy tells whether the text of an error says why a request has failed. That its process was told to stop, or that it waited
// for something until its time was over, is no reason.
func saysWhy(text string) bool {
	text = strings.ToLower(address.ReplaceAllString(text, ""))
	for _, none := range []string{"timed out waiting for the condition", "context canceled", "resource name may not be empty"} {
		text = strings.ReplaceAll(text, none, "")
	}
	return slices.ContainsFunc(whys, func(why string) bool { return strings.Contains(text, why) })
}
