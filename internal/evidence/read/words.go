package read

import (
	"cmp"
	"regexp"
	"strings"

	"interregnum/internal/evidence"
)

// word is a message about an election, in lower case, and what it means.
type word struct {
	step evidence.Step
	// starts is what the message begins with.
	starts string
	// whole: the message has nothing else. field is a field that the line must have; "" if none.
	whole bool
	field string
	// named: whoever says this of an election names its lock, in a field or behind these words. Without one they are another program's, about a lease
	// of its own.
	named bool
}

// words are those of client-go from v0.17 to v0.37 (tools/leaderelection/leaderelection.go), of controller-runtime, of Kubernetes' own
// components, and of this module's elector.
var words = []word{
	{step: evidence.Tries, starts: "attempting to acquire leader lease", named: true},
	{step: evidence.Acquired, starts: "successfully acquired lease", named: true},
	{step: evidence.Lost, starts: "failed to renew lease", named: true},
	{step: evidence.Held, starts: "lock is held by "},
	{step: evidence.Held, starts: "lease is held", field: "holder"},
	{step: evidence.Failed, starts: "error retrieving resource lock", named: true},
	{step: evidence.Failed, starts: "error retrieving lease lock", named: true},
	{step: evidence.Failed, starts: "error initially creating lease lock", named: true},
	{step: evidence.Failed, starts: "error initially creating leader election record"},
	{step: evidence.Failed, starts: "failed to update lock"},
	{step: evidence.Failed, starts: "failed to update lease", field: "lock"},
	{step: evidence.Failed, starts: "failed to release lock"},
	{step: evidence.Failed, starts: "failed to release lease", field: "lock"},
	{step: evidence.Waited, starts: "waited before sending request", field: "URL"},
	{step: evidence.Waited, starts: "waited for "},
	{step: evidence.Waited, starts: "throttling request took "},
	{step: evidence.Observed, starts: "new leader elected"},
	{step: evidence.Observed, starts: "leader changed", field: "leader"},
	{step: evidence.Ends, starts: "leader election lost"},
	{step: evidence.Ends, starts: "leaderelection lost"},
	{step: evidence.Ends, starts: "problem running manager"},
	{step: evidence.Ends, starts: "stopping and waiting for leader election runnables"},

	{step: evidence.Tries, starts: "contending for the lease", whole: true, field: "lock"},
	{step: evidence.Acquired, starts: "leading", whole: true, field: "lock"},
	{step: evidence.Lost, starts: "gave up renewing the lease", whole: true, field: "lock"},
	{step: evidence.Ends, starts: "left the election", whole: true},
	{step: evidence.Failed, starts: "lock failed", whole: true, field: "lock"},
	{step: evidence.Failed, starts: "lock refused", whole: true, field: "lock"},
	{step: evidence.Failed, starts: "gave up waiting for the lock", whole: true, field: "lock"},
}

// say returns what a message says of an election, without its place. ok is false if it says nothing of one, or if it must name
// its lock and does not.
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
		if w.named && s.Lock.Name == "" || s.Lock.Namespace == nodes {
			return s, false
		}
		return s, w.step != evidence.Waited || s.Lock.Name != ""
	}
	return s, false
}

// full returns the text of the message, with the error or the delay behind it if these are fields.
func (m *message) full() string {
	if delay := m.fields["delay"]; delay != "" {
		return m.text + " (" + delay + "): " + m.fields["reason"]
	}
	if why := cmp.Or(m.fields["err"], m.fields["error"], m.fields["reason"]); why != "" {
		return m.text + ": " + why
	}
	return m.text
}

// named matches a lock's namespace and name right behind the words of a message; they are its groups.
var named = regexp.MustCompile(`\A[ :]+([^\s/:]+)/([^\s/:]+?)(?:\.\.\.|:|\s|\z)`)

// nodes is the namespace of the Leases by which nodes tell that they live, which are no locks.
const nodes = "kube-node-lease"

// lease matches the address of a Lease, and refused the words in which a server names the one that an error is about.
var (
	lease   = regexp.MustCompile(`/namespaces/([^/\s]+)/leases/([^/?\s"]+)`)
	refused = regexp.MustCompile(`leases\.coordination\.k8s\.io \\?"([^"\\\s]+)`)
)

// mentioned returns the Lease that a text names: by the address of a request or, with its name alone, by the server's error. It
// is the zero value if there is none.
func mentioned(text string) (l evidence.Lock) {
	if at := lease.FindStringSubmatch(text); at != nil {
		return evidence.Lock{Namespace: at[1], Name: at[2]}
	}
	if at := refused.FindStringSubmatch(text); at != nil {
		l.Name = at[1]
	}
	return l
}

// lock returns the lock that the message names, the zero value if it names none. An error sometimes names a lock without its
// namespace.
func (m *message) lock(w *word) (l evidence.Lock) {
	if namespace, name, ok := strings.Cut(m.fields["lock"], "/"); ok {
		return evidence.Lock{Namespace: namespace, Name: name}
	}
	if w.step == evidence.Waited {
		return mentioned(m.text + " " + m.fields["URL"])
	}
	if w.step == evidence.Held || w.step == evidence.Observed {
		return l
	}
	if at := named.FindStringSubmatch(strings.TrimSpace(m.text)[len(w.starts):]); at != nil {
		return evidence.Lock{Namespace: at[1], Name: at[2]}
	}
	if w.step == evidence.Failed {
		return mentioned(m.full())
	}
	return l
}

// identity returns the holder that the message names: in a field or, failing that, in its text after the words of w.
func (m *message) identity(w *word) string {
	if who := cmp.Or(m.fields["holder"], m.fields["leader"], m.fields["identity"]); who != "" {
		return who
	}
	who, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(m.text)[len(w.starts):], ": "), " and has not yet expired")
	return who
}
