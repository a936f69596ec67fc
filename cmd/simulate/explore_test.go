package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/explore"
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

func TestExploreTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var talk bytes.Buffer
		tell := exploreProgress(&talk)
		time.Sleep(progressEvery / 2)
		tell(explore.Progress{States: 1})
		require.Empty(t, talk.String())
		time.Sleep(progressEvery / 2)
		tell(explore.Progress{Faults: 2, States: 500, Frontier: 3, Next: 4})
		require.Equal(t, "2 faults: 500 states, 100/s, 3 to go on from, 4 with one more fault\n", talk.String())
	})
}
