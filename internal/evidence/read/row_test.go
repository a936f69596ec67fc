package read_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
)

// auditEvent is an event of a server's own audit log.
const auditEvent = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","verb":"update","user":{"username":"u"},"sourceIPs":["10.0.0.1"],` +
	`"userAgent":"m/v1 (linux/amd64) kubernetes/abc","objectRef":{"resource":"leases","namespace":"a","name":"b","apiGroup":"coordination.k8s.io"},"responseStatus":{"code":200},` +
	`"requestObject":{"kind":"Lease","metadata":{"name":"b","namespace":"a","resourceVersion":"7"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15}},` +
	`"requestReceivedTimestamp":"2026-01-24T04:20:01.000000Z","stageTimestamp":"2026-01-24T04:20:01.010000Z"}`

// quote returns a text as a string in JSON.
func quote(t testing.TB, text string) string {
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	return string(quoted)
}

// asCSV returns rows as CSV.
func asCSV(t testing.TB, rows ...[]string) string {
	var b strings.Builder
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	return b.String()
}

// asPairs returns rows as the answer of GetQueryResults of CloudWatch Logs, by the API's reference: the first row has the names of the fields.
func asPairs(t testing.TB, rows ...[]string) string {
	var all []string
	for _, row := range rows[1:] {
		var pairs []string
		for i, value := range row {
			pairs = append(pairs, fmt.Sprintf(`{"field":%s,"value":%s}`, quote(t, rows[0][i]), quote(t, value)))
		}
		all = append(all, "["+strings.Join(pairs, ",")+"]")
	}
	return `{"queryLanguage": "CWLI", "results": [` + strings.Join(all, ",\n") + `], "statistics": {"recordsMatched": 3.0}, "status": "Complete"}`
}

// asTables returns rows as the answer of Log Analytics' API: the columns of a table, and its rows.
func asTables(t testing.TB, rows ...[]string) string {
	var columns, all []string
	for _, name := range rows[0] {
		columns = append(columns, fmt.Sprintf(`{"name":%s,"type":"string"}`, quote(t, name)))
	}
	for _, row := range rows[1:] {
		var values []string
		for _, value := range row {
			values = append(values, quote(t, value))
		}
		all = append(all, "["+strings.Join(values, ",")+"]")
	}
	return `{"tables":[{"name":"PrimaryResult","columns":[` + strings.Join(columns, ",") + `],"rows":[` + strings.Join(all, ",") + `]}]}`
}

// asObjects returns rows as a list of objects, as the console of CloudWatch and `az monitor log-analytics query` print it.
func asObjects(t testing.TB, rows ...[]string) string {
	var all []string
	for _, row := range rows[1:] {
		var fields []string
		for i, value := range row {
			fields = append(fields, quote(t, rows[0][i])+": "+quote(t, value))
		}
		all = append(all, "{"+strings.Join(fields, ", ")+"}")
	}
	return "[\n  " + strings.Join(all, ",\n  ") + "\n]"
}

// rowForms are the forms of the results of queries.
var rowForms = map[string]func(testing.TB, ...[]string) string{"CSV": asCSV, "pairs": asPairs, "tables": asTables, "objects": asObjects}

// TestRows: the results of a query about audit logs are read in each form. A column that names the server tells the servers apart; without one the times may
// be those of several servers, and nothing is certain.
func TestRows(t *testing.T) {
	for name, c := range map[string]struct{ columns, server string }{
		"Insights":      {"@timestamp,@message,@logStream", "kube-apiserver-audit-1"},
		"Log Analytics": {"TimeGenerated,Category,log_s,pod_s", "kube-apiserver-1"},
	} {
		columns := strings.Split(c.columns, ",")
		for form, print := range rowForms {
			for _, named := range []bool{true, false} {
				use := columns[:len(columns)-1]
				if named {
					use = columns
				}
				rows := [][]string{use}
				for i, server := range []string{c.server, c.server + "0", c.server} {
					row := []string{"2026-01-24 04:20:01.000"}
					if len(columns) == 4 {
						row = append(row, "kube-audit")
					}
					row = append(row, fmt.Sprintf(auditEvent, i), server)
					rows = append(rows, row[:len(use)])
				}
				e := readAll(t, read.Options{}, "f", print(t, rows...))
				require.Len(t, e.Requests, 3, name+" "+form)
				require.NotNil(t, e.Requests[0].Wrote, name+" "+form)
				assert.Equal(t, "h", e.Requests[0].Wrote.Holder, name+" "+form)
				if !named {
					require.Len(t, e.Sources, 1, name+" "+form)
					assert.Contains(t, e.Sources[0].Unsure, "which API server", name+" "+form)
					assert.False(t, e.Sources[0].OneTime, name+" "+form)
					continue
				}
				require.Len(t, e.Sources, 2, name+" "+form)
				assert.Equal(t, c.server, e.Sources[0].Process, name+" "+form)
				assert.Empty(t, e.Sources[0].Unsure, name+" "+form)
			}
		}
	}
}

// TestAKSAudit: rows of the tables AKSAudit and AKSAuditAdmin, whose columns are in Azure Monitor's reference of tables, are read as events. A dynamic column is
// an object, or a text with one.
func TestAKSAudit(t *testing.T) {
	rows := [][]string{
		strings.Split("TimeGenerated|Level|AuditId|Stage|RequestUri|Verb|User|SourceIps|UserAgent|ObjectRef|ResponseStatus|RequestObject|ResponseObject|RequestReceivedTime|StageReceivedTime|Annotations|PodName|Type", "|"),
		{"2026-01-24T04:20:01.5Z", "RequestResponse", "1", "ResponseComplete", "/apis/x", "update", `{"username":"u"}`, `["10.0.0.1"]`, "m/v1 (linux/amd64) kubernetes/abc",
			`{"resource":"leases","namespace":"a","name":"b","uid":"x"}`, `{"code":200}`, `{"kind":"Lease","metadata":{"resourceVersion":"7"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15}}`,
			`skipped-too-big-size-object`, "2026-01-24T04:20:01.1234567Z", "2026-01-24T04:20:01.2Z", `{"authorization.k8s.io/decision":"allow"}`, "kube-apiserver-1", "AKSAudit"},
	}
	forms := map[string]string{}
	for form, print := range rowForms {
		forms[form] = print(t, rows...)
	}
	objects := map[string]any{}
	for i, name := range rows[0] {
		objects[name] = rows[1][i]
		if value := rows[1][i]; value[0] == '{' || value[0] == '[' {
			objects[name] = json.RawMessage(value)
		}
	}
	line, err := json.Marshal(objects)
	require.NoError(t, err)
	forms["lines"] = string(line) + "\n"
	for form, text := range forms {
		e := readAll(t, read.Options{}, "f", text)
		require.Len(t, e.Requests, 1, form)
		q := e.Requests[0]
		assert.Equal(t, evidence.Lock{Resource: "leases", Namespace: "a", Name: "b"}, q.Lock, form)
		assert.Equal(t, []any{"update", "u", "10.0.0.1", "m/v1 (linux/amd64) kubernetes/abc", 200, "7", "allow", "x", 123456700, 200000000},
			[]any{q.Verb, q.User, q.From, q.Agent, q.Status, q.Sent, q.Decision, q.UID, q.Received.Nanosecond(), q.Answered.Nanosecond()}, form)
		assert.Equal(t, "h", q.Wrote.Holder, form)
		assert.Equal(t, "kube-apiserver-1", e.Sources[0].Process, form)
		assert.Contains(t, e.Sources[0].Unsure, "Log Analytics", form)
	}
}

// TestRowsOfOthers: rows that are not of a table's form, or have other values, do no harm.
func TestRowsOfOthers(t *testing.T) {
	for _, text := range []string{
		`{"results":[[{"field":1}],[1,2],[],{"a":1},"x"],"status":"Complete"}`,
		`{"tables":[{"rows":[[1]],"columns":[{"name":"a"}]},{"columns":[{"name":"log_s"}],"rows":[[1],["x"],[],{"a":1},["x","y"]]},[],1,{"columns":{},"rows":[]}]}`,
		`{"tables":{}}`, `{"results":`, `{"tables":[{"columns":[{"name":"log_s"}],"rows":[["`,
		"@timestamp,@message\n\"\"auditID\"\",x\n\"\"\"auditID\"\n,\"{\"\"auditID\"\":1}\",\n\"", "AuditId,RequestReceivedTime\n1\n1,2\n1,2,3\n\"\n",
		`{"AuditId":1,"RequestReceivedTime":2}`, `{"AuditId":"1","RequestReceivedTime":"x","ObjectRef":"{","User":[],"SourceIps":{}}`,
	} {
		r := read.New(read.Options{})
		_ = r.Read(read.File{Name: "f", Reader: strings.NewReader(text)})
		assert.Empty(t, r.Evidence().Requests, text)
	}
}

// TestControlPlanes: lines of the processes of a managed control plane, as CloudWatch (EKS) and Azure Monitor (AKS) have them, and of containers in Log Analytics, by the
// reference of its table ContainerLogV2.
func TestControlPlanes(t *testing.T) {
	const line = `I0124 04:20:01.123456       1 leaderelection.go:258] successfully acquired lease kube-system/kube-controller-manager`
	for name, c := range map[string]struct{ text, process string }{
		"get-log-events":         {"{\n    \"events\": [\n        {\n            \"timestamp\": 1769228401123,\n            \"message\": " + quote(t, line) + ",\n            \"ingestionTime\": 1769228402000\n        }\n    ],\n    \"nextForwardToken\": \"f/1\",\n    \"nextBackwardToken\": \"b/1\"\n}\n", "f"},
		"filter-log-events":      {"{\n    \"events\": [\n        {\n            \"logStreamName\": \"kube-controller-manager-1a2b\",\n            \"timestamp\": 1769228401123,\n            \"message\": " + quote(t, line) + ",\n            \"ingestionTime\": 1769228402000,\n            \"eventId\": \"1\"\n        }\n    ],\n    \"searchedLogStreams\": []\n}\n", "kube-controller-manager-1a2b"},
		"Azure Monitor":          {`{"time":"2026-01-24T04:20:02Z","category":"kube-controller-manager","ccpNamespace":"x","properties":{"log":` + quote(t, line+"\n") + `,"stream":"stderr","pod":"kube-controller-manager-1","containerID":"y"}}`, "kube-controller-manager-1"},
		"AzureDiagnostics":       {`[{"TimeGenerated":"2026-01-24T04:20:02Z","Category":"kube-controller-manager","log_s":` + quote(t, line+"\n") + `,"pod_s":"kube-controller-manager-1"}]`, "kube-controller-manager-1"},
		"ContainerLogV2":         {`[{"TimeGenerated":"2026-01-24T04:20:02Z","PodName":"a-1","ContainerName":"manager","PodNamespace":"n","LogSource":"stderr","LogMessage":` + quote(t, line) + `}]`, "a-1 manager"},
		"ContainerLogV2 in JSON": {`[{"TimeGenerated":"2026-01-24T04:20:02Z","PodName":"a-1","ContainerName":"manager","LogMessage":{"ts":"2026-01-24T04:20:01.123456Z","msg":"successfully acquired lease kube-system/kube-controller-manager"}}]`, "a-1 manager"},
	} {
		e := readAll(t, read.Options{}, "f", c.text)
		require.Len(t, e.Sayings, 1, name)
		got := e.Sayings[0]
		source := e.Sources[got.Source]
		assert.Equal(t, c.process, strings.TrimSpace(source.Process+" "+source.Container), name)
		assert.Equal(t, "2026-01-24T04:20:01.123456Z", got.At.Format("2006-01-02T15:04:05.999999Z07:00"), name)
		assert.False(t, got.Relayed, name)
	}
}

// TestOwnFields: fields of Log Analytics' names that a process writes itself do not make its line another pod's.
func TestOwnFields(t *testing.T) {
	e := readAll(t, read.Options{}, "a.log", `{"time":"2026-01-24T04:20:01.123456Z","message":"successfully acquired lease n/l","PodName":"b","pod_s":"c"}`)
	require.Len(t, e.Sayings, 1)
	assert.Equal(t, "a", e.Sources[e.Sayings[0].Source].Process)
}
