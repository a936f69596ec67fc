package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/plan"
)

// completed asks as the scripts do: for the values without their descriptions, and what else the shell may offer.
func completed(t *testing.T, args ...string) (words []string, also cobra.ShellCompDirective) {
	got := simulate("", append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	require.Equal(t, exit.AsExpected, got.code, "%q", args)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	last := len(lines) - 1
	_, err := fmt.Sscanf(lines[last], ":%d", &also)
	require.NoError(t, err, "%q", args)
	return lines[:last], also
}

func TestCompletion(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("r.jsonl", nil, 0o666))
	const nothingElse, byExtension = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveFilterFileExt
	for _, c := range []struct {
		args string
		want []string
		also cobra.ShellCompDirective
	}{
		{"sh", []string{"shrink"}, nothingElse},
		{"run h01", []string{"h01-late-ack"}, nothingElse},
		{"run h01-late-ack h01", completion.YAML, byExtension},
		{"run c", []string{"calm.json"}, nothingElse}, // with the scenarios that ship, below
		{"run ./", completion.YAML, byExtension},
		{"run --profile ", machine.ProfileNames(), nothingElse},
		{"run --against ", machine.ProfileNames(), nothingElse},
		{"list -o ", []string{"text", "json"}, nothingElse},
		{"run --trace ", []string{"jsonl"}, byExtension},
		{"run --seed ", []string{}, nothingElse},
		{"shrink h01", []string{"h01-late-ack"}, nothingElse},
		{"shrink healthy-f", completion.YAML, byExtension}, // nothing is violated there
		{"shrink h01-late-ack ", []string{}, nothingElse},
		{"shrink --property ", check.Names(), nothingElse},
		{"search --property ", slices.DeleteFunc(check.Names(), check.Asked), nothingElse},
		{"report r", []string{"jsonl", "json"}, byExtension},
		{"report m", []string{"merge"}, nothingElse},
		{"report ", []string{"diff", "merge", "calm.json", "r.jsonl"}, nothingElse},
		{"report diff calm.json h01", []string{"h01-late-ack"}, nothingElse},
		{"report merge ", []string{"jsonl"}, byExtension},
		{"explore ", []string{}, nothingElse},
		{"explore --profile ", []string{"client-go", "client-go-v0.24", "client-go-next", "strict"}, nothingElse},
		{"explore --output ", []string{"text", "json"}, nothingElse},
		{"search --keep ", []string{}, cobra.ShellCompDirectiveFilterDirs},
		{"gate ", completion.YAML, byExtension},
		{"gate --profile ", []string{"client-go", "client-go-next", "client-go-v0.24", "csharp", "fabric8", "java", "python", "rust", "strict"}, nothingElse},
		{"gate --lock ", plan.LockNames(), nothingElse},
		{"gate --environment ", completion.YAML, byExtension},
		{"tune --plot ", []string{"svg", "png"}, byExtension},
		{"forecast ", completion.YAML, byExtension},
		{"forecast --behaviour ", completion.YAML, byExtension},
		{"forecast --precision ", []string{}, nothingElse},
		{"forecast --request-timeout ", []string{"either", "half", "none"}, nothingElse},
		{"calibrate ", []string{}, cobra.ShellCompDirectiveDefault},
		{"calibrate --resource ", []string{"leases", "configmaps", "endpoints"}, nothingElse},
		{"completion ", shells, nothingElse},
		{"list ", []string{}, nothingElse},
	} {
		words, also := completed(t, strings.Split(c.args, " ")...)
		if c.args == "run c" {
			assert.Contains(t, words, "coordinated-crash")
			words = words[len(words)-1:]
		}
		assert.Equal(t, c.want, words, "%q", c.args)
		assert.Equal(t, c.also, also, "%q", c.args)
	}
}

// TestCompletionOffersWhatIsTaken: no value that is offered for a flag is refused as one of that flag.
func TestCompletionOffersWhatIsTaken(t *testing.T) {
	folder(t)
	for _, c := range []struct{ command, flags, rest string }{
		{"run", "--output --profile --against", "calm"},
		{"list", "--output", ""},
		{"version", "--output", ""},
		{"shrink", "--property", "late-ack.yaml"},
		{"gate", "--output --profile --lock --client", "--lease-duration 15s"},
		{"rules", "--profile", "--lease a/b --lease-duration 15s"},
		{"gate", "--now --precision", "--lease-duration 15s --lock sql-ttl"},
		{"tune", "--output --profile --lock", "--max-lease 1s"},
		{"tune", "--now --precision", "--max-lease 1s --lock sql-ttl"},
		{"forecast", "--output --profile --lock", "--lease-duration 10s --p50 1ms --max-windows 40"},
		{"forecast", "--now --column-precision", "--lease-duration 10s --p50 1ms --lock sql-ttl --max-windows 40"},
		{"search", "--output --profile --property", "--show 1"},
		{"explore", "--output --profile", "--max-states 1"},
		{"report", "--output", "missing.jsonl"},
		{"calibrate", "--output --resource", "missing.log"},
	} {
		for flag := range strings.FieldsSeq(c.flags) {
			words, _ := completed(t, c.command, flag, "")
			assert.Greater(t, len(words), 1, "%s %s", c.command, flag)
			for _, word := range words {
				got := simulate("", append([]string{c.command, flag, word}, strings.Fields(c.rest)...)...)
				assert.NotRegexp(t, `-(o|-\w+)\b.*: (want|there is no|contradictory)`, got.stderr, "%s %s %s", c.command, flag, word)
			}
		}
	}
}

// shellFiles are where systems keep the functions of bash-completion.
var shellFiles = []string{
	"/usr/share/bash-completion/bash_completion", "/usr/local/share/bash-completion/bash_completion",
	"/opt/homebrew/share/bash-completion/bash_completion",
}

// TestCompletionInBash presses the tab key in a bash, so to say. Without bash-completion it has a stand-in for the one
// function that splits the line, and completes no files.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	dir := folder(t)
	self, err := os.Executable()
	require.NoError(t, err)
	bin := filepath.Join(t.TempDir(), "simulate")
	require.NoError(t, os.WriteFile(bin, fmt.Appendf(nil, "#!%s\nINTERREGNUM_TEST_MAIN=1 exec '%s' \"$@\"\n", bash, self), 0o777))
	t.Setenv("PATH", filepath.Dir(bin)+":"+os.Getenv("PATH"))
	functions := `_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD; }`
	files := false
	for _, file := range append([]string{os.Getenv("BASH_COMPLETION")}, shellFiles...) {
		if _, err := os.Stat(file); err == nil && !files {
			functions, files = "source '"+file+"'", true
		}
	}
	press := func(words ...string) string {
		script := functions + `
			source <(simulate completion bash)
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
			__start_simulate 2>/dev/null
			printf '%s\n' "${COMPREPLY[@]}"`
		c := exec.Command(bash, append([]string{"-c", script, "bash"}, words...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimRight(string(out), " \n")
	}
	assert.Equal(t, "h01-late-ack", press("simulate", "run", "h01"))
	assert.Equal(t, "strict", press("simulate", "gate", "--profile", "s"))
	assert.Contains(t, press("simulate", "shr"), "shrink")
	assert.Empty(t, press("simulate", "explore", "h01"))
	if !files {
		t.Log("bash-completion is not installed: files are not completed here")
		return
	}
	assert.Equal(t, "late-ack.yaml", press("simulate", "gate", "late"))
	assert.Empty(t, press("simulate", "report", "merge", "late"))
}

// shells are those that there is a completion for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// TestCompletionScripts: each shell has one, and what is no shell is refused.
func TestCompletionScripts(t *testing.T) {
	for i, registers := range []string{
		"complete -o default -F __start_simulate simulate", "compdef _simulate simulate", "complete -c simulate",
		"Register-ArgumentCompleter -CommandName 'simulate'",
	} {
		shell := shells[i]
		got := simulate("", "completion", shell)
		assert.Equal(t, exit.AsExpected, got.code)
		assert.Contains(t, got.stdout, registers, shell)
		assert.Equal(t, got, simulate("", "completion", shell))
	}
	for _, args := range [][]string{{}, {"sh"}, {"bash", "zsh"}} {
		got := simulate("", append([]string{"completion"}, args...)...)
		assert.Equal(t, exit.BadInput, got.code)
		assert.Contains(t, got.stderr, "want one shell: bash, zsh, fish or powershell")
	}
}
