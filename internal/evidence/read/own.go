package read

import (
	"encoding/json"
	"regexp"
	"strings"

	"interregnum/internal/evidence"
)

// recorded matches the message with which client-go's recorder logs an event about an election. The groups are the kind, the
// namespace and the name of the object, and the event's message.
var recorded = regexp.MustCompile(`\AEvent\((?:v1|api)\.ObjectReference\{Kind:"(\w+)", Namespace:"([^"]*)", Name:"([^"]+)", .*reason: 'LeaderElection' (.*)\z`)

// notice returns the event about an election that a process has reported itself, if the message is client-go's or
// controller-runtime's line about it; its place is not set.
func (m *message) notice() (n evidence.Notice, ok bool) {
	var about reference
	text := ""
	if !m.recorded() {
		return n, false
	}
	switch f := m.fields; {
	case f["reason"] == "LeaderElection" && f["object"] != "":
		if about, text = objectOf(f["object"], f["kind"]), f["message"]; text == "" {
			text = f["msg"]
		}
	case f["reason"] == "LeaderElection" && f["object.name"] != "":
		about, text = reference{Kind: f["object.kind"], Namespace: f["object.namespace"], Name: f["object.name"]}, f["message"]
	default:
		at := recorded.FindStringSubmatch(m.text)
		if at == nil {
			return n, false
		}
		about, text = reference{Kind: at[1], Namespace: at[2], Name: at[3]}, at[4]
	}
	n = evidence.Notice{First: m.at, At: m.at, Count: 1, Unit: m.unit, Lock: evidence.Lock{Resource: kinds[about.Kind], Namespace: about.Namespace, Name: about.Name}}
	n.Identity, n.Leads, ok = whoLeads(text)
	return n, ok && n.Lock.Resource != "" && n.Lock.Name != ""
}

// recorded tells whether the message is of a recorder of events: that of client-go, which klog names, or of controller-runtime.
func (m *message) recorded() bool {
	return m.from == "event.go" || m.from == "recorder.go" || strings.Contains(m.fields["caller"], "event.go") || strings.HasSuffix(m.fields["logger"], "events")
}

// objectOf returns the object that an event in a log is about: an object in JSON, or its namespace and name beside its kind.
func objectOf(text, kind string) (r reference) {
	if strings.HasPrefix(text, "{") {
		_ = json.Unmarshal([]byte(text), &r)
		return r
	}
	if namespace, name, ok := strings.Cut(text, "/"); ok {
		r = reference{Kind: kind, Namespace: namespace, Name: name}
	}
	return r
}

// whoLeads returns whom the message of an event names, and whether it became the leader or stopped leading. ok is false for
// another message.
func whoLeads(text string) (who string, leads, ok bool) {
	text = strings.TrimSpace(text)
	if who, leads = strings.CutSuffix(text, " became leader"); !leads {
		who, ok = strings.CutSuffix(text, " stopped leading")
	}
	return who, leads, (leads || ok) && who != "" && !strings.ContainsAny(who, " \t")
}

// introductions are the words with which programs say their own name in records: in the field id or, where that is empty, behind the words. from is the
// source file that klog must name; "" if none.
var introductions = []struct{ starts, field, from string }{
	{"leaderelection get id ", "", ""},                                                                                        // Argo Rollouts
	{"beginning services leadership", "id", ""}, {"cluster membership", "id", ""}, {"beginning cluster membership", "id", ""}, // kube-vip
	{"leadership lost, stopped leading", "id", "leaderelection.go"}, // Kyverno
}

// own returns the name that the process says it has in records, "" if it says none. A process's own recorder reports only what
// the process does.
func (m *message) own() string {
	if n, ok := m.notice(); ok {
		return n.Identity
	}
	if _, own, _, _ := m.strange(); own != "" {
		return own
	}
	text := strings.ToLower(strings.TrimSpace(m.text))
	for _, in := range introductions {
		if !strings.HasPrefix(text, in.starts) || in.from != "" && m.from != in.from {
			continue
		}
		if in.field != "" {
			return m.fields[in.field]
		}
		return strings.TrimSpace(strings.TrimSpace(m.text)[len(in.starts):])
	}
	return ""
}
