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
	// whole: the message has nothing else. field is a field that the line must have, and from the source file that klog must name; "" if none.
	whole bool
	field string
	from  string
	// named: whoever says this of an election names its lock, in a field or behind these words. Without one they are another program's, about a lease
	// of its own.
	named bool
}

// words are those of client-go from v0.17 to v0.37 (tools/leaderelection/leaderelection.go), of controller-runtime, of Kubernetes' own
// components, and of this module's elector.
var words = []word{
	{step: evidence.Tries, starts: "attempting to acquire leader lease", named: true},
	{step: evidence.Acquired, starts: "successfully acquired lease", named: true},
	{step: evidence.Acquired, starts: "sucessfully acquired lease", named: true}, // before v1.7
	{step: evidence.Waits, starts: "failed to acquire lease", named: true},
	{step: evidence.Lost, starts: "failed to renew lease", named: true},
	{step: evidence.Held, starts: "lock is held by "},
	{step: evidence.Held, starts: "lease is held", field: "holder"},
	{step: evidence.Failed, starts: "error retrieving resource lock", named: true},
	{step: evidence.Failed, starts: "error retrieving lease lock", named: true},
	{step: evidence.Failed, starts: "error initially creating lease lock", named: true},
	{step: evidence.Failed, starts: "error initially creating leader election record"},
	{step: evidence.Failed, starts: "failed to update lock"},
	{step: evidence.Failed, starts: "err: ", from: "leaderelection.go"}, // before v1.7
	{step: evidence.Failed, starts: "failed to update lease", field: "lock"},
	{step: evidence.Failed, starts: "failed to release lock"},
	{step: evidence.Failed, starts: "failed to release lease", field: "lock"},
	{step: evidence.Waited, starts: "waited before sending request", field: "URL"},
	{step: evidence.Waited, starts: "waited for "},
	{step: evidence.Waited, starts: "throttling request took "},
	{step: evidence.Observed, starts: "new leader elected"},
	{step: evidence.Observed, starts: "new leader detected, current leader", from: "leader_election.go"}, // csi-lib-utils
	{step: evidence.Observed, starts: "new leader", whole: true, field: "leader"},                        // kube-vip
	{step: evidence.Observed, starts: "leader changed", field: "leader"},
	{step: evidence.Ends, starts: "leader election lost"},
	{step: evidence.Ends, starts: "leaderelection lost"},
	{step: evidence.Ends, starts: "problem running manager"},
	{step: evidence.Ends, starts: "stopped leading", whole: true, from: "leader_election.go"}, // csi-lib-utils
	{step: evidence.Ends, starts: "stopping and waiting for leader election runnables"},

	{step: evidence.Tries, starts: "contending for the lease", whole: true, field: "lock"},
	{step: evidence.Acquired, starts: "leading", whole: true, field: "lock"},
	{step: evidence.Lost, starts: "gave up renewing the lease", whole: true, field: "lock"},
	{step: evidence.Ends, starts: "left the election", whole: true},
	{step: evidence.Failed, starts: "lock failed", whole: true, field: "lock"},
	{step: evidence.Failed, starts: "lock refused", whole: true, field: "lock"},
	{step: evidence.Failed, starts: "gave up waiting for the lock", whole: true, field: "lock"},
}

// say returns what a message says of an election, without its place. ok is false if it says nothing of one, if it must name its lock
// and does not, or if that is a node's heartbeat.
func (m *message) say() (s evidence.Saying, ok bool) {
	if s, _, known, ok := m.strange(); known {
		return s, ok
	}
	text := strings.ToLower(strings.TrimSpace(m.text))
	for i := range words {
		w := &words[i]
		if !strings.HasPrefix(text, w.starts) || w.whole && text != w.starts || w.field != "" && m.fields[w.field] == "" || w.from != "" && m.from != w.from {
			continue
		}
		s = evidence.Saying{At: m.at, Unit: m.unit, Step: w.step, Text: m.full(), Lock: m.lock(w)}
		if w.step == evidence.Held || w.step == evidence.Observed {
			s.Identity = m.identity(w)
		}
		if s.Resource = s.Lock.Resource; s.Resource == "" && s.Step == evidence.Failed {
			s.Resource = mentioned(s.Text).Resource
		}
		s.Lock.Resource = ""
		if w.named && s.Lock.Name == "" && !m.unnamed() || s.Lock.Namespace == nodes {
			return s, false
		}
		return s, w.step != evidence.Waited || s.Lock.Name != ""
	}
	for _, key := range []string{"err", "error"} {
		if why := strings.ToLower(m.fields[key]); why == "leader election lost" || why == "leaderelection lost" { // what controller-runtime returns
			return evidence.Saying{At: m.at, Unit: m.unit, Step: evidence.Ends, Text: m.full()}, true
		}
	}
	return s, false
}

// unnamed tells whether the message is that of client-go before v1.7, which did not name the lock that it stands for.
func (m *message) unnamed() bool {
	return m.from == "leaderelection.go" && strings.TrimSpace(m.text) == "attempting to acquire leader lease..."
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

// object matches the address of an object in which records are kept, and refused, conflicting and asked the words in which a server names the
// one that an error is about. A name is followed by a colon where the address is not in quotes.
var (
	address  = regexp.MustCompile(`/namespaces/([^/\s]+)/(leases|configmaps|endpoints)/([^/?\s":)\]]+)`)
	refused  = regexp.MustCompile(`\b(leases|configmaps|endpoints)(?:\.coordination\.k8s\.io)? \\?"([^"\\\s]+)`)
	askedFor = regexp.MustCompile(`\((?:get|put|update) (leases|configmaps|endpoints)(?:\.coordination\.k8s\.io)? ([^\s)]+)\)`)
)

// mentioned returns the object that a text names: by the address of a request or, with its name alone, by the server's error. It
// is the zero value if there is none.
func mentioned(text string) (l evidence.Lock) {
	if at := address.FindStringSubmatch(text); at != nil {
		return evidence.Lock{Namespace: at[1], Resource: at[2], Name: at[3]}
	}
	for _, words := range []*regexp.Regexp{refused, askedFor} {
		if at := words.FindStringSubmatch(text); at != nil {
			return evidence.Lock{Resource: at[1], Name: at[2]}
		}
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
		if l = mentioned(m.text + " " + m.fields["URL"]); l.Resource != "leases" {
			return evidence.Lock{} // ConfigMaps and Endpoints are seldom locks
		}
		return l
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
	if who := cmp.Or(m.fields["holder"], m.fields["leader"], m.fields["new leader"], m.fields["identity"]); who != "" {
		return who
	}
	who, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(m.text)[len(w.starts):], ": "), " and has not yet expired")
	return who
}
