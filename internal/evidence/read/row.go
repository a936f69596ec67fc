package read

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
)

// pairedRow returns a row of fields and values, as CloudWatch's GetQueryResults answers, as an object; anything else as it is.
func pairedRow(raw []byte) []byte {
	var pairs []struct {
		Field string `json:"field"`
		Value string `json:"value"`
	}
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &pairs) != nil {
		return raw
	}
	row := map[string]string{}
	for _, p := range pairs {
		row[p.Field] = p.Value
	}
	return marshalled(row)
}

// marshalled returns a value of texts as JSON.
func marshalled(value any) []byte {
	text, _ := json.Marshal(value) // cannot fail
	return text
}

// table reads a table of Log Analytics, whose beginning was read, and calls x.line for each row, as an object. Rows whose columns were not named before
// are left out.
func (x *export) table() error {
	var columns []struct {
		Name string `json:"name"`
	}
	for x.More() {
		name, err := x.Token()
		if err != nil {
			return err
		}
		switch name {
		case "columns":
			var raw json.RawMessage
			if err := x.Decode(&raw); err != nil {
				return err
			}
			_ = json.Unmarshal(raw, &columns) // a table of another form has no columns
		case "rows":
			if err := x.begin('[', "a list of rows"); err != nil {
				return err
			}
			err = x.each(func(raw json.RawMessage) {
				var values []json.RawMessage
				if json.Unmarshal(raw, &values) != nil || len(values) != len(columns) {
					return
				}
				row := map[string]json.RawMessage{}
				for i, c := range columns {
					row[c.Name] = values[i]
				}
				x.entries++
				x.line(marshalled(row))
			})
			if err != nil {
				return err
			}
		default:
			var other json.RawMessage
			if err := x.Decode(&other); err != nil {
				return err
			}
		}
	}
	_, err := x.Token() // the end of the table
	return err
}

// messageColumns are the columns in which the results of queries have an audit event, or, for auditID, which only a table of such events has.
var messageColumns = []string{"@message", "log_s", auditColumn}

// auditColumn is the column of the tables AKSAudit and AKSAuditAdmin of Log Analytics that has an event's identifier, and receivedColumn the one that has when
// the server received the request.
const auditColumn, receivedColumn = "AuditId", "RequestReceivedTime"

// header returns the names of the columns if a line is the first one of results of a query in CSV, nil otherwise.
func header(line []byte) []string {
	names := cells(line)
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], " [UTC]") // of the portal of Azure
	}
	if len(names) < 2 || !slices.ContainsFunc(messageColumns, func(name string) bool { return slices.Contains(names, name) }) {
		return nil
	}
	return names
}

// cells returns the values of a line in CSV, nil if it is none.
func cells(line []byte) []string {
	values, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	return values
}

// auditRow returns a line of CSV as an object, if it is a row of f.columns that has an audit event; nil otherwise.
func (f *file) auditRow(line []byte) []byte {
	if f.columns == nil || !bytes.Contains(line, []byte(`""auditID""`)) && !slices.Contains(f.columns, auditColumn) {
		return nil
	}
	values := cells(line)
	if len(values) != len(f.columns) {
		return nil
	}
	row := map[string]string{}
	for i, name := range f.columns {
		row[name] = values[i]
	}
	raw := marshalled(row)
	if AuditIn(raw) == nil {
		return nil
	}
	return raw
}

// tableEvent returns the audit event in a row of the tables AKSAudit or AKSAuditAdmin of Log Analytics, nil if the line is no such row.
func tableEvent(line []byte) []byte {
	if len(line) == 0 || line[0] != '{' || !bytes.Contains(line, []byte(`"`+receivedColumn+`"`)) || !bytes.Contains(line, []byte(`"`+auditColumn+`"`)) {
		return nil
	}
	var row tree
	if json.Unmarshal(line, &row) != nil || row[auditColumn] == nil || row[receivedColumn] == nil {
		return nil
	}
	event := map[string]json.RawMessage{"kind": []byte(`"Event"`), "apiVersion": []byte(`"audit.k8s.io/v1"`)}
	for column, field := range map[string]string{
		auditColumn: "auditID", "Stage": "stage", "Verb": "verb", "UserAgent": "userAgent", receivedColumn: "requestReceivedTimestamp", "StageReceivedTime": "stageTimestamp",
	} {
		event[field] = row[column]
	}
	for column, field := range map[string]string{
		"User": "user", "SourceIps": "sourceIPs", "ObjectRef": "objectRef", "ResponseStatus": "responseStatus", "RequestObject": "requestObject", "ResponseObject": "responseObject",
		"Annotations": "annotations",
	} {
		event[field] = dynamic(row[column])
	}
	for field, value := range event {
		if len(value) == 0 {
			delete(event, field)
		}
	}
	return marshalled(event)
}

// dynamic returns the value of a dynamic column: an object or a list, perhaps as a text. It is nil for any other value.
func dynamic(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = bytes.TrimSpace([]byte(text))
	}
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' || !json.Valid(raw) {
		return nil
	}
	return raw
}

// Why nothing is certain of audit logs that a query has returned.
const (
	anyServer = "The results of a query do not say which API server wrote an entry: want the column @logStream, pod_s or PodName. They may have the times of several servers' clocks."
	cutTimes  = "It is not known whether the table of Log Analytics has the times as the API server wrote them."
)

// unsureOf returns why the times of an audit event are not known to be those of one clock, by the line around the event; ""
// if that line gives no reason. server is the one that wrote the event, "" if that is not known.
func unsureOf(line []byte, server string) string {
	if line[0] != '{' || !slices.ContainsFunc(messageColumns, func(name string) bool { return bytes.Contains(line, []byte(`"`+name+`"`)) }) {
		return ""
	}
	var t tree
	_ = json.Unmarshal(line, &t) // was one
	switch {
	case t[auditColumn] != nil && t[receivedColumn] != nil:
		return cutTimes
	case server == "" && (t["@message"] != nil || t["log_s"] != nil):
		return anyServer
	}
	return ""
}
