package read

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// auditHead matches what kubectl, or a container runtime, has put before an audit event that was written to standard output.
var auditHead = regexp.MustCompile(`\A(?:\[pod/\S+\] )?(?:\d{4}-\d\d-\d\dT\S+ )?(?:(?:stdout|stderr) F )?\{`)

// AuditIn returns the audit event in a line: the line itself, or the part of it that is the event. Others can have put the event
// as a text into JSON, as CloudWatch (EKS) and Azure Monitor (AKS) do, or a stamp before it. It returns nil if the line has
// none.
func AuditIn(line []byte) []byte {
	if !bytes.Contains(line, []byte(`audit.k8s.io/v1`)) {
		return nil
	}
	if line[0] != '{' {
		at := auditHead.FindIndex(line)
		if at == nil {
			return nil
		}
		line = line[at[1]-1:]
	}
	if !bytes.Contains(line, []byte(`\"auditID\"`)) {
		return line
	}
	var w struct {
		Message, Log string
		Insights     string `json:"@message"`
		Properties   struct{ Log string }
	}
	if json.Unmarshal(line, &w) != nil {
		return line
	}
	for _, text := range []string{w.Message, w.Log, w.Insights, w.Properties.Log} {
		if text = strings.TrimSpace(text); strings.HasPrefix(text, "{") && strings.Contains(text, `"auditID"`) {
			return []byte(text)
		}
	}
	return line
}
