package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// gathered is a record of a collector of logs, around a line: its stamp, and whose line it is. sure: it is no line in JSON that
// a process has written itself.
type gathered struct {
	outer
	sure bool
}

// lineAt are the fields in which collectors keep a line. Processes write some of them, too: such a record is a collector's if
// the text in it has a stamp of its own, or if the record names the pod.
var lineAt = []struct {
	path []string
	sure bool
}{
	{[]string{"log"}, true}, {[]string{"textPayload"}, true}, {[]string{"line"}, true}, // Docker, Fluent Bit; GKE; Loki
	{[]string{"properties", "log"}, true}, {[]string{"log_s"}, true}, {[]string{"LogMessage"}, true}, // Azure Monitor; Log Analytics
	{[]string{"MESSAGE"}, true}, {[]string{"@message"}, true}, {[]string{"_source", "message"}, true}, {[]string{"message"}, false}, // journald; CloudWatch; Elasticsearch; several
}

// podAt are the fields in which collectors name a pod, and stampAt those in which they have a time. hostAt and programAt are
// those of journald.
var (
	podAt = [][]string{{"kubernetes", "pod_name"}, {"kubernetes", "pod", "name"}, {"_source", "kubernetes", "pod", "name"}, {"_source", "kubernetes", "pod_name"},
		{"resource", "labels", "pod_name"}}
	stampAt = [][]string{{"time"}, {"timestamp"}, {"@timestamp"}, {"_source", "@timestamp"}, {"TimeGenerated"}, {"date"}, {"__REALTIME_TIMESTAMP"}}
)

// tree is an object in JSON, whose fields are not parsed yet.
type tree map[string]json.RawMessage

// treeOf returns a line in JSON as a tree; nil if it is no object.
func treeOf(line []byte) (t tree) {
	if json.Unmarshal(line, &t) != nil {
		return nil
	}
	return t
}

// scalar returns the text or the number in a field of t, as a text, and whether it is a number. The text is "" if the field is something
// else, or is not there.
func (t tree) scalar(field string) (text string, number bool) {
	raw := t[field]
	if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw), true
	}
	text, _ = textOf(raw)
	return text, false
}

// fields returns the fields of t that are texts or numbers, as texts. The field object, which says what an event is about, is
// returned as its JSON. Of a line of Rust's tracing, the texts in its field fields are returned, too. It returns nil for a
// tree that is nil.
func (t tree) fields() map[string]string {
	if t == nil {
		return nil
	}
	fields := map[string]string{}
	if inner := t["fields"]; len(inner) > 0 && t["target"] != nil && t["msg"] == nil && t["message"] == nil { // tracing of Rust
		var values map[string]string
		_ = json.Unmarshal(inner, &values) // values of other types are left out
		maps.Copy(fields, values)
	}
	for key, raw := range t {
		if text, number := t.scalar(key); text != "" || number || raw[0] == '"' {
			fields[key] = text
		} else if key == "object" && raw[0] == '{' { // what an event is about
			fields[key] = string(raw)
		}
	}
	return fields
}

// textOf returns the text that raw is, and whether it is one.
func textOf(raw json.RawMessage) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true // as most are, in a fifth of the time
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// at returns what stands at a path in t; nil if there is nothing.
func (t tree) at(path []string) json.RawMessage {
	for len(path) > 1 {
		raw := t[path[0]]
		if len(raw) == 0 || raw[0] != '{' {
			return nil
		}
		t, path = treeOf(raw), path[1:]
	}
	return t[path[0]]
}

// text returns the text at a path in t, "" if there is none.
func (t tree) text(path ...string) string {
	text, _ := textOf(t.at(path))
	return text
}

// collected takes a record apart in which a collector has put a line. It returns the line within, and what the record says of
// it; ok is false if t is no such record. zone is that of stamps that name none.
func collected(t tree, zone *time.Location) (inner []byte, g gathered, ok bool) {
	if t == nil {
		return nil, g, false
	}
	for _, field := range payloadAt {
		if raw := bytes.TrimSpace(t[field]); len(raw) > 0 && raw[0] == '{' {
			return payloadOf(t, raw, zone)
		}
	}
	text := ""
	for _, a := range lineAt {
		if text = t.text(a.path...); text != "" {
			g.sure = a.sure && t["msg"] == nil && t["level"] == nil // or a process has written a field of that name
			break
		}
	}
	if inner = plain(bytes.TrimSpace([]byte(text))); len(inner) == 0 {
		return nil, g, false
	}
	g.whose(t)
	g.sure = g.sure || g.process != ""
	g.stampOf(t, zone)
	return inner, g, true
}

// payloadAt are the fields in which Google Cloud and Log Analytics have a line in JSON as an object.
var payloadAt = []string{"jsonPayload", "LogMessage"}

// payloadOf takes a record apart whose payload is a line in JSON, or the fields of one. It returns the message in it, beside
// its fields, if the message is not all that counts: the payload has no stamp of its own, or the message has. Otherwise it
// returns the payload.
func payloadOf(t tree, payload []byte, zone *time.Location) (inner []byte, g gathered, ok bool) {
	within := treeOf(payload)
	if within == nil {
		return nil, g, false
	}
	g.whose(t)
	g.sure = true
	g.stampOf(t, zone)
	message := plain(bytes.TrimSpace([]byte(within.text("message"))))
	if _, stamped := parseJSON(within, payload, zone); stamped || len(message) == 0 {
		return payload, g, true
	}
	g.fields = within.fields()
	place, _, _ := strings.Cut(cmp.Or(t.text("sourceLocation", "file"), within.text("source")), ":") // a file, or a file and a line
	g.from = place[strings.LastIndex(place, "/")+1:]
	return message, g, true
}

// stampOf sets stamp to the first of the fields stampAt of the record t that is a stamp, and stamped to whether there is one.
func (g *gathered) stampOf(t tree, zone *time.Location) {
	for _, path := range stampAt {
		raw := t.at(path)
		text, isText := textOf(raw)
		number := !isText
		if number {
			text = string(raw)
		} else if _, err := strconv.ParseUint(text, 10, 64); err == nil {
			number = true // journald's
		}
		if g.stamp, g.stamped = fieldStamp(text, number, zone); g.stamped {
			break
		}
	}
}

// whose sets which process has written the line in the record t, as far as the record says that: its pod and perhaps its
// container or, if no pod is named, the host and the program that a journal names.
func (g *gathered) whose(t tree) {
	for _, path := range podAt {
		if g.process == "" {
			g.process = t.text(path...)
		}
	}
	if g.process != "" && g.process == t.text("resource", "labels", "pod_name") { // Google Cloud
		g.container = t.text("resource", "labels", "container_name")
	}
	switch {
	case g.process != "":
	case t["LogMessage"] != nil:
		g.process, g.container = t.text("PodName"), t.text("ContainerName")
	case t["log_s"] != nil:
		g.process = t.text("pod_s")
	case t.text("properties", "log") != "":
		g.process = t.text("properties", "pod")
	case t["containerName"] != nil && t["podName"] != nil: // stern
		g.process = t.text("podName")
	case t["line"] != nil: // logcli, Grafana
		g.process = cmp.Or(t.text("labels", "pod"), t.text("fields", "pod"))
	case t["logStreamName"] != nil:
		g.process = podOfStream(t.text("logStreamName"))
	case t["@logStream"] != nil:
		g.process = podOfStream(t.text("@logStream"))
	default:
		g.host, g.program = t.text("_HOSTNAME"), cmp.Or(t.text("SYSLOG_IDENTIFIER"), t.text("_COMM"))
	}
}
