package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestHostileScripts has scripts that would take long, or much memory or stack, without a limit of steps.
func TestHostileScripts(t *testing.T) {
	t.Parallel()
	fill := func(unit string) string {
		return strings.Repeat(unit, (maxScript-1000)/len(unit))
	}
	var calls, variables strings.Builder
	for i := range 200 {
		fmt.Fprintf(&calls, "f%d() { f%d; f%d; }\n", i, i+1, i+1)
	}
	for i := range 3000 {
		fmt.Fprintf(&variables, "A%d=1\n", i)
	}
	for name, script := range map[string]string{
		"calls":     calls.String() + "f0",
		"itself":    "f() { f; f; }; f",
		"loops":     strings.Repeat("while x; do ", 2500) + ":" + strings.Repeat("; done", 2500),
		"doubles":   "A=xxxxxxxx\n" + fill("A=$A$A\n"),
		"repeated":  "A=" + strings.Repeat("x", maxValue-1) + "\n" + strings.Repeat("m $A$A$A$A$A$A$A\n", 3000),
		"choices":   variables.String() + strings.Repeat("if x; then A=1; fi\n", 1000),
		"doubts":    variables.String() + strings.Repeat(". a; . b; . c\n", 1000),
		"brackets":  strings.Repeat("(", 10000) + strings.Repeat(")", 10000),
		"commands":  variables.String() + fill("m\n")[:20000],
		"defaults":  "m " + strings.Repeat("${A:-", 6000) + strings.Repeat("}", 6000),
		"functions": strings.Repeat("f() { m; }; f\n", 2000),
	} {
		begin := time.Now()
		Variables{}.script(Word{Text: script}, nil, 0)
		took := time.Since(begin)
		t.Logf("%s: %v", name, took)
		assert.Less(t, took, time.Minute, name)
	}
}
