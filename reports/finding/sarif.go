package finding

import (
	"encoding/json"
	"io"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

// The form is SARIF 2.1.0, errata 01: https://docs.oasis-open.org/sarif/sarif/v2.1.0/. What is here is the part of
// it that this tool writes.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool                `json:"tool"`
	Bases       map[string]sarifArtifact `json:"originalUriBaseIds"`
	Invocations []sarifInvocation        `json:"invocations"`
	Results     []sarifResult            `json:"results"`
	Properties  sarifRunProperties       `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

// sarifInvocation has what is no finding: files that were passed over, and failures of the gate itself.
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	Rule         string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Properties   *sarifProperties   `json:"properties,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

// sarifSuppression says why a result is let be.
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifText struct {
	Text string `json:"text"`
}

// sarifProperties are the numbers behind a verdict. Times are in nanoseconds.
type sarifProperties struct {
	Profile      string `json:"profile"`
	Assumes      string `json:"assumes"`
	Margin       int64  `json:"marginNs"`
	WorstOverlap int64  `json:"worstOverlapNs"`
	AtLeast      bool   `json:"atLeast,omitempty"`
	Unbounded    bool   `json:"unbounded,omitempty"`
}

type sarifRunProperties struct {
	Verdict gate.Verdict `json:"verdict"`
	Judged  int          `json:"judged"`
	// Environment has each number with where it is from.
	Environment map[string]string `json:"environment"`
}

// GateSARIF writes what is wrong in the form that code scanning reads: a result for each target that is unsafe or
// refused, for bad input, and for a setting that was left out of account. version is the tool's.
func GateSARIF(w io.Writer, r *gate.Report, version string) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "simulate gate", Version: version, Rules: sarifRules()}},
		Bases: map[string]sarifArtifact{sarifRoot: {Description: &sarifText{
			"The directory in which simulate gate was run: the root of the checkout.",
		}}},
		Invocations: []sarifInvocation{sarifInvocationOf(r)},
		Results:     sarifResults(r),
		Properties:  sarifRunProperties{r.Verdict(), len(r.Targets), map[string]string{}},
	}
	for _, n := range r.Environment.Numbers() {
		run.Properties.Environment[n.Name] = n.Value + " (" + n.Source + ")"
	}
	out, err := json.MarshalIndent(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}

// sarifInvocationOf returns whether the gate itself succeeded, with its failures and with those notes that are no
// results.
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
