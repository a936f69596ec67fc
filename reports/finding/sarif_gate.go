package finding

import (
	"encoding/json"
	"io"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

// GateSARIF writes a report as SARIF, for code scanning: a result for each target that is unsafe or refused, for each
// problem, and for each note about something that was ignored or not read. version is the tool's.
func GateSARIF(w io.Writer, r *gate.Report, version string) error {
	run := sarifRun{
		Bases: map[string]sarifArtifact{sarifRoot: {Description: &sarifText{
			"The directory in which simulate gate was run: the root of the checkout.",
		}}},
		Invocations: []sarifInvocation{sarifInvocationOf(r)},
		Results:     sarifResults(r),
	}
	run.Tool.Driver = sarifDriver{Name: "simulate gate", Version: version, Rules: sarifRules()}
	run.Properties.Verdict, run.Properties.Judged, run.Properties.Environment = r.Verdict(), len(r.Targets), map[string]string{}
	for _, n := range r.Environment.Numbers() {
		run.Properties.Environment[n.Name] = n.Value + " (" + n.Source + ")"
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

// sarifInvocationOf returns the part of the report that is about the gate's own work: whether it succeeded, its failures, and its
// notes. It leaves out notes about input that was ignored or not read, since these are results.
func sarifInvocationOf(r *gate.Report) sarifInvocation {
	i := sarifInvocation{Successful: len(r.Failures) == 0}
	for _, n := range r.Notes {
		if n.Kind != files.Ignored && n.Kind != files.Unread {
			i.Notifications = append(i.Notifications, sarifNotification{
				"note", sarifText{n.Text}, []sarifLocation{sarifPlace(n.Position)},
			})
		}
	}
	for _, err := range r.Failures {
		i.Notifications = append(i.Notifications, sarifNotification{Level: "error", Message: sarifText{err.Error()}})
	}
	return i
}
