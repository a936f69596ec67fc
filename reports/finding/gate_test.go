package finding

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/gate"
	"interregnum/internal/reporttest"
)

var gateForms = map[string]func(io.Writer, *gate.Report) error{
	"json": GateJSON, "xml": GateJUnit, "md": GateMarkdown,
	"sarif": func(w io.Writer, r *gate.Report) error { return GateSARIF(w, r, "v1.2.3") },
}

func TestGateForms(t *testing.T) {
	for name, r := range reporttest.GateReports() {
		require.Empty(t, r.Failures)
		for form, write := range gateForms {
			var b strings.Builder
			require.NoError(t, write(&b, r))
			reporttest.Golden(t, "gate-"+name+"."+form, b.String())
		}
	}
}

// TestGateJUnitReadsBack: the form is XML, and its counts are those of its cases.
func TestGateJUnitReadsBack(t *testing.T) {
	for _, r := range reporttest.GateReports() {
		var b strings.Builder
		require.NoError(t, GateJUnit(&b, r))
		var got junitFile
		require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
		failures, errs, skipped := 0, 0, 0
		cases := got.Suites[0].Cases
		for _, c := range cases {
			switch {
			case c.Failure != nil:
				failures++
			case c.Error != nil:
				errs++
			case c.Skipped != nil:
				skipped++
			}
		}
		assert.Equal(t, []int{len(cases), failures, errs, skipped},
			[]int{got.Tests, got.Failures, got.Errors, got.Skipped})
	}
}

func TestGateWriteFails(t *testing.T) {
	for _, write := range gateForms {
		assert.EqualError(t, write(reporttest.Full{}, reporttest.GateReports()["flags"]), "full")
	}
}

func TestGateMarkdownIsBounded(t *testing.T) {
	var targets []gate.Target
	for range 2 * maxGateDetails {
		targets = append(targets, reporttest.GateTarget("", 15, 10, 2, nil))
	}
	var b strings.Builder
	require.NoError(t, GateMarkdown(&b, gate.JudgeTargets(targets, gate.DefaultEnvironment())))
	assert.Equal(t, maxGateDetails, strings.Count(b.String(), "<details>"))
	assert.Contains(t, b.String(), "… and 10 more that are not safe.")
}
