package finding

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/reporttest"
)

func sarifOf(t *testing.T, r *gate.Report) (text string, log sarifLog) {
	var b strings.Builder
	require.NoError(t, GateSARIF(&b, r, "v1.2.3"))
	require.NoError(t, json.Unmarshal([]byte(b.String()), &log))
	return b.String(), log
}

// TestGateSARIFSchema: everything that is written is as the official schema has it.
func TestGateSARIFSchema(t *testing.T) {
	schema := reporttest.Schema(t, "sarif-schema-2.1.0.json")
	all := reporttest.GateReports()
	all["hostile"] = hostileReport()
	for name, r := range all {
		text, log := sarifOf(t, r)
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		assert.NoError(t, schema.Validate(object), name)
		for _, result := range log.Runs[0].Results {
			rule := log.Runs[0].Tool.Driver.Rules[result.RuleIndex]
			assert.Equal(t, []string{rule.ID, rule.Configuration.Level}, []string{result.Rule, result.Level})
		}
	}
	text, _ := sarifOf(t, all["flags"])
	for _, broken := range []string{`"level": "fatal"`, `"level": "error", "line": 7`} {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(text, `"level": "error"`, broken, 1)))
		require.NoError(t, err)
		assert.Error(t, schema.Validate(object), broken)
	}
}

// hostileReport has paths and texts that are no URIs and no JSON as they stand.
func hostileReport() *gate.Report {
	at := func(file string, line int) files.Position { return files.Position{File: file, Line: line} }
	return &gate.Report{
		Environment: gate.DefaultEnvironment(),
		Problems: []files.Problem{
			{Position: at("a b:c#d?e%.yaml", 3), Text: "</script>\"\\\x1b\xff"},
			{Position: at("./x/../a\xff.yaml", 0), Text: "cannot be read"},
			{Position: at("/tmp/ä.yaml", 1), Text: "want a number"},
			{Position: at("-", 5), Text: "a template", Unreadable: true},
			{Position: at("../up.yaml", 1), Text: "twice"},
			{Position: at("../up.yaml", 9), Text: "twice"},
		},
		Notes: []files.Note{
			{Position: at("c.yaml", 2), Kind: files.Ignored, Text: "alone it is not enough"},
			{Position: at("d.yaml", 0), Kind: files.Disabled, Text: "turned off"},
		},
	}
}

// TestGateSARIFPlaces: paths are URIs, a finding about a file as a whole is on its first line, and what is in no file
// has no line.
func TestGateSARIFPlaces(t *testing.T) {
	r := hostileReport()
	_, log := sarifOf(t, r)
	run := log.Runs[0]
	var got []string
	for _, result := range run.Results {
		if p := result.Locations[0].Physical; p != nil {
			got = append(got, result.Rule+" "+p.Artifact.Base+" "+p.Artifact.URI)
			assert.Positive(t, p.Region.StartLine)
			continue
		}
		got = append(got, result.Rule+" nowhere "+result.Locations[0].Logical[0].FullName)
	}
	assert.Equal(t, []string{
		"bad-input %SRCROOT% ./a%20b:c%23d%3Fe%25.yaml", "bad-input %SRCROOT% a%FF.yaml", "bad-input  file:///tmp/%C3%A4.yaml",
		"unreadable nowhere -", "bad-input %SRCROOT% ../up.yaml", "bad-input %SRCROOT% ../up.yaml", "ignored %SRCROOT% c.yaml",
	}, got)
	require.Len(t, run.Invocations[0].Notifications, 1)
	assert.Equal(t, "note", run.Invocations[0].Notifications[0].Level)
	assert.True(t, run.Invocations[0].Successful)

	r.Failures = []error{os.ErrDeadlineExceeded}
	_, log = sarifOf(t, r)
	assert.False(t, log.Runs[0].Invocations[0].Successful)
	assert.Equal(t, "error", log.Runs[0].Invocations[0].Notifications[1].Level)
}

// TestGateSARIFFingerprints are all different, and the same when lines move and numbers change.
func TestGateSARIFFingerprints(t *testing.T) {
	prints := func(line int, lease time.Duration) []string {
		var targets []gate.Target
		for _, part := range []string{"container a", "container b", "container b"} {
			targets = append(targets, reporttest.GateTarget(part, 15, 10, 2, func(t *gate.Target) {
				t.Line, t.LeaseDuration = line, lease
				line++
			}))
		}
		r := gate.JudgeTargets(targets, gate.DefaultEnvironment())
		r.Problems = hostileReport().Problems
		_, log := sarifOf(t, r)
		var all []string
		for _, result := range log.Runs[0].Results {
			all = append(all, result.Fingerprints[fingerprintName])
		}
		return all
	}
	first := prints(7, 15*time.Second)
	assert.Equal(t, first, prints(70, 14*time.Second))
	different := map[string]bool{}
	for _, p := range first {
		different[p] = true
	}
	assert.Len(t, different, 9)
}
