package finding

import "interregnum/internal/gate"

// The format is SARIF 2.1.0, errata 01: https://docs.oasis-open.org/sarif/sarif/v2.1.0/. The types below are the part that
// this tool writes.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarifLog is a whole SARIF file.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

// sarifRun is one run of the gate: the tool, and its results.
type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Bases       map[string]sarifArtifact `json:"originalUriBaseIds"`
	Invocations []sarifInvocation        `json:"invocations"`
	Results     []sarifResult            `json:"results"`
	Properties  struct {
		Verdict gate.Verdict `json:"verdict"`
		Judged  int          `json:"judged"`
		// Environment maps the name of each number to its value and source.
		Environment map[string]string `json:"environment"`
	} `json:"properties"`
}

// sarifDriver is the tool that found the results, with its rules.
type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

// sarifInvocation has notifications about the gate's own work: its notes, such as of files that it skipped,
// and its failures.
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

// sarifNotification is a note or a failure of the gate. It is no result.
type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

// sarifResult is a finding, which code scanning shows as an alert.
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

// sarifSuppression says why a result is accepted.
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// sarifText is a text, as SARIF wants it in an object.
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

// sarifLocation is where a finding is. Physical is nil if it is in no file.
type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

// sarifPhysical is a line of a file.
type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   struct {
		StartLine int `json:"startLine"`
	} `json:"region"`
}

// sarifArtifact names a file, or a folder from which names of files count.
type sarifArtifact struct {
	URI         string     `json:"uri,omitempty"`
	Base        string     `json:"uriBaseId,omitempty"`
	Description *sarifText `json:"description,omitempty"`
}

// sarifLogical is a place that is named by its object and not by a line.
type sarifLogical struct {
	FullName string `json:"fullyQualifiedName"`
}

// sarifRule describes a kind of finding, for the page that shows an alert.
type sarifRule struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Short   sarifText `json:"shortDescription"`
	Full    sarifText `json:"fullDescription"`
	HelpURI string    `json:"helpUri"`
	Help    struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	} `json:"help"`
	Configuration struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
	Properties struct {
		Tags      []string `json:"tags"`
		Precision string   `json:"precision"`
	} `json:"properties"`
}
