package witness

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/simlock"
)

// File is a log as text.
type File struct{ Name, Text string }

// Files returns the logs as texts, as the API server, the processes, kubectl and Prometheus write them, in the reverse order of
// their names. For a quarter of the seeds the end of the audit log is cut off in the middle of a line.
func (l *Logs) Files() (all []File) {
	var audit strings.Builder
	for _, c := range l.Audit {
		audit.WriteString(l.event(c) + "\n")
	}
	all = append(all, File{"audit.log", audit.String()})
	for _, p := range l.Processes {
		var log strings.Builder
		for _, line := range p.Lines {
			log.WriteString(l.line(&line) + "\n")
		}
		all = append(all, File{fmt.Sprintf("%s.%d.log", pod(l.Run.Plan.Candidates[p.Candidate].ID), p.Incarnation), log.String()})
	}
	all = append(all, l.objects()...)
	all = append(all, l.prometheus()...)
	if l.Run.Seed%4 == 0 {
		first := &all[0]
		first.Text = first.Text[:len(first.Text)-min(len(first.Text), 40)]
	}
	slices.SortStableFunc(all, func(a, b File) int { return strings.Compare(b.Name, a.Name) })
	return all
}

// line returns a line of a process's log as text, without a newline, as zap or klog writes it (see Habits.zap). zap's time is in
// whole seconds.
func (l *Logs) line(line *Line) string {
	failed := line.Step == evidence.Failed
	if l.Habits.zap(line) {
		level := "info"
		if failed {
			level = "error"
		}
		text, _ := json.Marshal(map[string]string{"level": level, "ts": l.Habits.stamped(line).UTC().Format(time.RFC3339), "msg": line.Text})
		return string(text)
	}
	severity := "I"
	if failed {
		severity = "E"
	}
	return fmt.Sprintf("%s%s       1 leaderelection.go:257] %s", severity, line.At.UTC().Format("0102 15:04:05.000000"), line.Text)
}

// event returns the line of an audit log about a request, as JSON, with as much as the level says.
func (l *Logs) event(c *Call) string {
	group, version := "", "v1"
	lock := l.Lock()
	if lock.Resource == "leases" {
		group = "coordination.k8s.io"
	}
	ref := map[string]any{"resource": lock.Resource, "namespace": lock.Namespace, "name": lock.Name, "apiGroup": group, "apiVersion": version}
	if c.Op.Verb == machine.Update && c.read() {
		ref["resourceVersion"] = strconv.FormatUint(c.Op.Version, 10)
	}
	e := map[string]any{
		"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": l.Habits.Level, "auditID": fmt.Sprintf("%d-%d", c.Candidate, c.ID),
		"stage": "ResponseComplete", "verb": verbs[c.Op.Verb], "userAgent": agent, "sourceIPs": []string{address(c.Candidate)},
		"user":                     map[string]any{"username": "system:serviceaccount:" + namespace + ":manager"},
		"objectRef":                ref,
		"responseStatus":           map[string]any{"metadata": map[string]any{}, "code": c.Status},
		"requestReceivedTimestamp": micro(stamp(c.Received)), "stageTimestamp": micro(stamp(c.Answered)),
	}
	if d := c.decision(); d != "" {
		e["annotations"] = map[string]string{"authorization.k8s.io/decision": d, "authorization.k8s.io/reason": ""}
	}
	if l.Habits.Level != Metadata && c.Op.Verb != machine.Get && c.read() {
		e["requestObject"] = object(lock.Resource, c.Op.Object, &c.Op.Record, c.Op.Version)
	}
	if l.Habits.Level == RequestResponse {
		if c.Version > 0 {
			e["responseObject"] = object(lock.Resource, c.Op.Object, &c.Record, c.Version)
		} else {
			e["responseObject"] = map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": c.Status}
		}
	}
	line, _ := json.Marshal(e)
	return string(line)
}

// objects returns what kubectl prints of the lock, and of the Kubernetes events about it, each as a file. A file without items
// is left out.
func (l *Logs) objects() (all []File) {
	var seen, notices []any
	for _, s := range l.Seen {
		seen = append(seen, object(l.Lock().Resource, s.Call.Op.Object, &s.Call.Op.Record, s.Call.Written))
	}
	for _, p := range l.Processes {
		for _, n := range p.Notices {
			notices = append(notices, notice(&n))
		}
	}
	for name, items := range [2][]any{seen, notices} {
		if len(items) > 0 {
			text, _ := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": items})
			all = append(all, File{[]string{"lock.json", "events.json"}[name], string(text)})
		}
	}
	return all
}

// notice returns a Kubernetes event as JSON has it, as kubectl prints it.
func notice(n *evidence.Notice) map[string]any {
	verb := "stopped leading"
	if n.Leads {
		verb = "became leader"
	}
	kind := map[string]string{"leases": "Lease", "configmaps": "ConfigMap", "endpoints": "Endpoints"}[n.Lock.Resource]
	return map[string]any{
		"kind": "Event", "apiVersion": "v1", "metadata": map[string]any{"namespace": namespace, "name": lockName + ".1"},
		"involvedObject": map[string]any{"kind": kind, "namespace": namespace, "name": lockName},
		"reason":         "LeaderElection", "type": "Normal", "message": n.Identity + " " + verb,
		"firstTimestamp": n.First.UTC().Format(time.RFC3339), "lastTimestamp": n.At.UTC().Format(time.RFC3339), "count": n.Count,
	}
}

// micro returns a time as text, as the server writes it, in microseconds.
func micro(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// object returns an object with that record as JSON has it, in the form of its resource. Without a version it has no
// resourceVersion.
func object(resource string, o simlock.Object, r *machine.Record, version uint64) map[string]any {
	k := kept(o, *r)
	meta := map[string]any{"name": lockName, "namespace": namespace}
	if version > 0 {
		meta["resourceVersion"] = strconv.FormatUint(version, 10)
	}
	if resource == "leases" {
		return map[string]any{"kind": "Lease", "apiVersion": "coordination.k8s.io/v1", "metadata": meta, "spec": map[string]any{
			"holderIdentity": identity(k.Holder), "leaseDurationSeconds": k.DurationSeconds, "leaseTransitions": k.Transitions,
			"acquireTime": micro(shown(k.Acquire)), "renewTime": micro(shown(k.Renew)),
		}}
	}
	record, _ := json.Marshal(map[string]any{
		"holderIdentity": identity(k.Holder), "leaseDurationSeconds": k.DurationSeconds, "leaderTransitions": k.Transitions,
		"acquireTime": shown(k.Acquire).UTC().Format(time.RFC3339), "renewTime": shown(k.Renew).UTC().Format(time.RFC3339),
	})
	meta["annotations"] = map[string]string{"control-plane.alpha.kubernetes.io/leader": string(record)}
	kind := map[string]string{"configmaps": "ConfigMap", "endpoints": "Endpoints"}[resource]
	return map[string]any{"kind": kind, "apiVersion": "v1", "metadata": meta}
}
