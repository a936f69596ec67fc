package read

import (
	"cmp"
	"regexp"
	"strings"

	"interregnum/internal/evidence"
)

// word is how a line about an election begins or reads, in lower case, and what it says then.
type word struct {
	step evidence.Step
	// starts is what the message begins with.
	starts string
	// whole: the message has nothing else. field is a field that the line must have; "" if none.
	whole bool
	field string
}

// words are those of client-go from v0.17 to v0.37 (tools/leaderelection/leaderelection.go), of controller-runtime, of Kubernetes' own
// components, and of this module's elector.
var words = []word{
	{step: evidence.Tries, starts: "attempting to acquire leader lease"},
	{step: evidence.Acquired, starts: "successfully acquired lease"},
	{step: evidence.Lost, starts: "failed to renew lease"},
	{step: evidence.Held, starts: "lock is held by "},
	{step: evidence.Held, starts: "lease is held", field: "holder"},
	{step: evidence.Failed, starts: "error retrieving resource lock"},
	{step: evidence.Failed, starts: "error retrieving lease lock"},
	{step: evidence.Failed, starts: "error initially creating lease lock"},
	{step: evidence.Failed, starts: "error initially creating leader election record"},
	{step: evidence.Failed, starts: "failed to update lock"},
	{step: evidence.Failed, starts: "failed to update lease"},
	{step: evidence.Failed, starts: "failed to release lock"},
	{step: evidence.Failed, starts: "failed to release lease"},
	{step: evidence.Waited, starts: "waited before sending request", field: "URL"},
	{step: evidence.Waited, starts: "waited for "},
	{step: evidence.Waited, starts: "throttling request took "},
	{step: evidence.Observed, starts: "new leader elected"},
	{step: evidence.Observed, starts: "leader changed", field: "leader"},
	{step: evidence.Ends, starts: "leader election lost"},
	{step: evidence.Ends, starts: "leaderelection lost"},
	{step: evidence.Ends, starts: "problem running manager"},
	{step: evidence.Ends, starts: "stopping and waiting for leader election runnables"},

	{step: evidence.Tries, starts: "contending for the lease", whole: true},
	{step: evidence.Acquired, starts: "leading", whole: true, field: "lock"},
	{step: evidence.Lost, starts: "gave up renewing the lease", whole: true},
	{step: evidence.Ends, starts: "left the election", whole: true},
	{step: evidence.Failed, starts: "lock failed"},
	{step: evidence.Failed, starts: "lock refused", whole: true},
	{step: evidence.Failed, starts: "gave up waiting for the lock", whole: true},
}

// say returns what a message says of an election; false if that is nothing.
func (m *message) say() (s evidence.Saying, ok bool) {
	text := strings.ToLower(strings.TrimSpace(m.text))
	for i := range words {
		w := &words[i]
		if !strings.HasPrefix(text, w.starts) || w.whole && text != w.starts || w.field != "" && m.fields[w.field] == "" {
			continue
		}
		s = evidence.Saying{At: m.at, Unit: m.unit, Step: w.step, Text: m.full(), Lock: m.lock(w)}
		if w.step == evidence.Held || w.step == evidence.Observed {
			s.Identity = m.identity(w)
		}
		return s, w.step != evidence.Waited || s.Lock.Name != ""
	}
	return s, false
}

// full is the message with its error, if that is a field.
func (m *message) full() string {
	if why := cmp.Or(m.fields["err"], m.fields["error"], m.fields["reason"]); why != "" {
		return m.text + ": " + why
	}
	return m.text
}

// named matches a lock's namespace and name behind the words of a message.
var named = regexp.MustCompile(`\A[ :]+([^\s/:]+)/([^\s/:]+?)(?:\.\.\.|:|\s|\z)`)

// lease matches the address of a Lease.
var lease = regexp.MustCompile(`/namespaces/([^/\s]+)/leases/([^/?\s"]+)`)

// lock is the one that the message names, the zero value if it names none.
func (m *message) lock(w *word) (l evidence.Lock) {
	if name := m.fields["lock"]; name != "" {
		l.Namespace, l.Name, _ = strings.Cut(name, "/")
		return l
	}
	if w.step == evidence.Waited {
		if at := lease.FindStringSubmatch(m.text + " " + m.fields["URL"]); at != nil && at[1] != "kube-node-lease" {
			l.Namespace, l.Name = at[1], at[2]
		}
		return l
	}
	at := named.FindStringSubmatch(strings.TrimSpace(m.text)[len(w.starts):])
	if at == nil || w.step == evidence.Held || w.step == evidence.Observed {
		return l
	}
	return evidence.Lock{Namespace: at[1], Name: at[2]}
}

// identity is whom the message names as the holder.
func (m *message) identity(w *word) string {
	if who := cmp.Or(m.fields["holder"], m.fields["leader"], m.fields["identity"]); who != "" {
		return who
	}
	who, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(m.text)[len(w.starts):], ": "), " and has not yet expired")
	return who
}
