package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExplore(t *testing.T) {
	small := []string{"--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1"}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"violated", small, notAsExpected, "--faults=1 | simulate run -"},
		{"held", append([]string{"--profile=strict", "-o", "json"}, small...), asExpected, `"verdict":"held"`},
		{"unfinished", append([]string{"--profile=strict", "--max-states=10"}, small...), harnessFailed, "unfinished"},
		{"off the grid", append([]string{"--request-timeout=1500ms"}, small...), badInput, ""},
		{"no such profile", []string{"--profile=loose"}, badInput, ""},
		{"an argument", []string{"file"}, badInput, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, talk bytes.Buffer
			code := run(append([]string{"explore"}, c.args...), strings.NewReader(""), &out, &talk)
			require.Equal(t, c.code, code, talk.String())
			require.Contains(t, out.String(), c.want)
		})
	}
}

func TestExploredScenarioRunsAsItIs(t *testing.T) {
	var out, result, talk bytes.Buffer
	args := []string{"explore", "--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1"}
	require.Equal(t, notAsExpected, run(args, strings.NewReader(""), &out, &talk))
	require.Equal(t, asExpected, run([]string{"run", "-"}, &out, &result, &talk), talk.String())
	require.Contains(t, result.String(), "single-work")
}
