package read

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// servers are the fields, in the order in which they count, by which exports of logs tell apart the servers that have written the entries:
// CloudWatch, also as its Insights print it; Azure Monitor; what Fluent Bit, Filebeat and Vector add; the labels of Loki's streams.
var servers = [][]string{
	{"logStreamName"}, {"@logStream"}, {"logStream"},
	{"kubernetes", "pod_name"}, {"kubernetes", "pod", "name"}, {"properties", "pod"}, {"pod_s"}, {"PodName"}, {"podName"}, {"resource", "labels", "pod_name"},
	{"labels", "pod"}, {"labels", "instance"}, {"labels", "node_name"}, {"labels", "node"}, {"labels", "hostname"}, {"labels", "host"}, {"labels", "filename"},
	{"stream", "pod"}, {"stream", "instance"}, {"stream", "node_name"}, {"stream", "node"}, {"stream", "hostname"}, {"stream", "host"}, {"stream", "filename"},
	{"kubernetes", "host"}, {"kubernetes", "node", "name"}, {"agent", "hostname"}, {"host", "name"}, {"host"}, {"hostname"}, {"_HOSTNAME"}, {"node"}, {"instance"},
}

// auditPod matches what kubectl logs --prefix puts before an audit event, and auditStream what `aws logs tail` does for EKS. The groups are the names of
// the pod and the stream.
var (
	auditPod    = regexp.MustCompile(`\A\[pod/([^/\]]+)`)
	auditStream = regexp.MustCompile(`\A\d\S+ (kube-apiserver-audit-\S+) \{`)
)

// serverOf returns the name of the server that has written the audit event in a line, by what others have put around it; "" if
// that does not tell. event is what AuditIn has found in the line.
func serverOf(line, event []byte) string {
	if m := auditPod.FindSubmatch(line); m != nil {
		return string(m[1])
	}
	if line[0] != '{' {
		if m := auditStream.FindSubmatch(line); m != nil {
			return string(m[1])
		}
	}
	at := bytes.IndexByte(line, '{')
	if at < 0 || len(line)-at == len(event) && bytes.HasPrefix(event, []byte(`{"kind":"Event",`)) { // as the server writes it
		return ""
	}
	var around tree
	if json.Unmarshal(line[at:], &around) != nil {
		return ""
	}
	for _, path := range servers {
		if name := around.text(path...); strings.TrimSpace(name) != "" {
			return name
		}
	}
	return ""
}

// serverOfStream returns the name of the server that has written a stream of Loki, by the stream's labels; "" if these do not tell.
func serverOfStream(labels map[string]string) string {
	for _, path := range servers {
		if name := labels[path[len(path)-1]]; path[0] == "stream" && name != "" {
			return name
		}
	}
	return ""
}
