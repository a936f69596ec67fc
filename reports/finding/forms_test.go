package finding

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/reporttest"
	"interregnum/reports"
	"interregnum/scenarios"
)

// formRuns are a run as expected, one that is not, and one that failed.
func formRuns(t *testing.T) []reports.Run {
	var runs []reports.Run
	for _, name := range []string{"h16-retry-in-disguise", "h07-same-identity"} {
		s, err := scenarios.Named(name)
		require.NoError(t, err)
		if name == "h07-same-identity" {
			s.Expect = nil
			s.About = hostile
		}
		r, err := scenarios.Run(s, scenarios.Options{Explain: true})
		require.NoError(t, err)
		runs = append(runs, reports.Run{Scenario: s, Result: r, Command: "simulate run " + name + " --seed 1"})
	}
	broken := &scenarios.Scenario{Name: "broken"}
	return append(runs, reports.Run{Scenario: broken, Err: errors.New("panic: \x1b[31m]]>\nmain.go:1"), Command: "simulate run 'x y'"})
}

// hostile is text that no form of output may take for anything but text.
const hostile = "<script>alert(1)</script> ``` | *b* [x](y) \u202eevil \x1b[2J \xff \"q\" 'q' & ]]> @all"

func TestForms(t *testing.T) {
	runs := formRuns(t)
	for name, write := range map[string]func(*strings.Builder) error{
		"forms.junit.xml": func(b *strings.Builder) error { return JUnit(b, runs) },
		"forms.md":        func(b *strings.Builder) error { return Markdown(b, runs, "") },
		"forms-one.md":    func(b *strings.Builder) error { return Markdown(b, runs[:1], "a picture\n``` in it\n") },
	} {
		var b strings.Builder
		require.NoError(t, write(&b))
		reporttest.Golden(t, name, b.String())
		for _, raw := range []string{"<script>", "\x1b", "\u202e", "\xff"} {
			assert.NotContains(t, b.String(), raw, name)
		}
	}
}

// TestJUnitReadsBack: the counts are those of the cases, and everybody's XML reader takes it.
func TestJUnitReadsBack(t *testing.T) {
	var b strings.Builder
	require.NoError(t, JUnit(&b, formRuns(t)))
	var all junitFile
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &all))
	require.Len(t, all.Suites, 3)
	tests, failures, errs := 0, 0, 0
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			assert.Equal(t, s.Name, c.Class)
			tests++
			if c.Failure != nil {
				failures++
				assert.Contains(t, c.Failure.Text, "simulate run h07-same-identity --seed 1")
			}
			if c.Error != nil {
				errs++
			}
		}
	}
	assert.Equal(t, []int{tests, failures, errs}, []int{all.Tests, all.Failures, all.Errors})
	assert.Equal(t, []int{13, 2, 1}, []int{tests, failures, errs})
}
