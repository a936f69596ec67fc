package read

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// auditHead matches what kubectl, `aws logs tail`, a container runtime or a journal has put before an audit event that was written to standard
// output.
var auditHead = regexp.MustCompile(`\A(?:\[pod/\S+\] )?(?:\d{4}-\d\d-\d\d[T ]\S+ )?(?:kube-apiserver-audit-\S+ )?(?:(?:stdout|stderr) F )?(?:(?:\S{2,8} {1,2}\d{1,2} \d\d:\d\d:\d\d )?\S+ [^\s\[:{]+(?:\[\d+\])?: )?\{`)

// mostAround is how many wrappers are taken off an audit event at most.
const mostAround = 3

// AuditIn returns the audit event in a line: the line itself, or the part of it that is the event. Others can have put the event
// into JSON, as a text or as it is, as CloudWatch (EKS), Azure Monitor (AKS), Loki, Fluent Bit and Elasticsearch do, or a stamp before it. It returns nil
// if the line has none.
func AuditIn(line []byte) []byte {
	if event := tableEvent(line); event != nil {
		return event
	}
	if !bytes.Contains(line, []byte(`audit.k8s.io/v1`)) && !listed(line) {
		return nil
	}
	if line[0] != '{' {
		at := auditHead.FindIndex(line)
		if at == nil {
			return nil
		}
		line = line[at[1]-1:]
	}
	for range mostAround {
		inner := auditWithin(line)
		if inner == nil {
			break
		}
		line = inner
	}
	return line
}

// listed tells whether a line is perhaps an audit event of a list of them, in which only the list names its kind.
func listed(line []byte) bool {
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"auditID"`)) && bytes.Contains(line, []byte(`"requestReceivedTimestamp"`))
}

// auditWithin returns the audit event that a record in JSON has in one of its fields; nil if it has none, or is an event itself.
func auditWithin(line []byte) []byte {
	if begin := line[:min(len(line), 300)]; bytes.Contains(begin, []byte(`"auditID"`)) && !bytes.Contains(line, []byte(`\"auditID\"`)) && ownKind.Match(begin) {
		return nil // an event itself, as most lines are
	}
	var t tree
	if json.Unmarshal(line, &t) != nil || t["auditID"] != nil {
		return nil
	}
	for _, path := range auditAt {
		raw := t.at(path)
		if len(raw) > 0 && raw[0] == '"' {
			var text string
			_ = json.Unmarshal(raw, &text)
			raw = []byte(strings.TrimSpace(text))
		}
		if len(raw) > 0 && raw[0] == '{' && bytes.Contains(raw, []byte(`auditID`)) {
			return raw
		}
	}
	return nil
}

// ownKind matches the beginning of an audit event.
var ownKind = regexp.MustCompile(`\A\{\s*"kind"\s*:\s*"Event"`)

// auditAt are the fields in which others keep an audit event.
var auditAt = [][]string{{"message"}, {"log"}, {"@message"}, {"properties", "log"}, {"log_s"}, {"line"}, {"MESSAGE"}, {"textPayload"}, {"jsonPayload"}, {"_source"}, {"audit"}}
