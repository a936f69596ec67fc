package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/scenarios"
)

// TestRunForms: each form has what happened on standard output, and the commands elsewhere.
func TestRunForms(t *testing.T) {
	folder(t)
	junit := simulate("", "run", "unexpected.yaml", "calm", "-o", "junit")
	assert.Equal(t, exit.NotAsExpected, junit.code)
	assert.Equal(t, "simulate run unexpected.yaml --seed 1\n", junit.stderr)
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string  `xml:"name,attr"`
				Failure *string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(junit.stdout), &suites))
	assert.Equal(t, []int{12, 3}, []int{suites.Tests, suites.Failures})
	assert.Equal(t, "single-work", suites.Suites[0].Cases[2].Name)
	assert.Contains(t, *suites.Suites[0].Cases[2].Failure, "acknowledged 29.925s + retryPeriod 2s + renewDeadline 10s = 41.925s")

	markdown := simulate("", "run", "late-ack.yaml", "-o", "markdown")
	assert.Equal(t, exit.AsExpected, markdown.code)
	assert.True(t, strings.HasPrefix(markdown.stdout, "### Leader election: 1 scenario, as expected\n"), markdown.stdout)
	assert.Contains(t, markdown.stdout, "\n> acknowledged ")
	assert.Contains(t, markdown.stdout, "SPLIT BRAIN")

	text := simulate("", "run", "late-ack.yaml")
	assert.Contains(t, text.stdout, "\nwhy a and b worked at once, from ")
	assert.NotContains(t, text.stdout, "\x1b")
	for _, brief := range []string{cliflag.Text, cliflag.JSON, cliflag.Markdown} {
		got := simulate("", "run", "late-ack.yaml", "--brief", "-o", brief)
		assert.NotContains(t, got.stdout, "acknowledge", brief)
	}
}

func TestRunExplains(t *testing.T) {
	folder(t)
	got := simulate("", "run", "late-ack.yaml", "-o", "json")
	var r scenarios.Result
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &r))
	all := r.Properties[2].Violations[0].Explanations
	require.Len(t, all, 1)
	assert.Equal(t, r.Properties[2].OverlapNs, all[0].ToNs-all[0].FromNs)
	assert.Equal(t, all[0].ToNs, all[0].Sum.EndNs)
	assert.NotEmpty(t, all[0].Steps)
}

// TestNoPlaceForAFile: the error names the flag, and nothing is left behind.
func TestNoPlaceForAFile(t *testing.T) {
	dir := folder(t)
	got := simulate("", "run", "calm", "--trace", filepath.Join("nowhere", "t.jsonl"))
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--trace nowhere/t.jsonl: no such file or directory")
	require.NoError(t, os.Mkdir("locked", 0o555))
	got = simulate("", "run", "calm", "--trace", filepath.Join("locked", "t.jsonl"))
	if os.Getuid() != 0 {
		assert.Equal(t, exit.BadInput, got.code)
		assert.Contains(t, got.stderr, "--trace locked/t.jsonl: permission denied")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
