package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/few"
)

// grammar has the forms of each letter; %X in a form is one of X.
var grammar = map[byte][]string{
	'N': {"A", "B", "C", "S"},
	'E': {"1s", "2s", "", "$A", "$B", "${C}", "${A:-4s}", "${B-5s}", `"$A $B"`, "'x y'", "$1", "${2:-9s}", "${A:+7s}", "$((1+1))", "$(echo 8s)", "${A#1}",
		"${C:=6s}", "$A$B", "$*"},
	'Q': {"true", "false", "A=2s :", `[ "$A" = 1s ]`, `[ -n "$B" ]`, "read C < /dev/null", `test -z "$1"`},
	'W': {"--x=$A", "--x=${B:-1s}", "$A", `"$@"`, "$*", `"$*"`, "${L[@]}", `"${L[@]}"`, "--x=$1", "'$A'", `"$C" $B`, "${A:-$B}", `"${@:2}"`, "${C+z}"},
	'R': {"M %W", "M %W", "A=9s M %W", "S=8s B=7s M %W", "env M %W", "env -i M %W", "S=7s env -u S M %W", "command M %W", "env B=4s M %W"},
	'A': {"%N=%E", "%N=%E", "export %N=%E", "A+=x", `A="$A --y"`, "L=(a b)", `L+=(c "$A")`, "L=($A $B)", "L[1]=z"},
	'B': {"export S", "unset S", "unset A", "set -a", "set +a", "export -n S", "declare B=2s", "declare -x C=3s", "typeset -i A=3", "declare -n N=A; N=5s", "shift", "shift 2",
		"set -- a b", `set -- $A "$B"`, `set -- "$@" z`, "set -e +e", "IFS=,", "unset IFS", "set x $A", "read A < /dev/null", "printf -v B 5s", "eval C=2s",
		". /dev/stdin <<<B=77s", "let A=3", "((B=4))", `eval "A=$B"`, "getopts a A", "mapfile -t L <<<x", "builtin read A < /dev/null", "exec {A}>/dev/null"},
	'F': {"f() {\n%S\n}", "g() {\nlocal %N=%E\n%S\n%S\n}", "f 1", "A=5s f 1", `g $A "$B"`, "f", `g "$@"`, "B=6s g"},
	'G': {"%A", "shift", "exec M $A", "exit", "%R", "return 2>/dev/null"},
	'S': {"%A", "%A", "%A", "%B", "%B", "%B", "%R", "%R", "%R", "%R", "%F", "%Q && %G && %G", "%Q || %G", "if %Q; then\n%S\n%S\nfi", "if %Q; then\n%S\nelif %Q; then\n%S\nelse\n%S\nfi",
		"case $A in\n1s) %S ;;\nx*) %S ;;\nesac", "case $1 in\np1) %S ;;&\np*) %S ;;\n*) %S ;;\nesac", "for %N in 1s $A; do\n%S\n%S\ndone",
		"for i in 1 2; do\n%S\n%S\n%R\ndone", "(\n%S\n%S\n)", "{\n%S\n%S\n} && %S", "{ %S\n} | %S", "%S\n%S", "{ %A\n} & wait"},
}

// drawn draws a script from a form; deep is how many more forms may be in one another.
func drawn(r *rand.Rand, form string, deep int) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(form, "%")
		if b.WriteString(before); !found {
			return b.String()
		}
		forms := grammar[after[0]]
		if deep <= 0 && after[0] == 'S' {
			forms = forms[:10]
		}
		b.WriteString(drawn(r, forms[r.IntN(len(forms))], deep-1))
		form = after[1:]
	}
}

// TestBash compares what is read of random scripts with what bash runs. A command with its words and the variable S is among the commands that were
// read, or one at its place has words or a variable that are not known, or conditions.
func TestBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	program, log := filepath.Join(dir, "M"), filepath.Join(dir, "log")
	stub := "#!/bin/sh\no=; for a; do o=\"$o[$a]\"; done; printf '%s|%s\\n' \"$o\" \"${S-unset}\" >> " + log + "\n"
	require.NoError(t, os.WriteFile(program, []byte(stub), 0o700)) //nolint:gosec // it is run
	exact := 0
	for seed := range few.Of(400) {
		r := rand.New(rand.NewPCG(3, uint64(seed))) //nolint:gosec // repeatable
		script := ""
		for i, part := range strings.Split(drawn(r, "%S\n%S\n%S\n%S\n%R", 4), "M ") {
			if i > 0 {
				script += fmt.Sprintf("%s @%d ", program, i)
			}
			script += part
		}
		_ = os.Remove(log)
		run := exec.Command("timeout", "20", bash, "-c", script, "sh", "p1", "p2")
		run.Env = []string{"PATH=" + os.Getenv("PATH"), "A=1s", "S=60s"}
		_ = run.Run() // which may well fail
		ran, _ := os.ReadFile(log)
		read := Inherited(nil, map[string]string{"A": "1s", "S": "60s"}).script(Word{Text: script}, []Word{{Text: "sh"}, {Text: "p1"}, {Text: "p2"}}, 0)
		for line := range strings.Lines(string(ran)) {
			as := alike(read.commands, program, strings.TrimSpace(line))
			assert.NotEmpty(t, as, "seed %d: ran %s\n%s", seed, line, script)
			if as == "exact" {
				exact++
			}
		}
	}
	assert.Greater(t, exact, few.Of(300))
}

// alike returns exact if one of the commands is a program with the words and the variable S that line has, unknown if one at its place may be, ""
// otherwise.
func alike(commands []Command, program, line string) (as string) {
	words, is, _ := strings.Cut(line, "|")
	for _, run := range commands {
		at := slices.IndexFunc(run.Words, func(w Word) bool { return w.Text == program })
		if at < 0 || !strings.HasPrefix(words, "["+run.Words[at+1].Text+"]") {
			continue
		}
		open, all, value := len(run.Provided)+len(run.Doubts) > 0, "", "60s"
		for _, w := range run.Words[at+1:] {
			all += "[" + w.Text + "]"
			open = open || strings.Contains(w.Text, "$")
		}
		if v, changed := run.Changed["S"]; changed {
			if value = v.Text(); !v.Exported {
				value = "unset"
			}
			open = open || !v.Known || len(v.Provided) > 0
		}
		switch {
		case all == strings.ReplaceAll(words, "[]", "") && value == is:
			return "exact"
		case open:
			as = "unknown"
		}
	}
	return as
}
