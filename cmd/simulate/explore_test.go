package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

func TestExplore(t *testing.T) {
	small := []string{"--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1"}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"violated", small, exit.NotAsExpected, "--faults=1 | simulate run -"},
		{"held", append([]string{"--profile=strict", "-o", "json"}, small...), exit.AsExpected, `"verdict":"held"`},
		{"unfinished", append([]string{"--profile=strict", "--max-states=10"}, small...), exit.HarnessFailed, "unfinished"},
		{"off the grid", append([]string{"--request-timeout=1500ms"}, small...), exit.BadInput, ""},
		{"reruns", append([]string{"--profile=strict", "--reruns", "-o", "json"}, small...), exit.AsExpected, `"verdict":"held"`},
		{"exceeds nothing", append([]string{"--exceeds=-1ns"}, small...), exit.BadInput, ""},
		{"no such profile", []string{"--profile=loose"}, exit.BadInput, ""},
		{"an argument", []string{"file"}, exit.BadInput, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, talk bytes.Buffer
			code := execute(append([]string{"explore"}, c.args...), strings.NewReader(""), &out, &talk)
			require.Equal(t, c.code, code, talk.String())
			require.Contains(t, out.String(), c.want)
		})
	}
}

func TestExploredScenarioRunsAsItIs(t *testing.T) {
	var out, result, talk bytes.Buffer
	args := []string{"explore", "--lease-duration=4s", "--renew-deadline=3s", "--retry-period=2s", "--faults=1"}
	require.Equal(t, exit.NotAsExpected, execute(args, strings.NewReader(""), &out, &talk))
	require.Equal(t, exit.AsExpected, execute([]string{"run", "-"}, &out, &result, &talk), talk.String())
	require.Contains(t, result.String(), "single-work")
}
