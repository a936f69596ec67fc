package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const head = `goos: linux
,old.txt,,new.txt,,,
,x-faster,CI,x-faster,CI,vs base,P
`

// TestJudge is what benchstat writes, and what comes of it at 20 percent.
func TestJudge(t *testing.T) {
	for name, c := range map[string]struct{ csv, want string }{
		"better":        {"Steady-2,40,1%,60,1%,+50.00%,p=0.000 n=10\n", ""},
		"a little":      {"Steady-2,40,1%,33,1%,-17.50%,p=0.000 n=10\n", ""},
		"by chance":     {"Steady-2,40,90%,20,90%,~,p=0.400 n=10\n", ""},
		"worse":         {"Steady-2,40,1%,30,1%,-25.00%,p=0.000 n=10+9\n", "Steady-2: more than 20% worse"},
		"one of two":    {"A-2,40,1%,40,1%,~,p=1 n=9\nB-2,40,1%,4,1%,-90.00%,p=0 n=9\n", "B-2: more than 20% worse"},
		"nothing":       {"geomean,40,,40,,,\n", "nothing was compared"},
		"in one only":   {"Steady-2,40,1%\n", "in one of the two files only"},
		"too few":       {"Steady-2,40,,4,,~,p=0.100 n=3\n", "want 4 measurements"},
		"too few, old":  {"Steady-2,40,,4,,~,p=0.100 n=3+10\n", "want 4 measurements"},
		"not benchstat": {"Steady-2,40,,4,,fast,p=0.000 n=10\n", `got "fast"`},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := read(strings.NewReader(head + c.csv + "geomean,4,,4,,,\n"))
			if err == nil {
				err = judge(io.Discard, rows, 20)
			}
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}
