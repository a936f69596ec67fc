package read_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence/read"
)

// TestServers: what is around audit events tells which server each is of, and each server has a source of its own.
func TestServers(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","verb":"update","user":{"username":"u"},"objectRef":{"resource":"leases","namespace":"a","name":"b","apiGroup":"coordination.k8s.io"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.010000Z"}`
	entry := func(n int, form, server string) string {
		text := fmt.Sprintf(event, n)
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		return strings.NewReplacer("QUOTED", string(quoted), "EVENT", text, "FIELDS", text[1:], "SERVER", server).Replace(form)
	}
	for name, c := range map[string]struct{ entry, whole string }{
		"CloudWatch":         {`{"logStreamName":"SERVER","timestamp":1,"message":QUOTED}`, `{"events":[%s,%s,%s],"searchedLogStreams":[]}`},
		"Insights":           {`{"@timestamp":"x","@logStream":"SERVER","@message":QUOTED}`, "%s\n%s\n%s"},
		"Azure Monitor":      {`{"category":"kube-audit","properties":{"log":QUOTED,"stream":"stdout","pod":"SERVER"}}`, `{"records":[%s,%s,%s]}`},
		"Fluent Bit":         {`{"date":1.0,"log":QUOTED,"stream":"stdout","kubernetes":{"pod_name":"SERVER"}}`, "%s\n%s\n%s"},
		"Filebeat":           {`{"agent":{"hostname":"SERVER"},"message":QUOTED}`, "%s\n%s\n%s"},
		"aws logs tail":      {`2026-01-24T04:20:01.010000+00:00 kube-apiserver-audit-SERVER EVENT`, "%s\n%s\n%s"},
		"beside the event":   {`{"hostname":"SERVER",FIELDS`, "%s\n%s\n%s"},
		"kubectl --prefix":   {`[pod/SERVER/kube-apiserver] EVENT`, "%s\n%s\n%s"},
		"in several objects": {"{\n \"hostname\":\"SERVER\",FIELDS", "%s\n%s\n%s"},
	} {
		e := readAll(t, read.Options{}, "a.log", fmt.Sprintf(c.whole, entry(1, c.entry, "cp1"), entry(2, c.entry, "cp2"), entry(3, c.entry, "cp1")))
		require.Len(t, e.Requests, 3, name)
		var servers []string
		for _, q := range e.Requests {
			servers = append(servers, strings.TrimPrefix(e.Sources[q.Source].Process, "kube-apiserver-audit-"))
		}
		assert.Equal(t, []string{"cp1", "cp2", "cp1"}, servers, name)
		assert.Len(t, e.Sources, 2, name)
	}
	e := readAll(t, read.Options{}, "a.log", fmt.Sprintf(event, 1)+"\n"+entry(2, `{"log":QUOTED,"stream":"stdout","time":"2026-01-24T04:20:01Z"}`, ""))
	assert.Len(t, e.Sources, 1, "nothing tells")
	assert.Empty(t, e.Sources[0].Process)
}
