package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestSuggestions: who mistypes a flag or a command is told which one was perhaps meant.
func TestSuggestions(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "calm", "--sed", "1"}, "simulate: unknown flag: --sed; did you mean --seed?; see 'simulate run --help'\n"},
		{[]string{"run", "calm", "--ouput=json"}, "unknown flag: --ouput; did you mean --output?; see"},
		{[]string{"run", "calm", "-seed", "1"}, "unknown flag: -seed; did you mean --seed?; see"},
		{[]string{"run", "calm", "-seed=1"}, "unknown flag: -seed; did you mean --seed?; see"},
		{[]string{"run", "calm", "-x"}, "unknown shorthand flag: 'x' in -x; see"},
		{[]string{"gate", "--leaseDuration", "15s"}, "unknown flag: --leaseDuration; did you mean --lease-duration?; see"},
		{[]string{"gate", "--leader-elect-lease-duration=15s"}, "; did you mean --lease-duration?; see"},
		{[]string{"gate", "--round-trip", "1s"}, "; did you mean --max-round-trip?; see"},
		{[]string{"search", "--max-p", "1s"}, "; did you mean --max-pause?; see"},
		{[]string{"search", "--max", "1s"}, "did you mean --max-round-trip, --max-drift-ppm, --max-pause or --max-clock-offset?; see"},
		{[]string{"explore", "--grod", "1s"}, "did you mean --grid?; see 'simulate explore --help'"},
		{[]string{"tune", "--tolerated-outage", "1s"}, "did you mean --outage or --tolerate-outage?; see"},
		{[]string{"calibrate", "--kubconfig", "x"}, "did you mean --kubeconfig?; see"},
		{[]string{"report", "merge", "--ot", "x"}, "did you mean --out?; see 'simulate report merge --help'"},
		{[]string{"--versoin"}, "unknown flag: --versoin; did you mean --version?; see 'simulate --help'"},
		{[]string{"list", "--frobnicate"}, "simulate: unknown flag: --frobnicate; see 'simulate list --help'\n"},
		{[]string{"serach", "--runs", "5"}, `unknown command "serach"; did you mean search?; see 'simulate --help'`},
		{[]string{"--runs", "5"}, `unknown flag: --runs; see 'simulate --help'`},
		{[]string{"serach"}, `unknown command "serach"; did you mean search?; see`},
		{[]string{"help", "report", "mrege"}, `unknown command "mrege"; did you mean merge?; see 'simulate report --help'`},
		{[]string{"report", "mrege", "calm"}, "simulate: mrege: no such file or directory; did you mean simulate report merge?\n"},
		{[]string{"report", "gone.jsonl"}, "simulate: gone.jsonl: no such file or directory\n"},
		{[]string{"explore", "--profile", "strikt"}, `--profile "strikt": want client-go, client-go-v0.24, client-go-next or strict; did you mean strict?; see`},
		{[]string{"run", "calm", "--profile", "stritc"}, "; did you mean strict?; see"},
		{[]string{"run", "calm", "--against", "Client-Go"}, "; did you mean client-go?; see"},
		{[]string{"search", "--profile", "phyton"}, "; did you mean python?; see"},
		{[]string{"search", "--property", "single-wrok"}, "; did you mean single-work?"},
		{[]string{"shrink", "h01-late-ack", "--property", "single-beleif"}, "; did you mean single-belief?"},
		{[]string{"gate", "--profile", "java8"}, "; did you mean java?"},
		{[]string{"gate", "--lock", "lesae"}, "; did you mean lease?"},
		{[]string{"gate", "--lock", "sql-ttl", "--now", "caler"}, "; did you mean caller?"},
		{[]string{"tune", "--client", "clientgo"}, "; did you mean client-go?"},
		{[]string{"run", "calm", "-o", "jsno"}, "; did you mean json?; see"},
		{[]string{"completion", "bassh"}, `want one shell: bash, zsh, fish or powershell; got "bassh"; did you mean bash?; see`},
		{[]string{"completion"}, "want one shell: bash, zsh, fish or powershell; got none; see"},
		{[]string{"gate", "--lease-duration", "15"}, `simulate: --lease-duration "15": unit missing in 15: want a duration such as 15s; see`},
		{[]string{"forecast", "--lease-duration", "15s", "--compare", "bettr"}, "; did you mean better?; see"},
		{[]string{"search", "--runs", "64", "--resume", "no/folder"}, "simulate: --resume no/folder: no such file or directory\n"},
		{[]string{"report", "merge", "gone.jsonl"}, "simulate: gone.jsonl: no such file or directory\n"},
		{[]string{"run", "calm", "-o", "pdf"}, "want text, json, junit or markdown; see"},
	} {
		got := simulate("", c.args...)
		assert.Equal(t, exit.BadInput, got.code, "%q", c.args)
		assert.Contains(t, got.stderr, c.want, "%q", c.args)
		assert.Empty(t, got.stdout, "%q", c.args)
	}
}

// TestAllWrongFlags: all wrong flags of a command are named at once, each once and in their order.
func TestAllWrongFlags(t *testing.T) {
	got := simulate("", "gate", "--leese-duration", "15s", "--profile=phyton", "--lock", "lease", "--max-drift-ppm", "x", "--explain", "--retry-period=2",
		"--leese-duration", "20s", "--", "--none")
	assert.Equal(t, exit.BadInput, got.code)
	var lines []string
	for line := range strings.Lines(got.stderr) {
		lines = append(lines, strings.TrimSpace(line))
	}
	require.Len(t, lines, 4, got.stderr)
	for i, want := range []string{"unknown flag: --leese-duration; did you mean --lease-duration?", "; did you mean python?", "--max-drift-ppm", "--retry-period"} {
		assert.Contains(t, lines[i], want)
		assert.Contains(t, lines[i], "see 'simulate gate --help'")
	}
}
