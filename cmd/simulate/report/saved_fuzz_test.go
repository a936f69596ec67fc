package report

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/run"
	"interregnum/cmd/simulate/search"
	"interregnum/reports"
	"interregnum/reports/page"
)

// unseen is what a terminal obeys rather than shows.
var unseen = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\x{80}-\x{9f}]`)

// printed is what a command prints; its exit code does not matter.
func printed(c *cobra.Command, args ...string) string {
	var stdout strings.Builder
	c.SetArgs(args)
	c.SetOut(&stdout)
	c.SetErr(io.Discard)
	c.SilenceUsage = true
	_ = c.Execute()
	return stdout.String()
}

// FuzzSaved: whatever a file of results says, it is shown in every form or told to be bad, in one line with its number; and no
// name in it makes the terminal do anything. What is read, written and read again is the same.
func FuzzSaved(f *testing.F) {
	runs := printed(run.New(), "h01-late-ack", "h13-lock-deleted", "-o", "json")
	require.NotEmpty(f, runs)
	for line := range strings.Lines(runs) {
		f.Add([]byte(line))
	}
	results := f.TempDir() + "/r.jsonl"
	printed(search.New(), "--runs", "128", "--resume", results, "--lease-duration=15s", "--renew-deadline=10s", "--retry-period=2s")
	text, err := os.ReadFile(results)
	require.NoError(f, err)
	f.Add(text)
	for _, text := range hostileResults {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s saved
		in := bufio.NewReader(bytes.NewReader(data))
		if input.FirstKeys(in)["interregnumSearch"] {
			err = s.readSearch(io.Discard, "x", in)
		} else {
			err = s.readRuns("x", in)
		}
		if err != nil {
			require.Regexp(t, `^x:[1-9][0-9]*: [^\n]+$`, err.Error())
			require.NotRegexp(t, `Go struct|unmarshal`, err.Error())
			require.NotRegexp(t, unseen, err.Error())
			return
		}
		for _, form := range forms {
			var out bytes.Buffer
			if len(s.searches) > 0 {
				c := reports.Campaign{Target: s.searches[0].Target, Summary: s.searches[0].Summary}
				require.NoError(t, form.Write.searches(&out, []*reports.Campaign{&c}))
				require.NoError(t, page.Campaign(io.Discard, &c, c.Command(s.headers[0])))
			} else {
				require.NoError(t, form.Write.runs(&reportFlags{width: 100}, &out, s.runs))
			}
			require.NotRegexp(t, unseen, out.String(), form.Name)
			if form.Name == cliflag.JSON && len(s.searches) == 0 {
				var again saved
				require.NoError(t, again.readRuns("x", bufio.NewReader(bytes.NewReader(out.Bytes()))))
				require.Len(t, again.runs, len(s.runs))
				for i := range s.runs {
					require.Equal(t, s.runs[i].Result, again.runs[i].Result)
				}
			}
		}
	})
}

// evil is a name that would set a terminal's title, colour what follows, go back in its line, and begin a script in a page.
const evil = `\u001b]0;owned\u0007\u001b[31m\r\u009b2J<script>alert(1)</script>`

// hostileResults have it wherever a text is.
var hostileResults = []string{
	strings.ReplaceAll(`{"scenario":"E","seed":1,"traceHash":"E","terms":[{"candidate":"E","election":"E","startedNs":1}],`+
		`"writes":[{"candidate":"E","verb":"E","holder":"E","object":"E","election":"E"}],"void":[{"kind":"E"}],`+
		`"properties":[{"name":"E","kind":"E","verdict":"violated","violations":[{"candidates":["E","E"],"election":"E"}],"why":"E"}]}`+"\n",
		"E", evil),
	strings.ReplaceAll(`{"interregnumSearch":3,"profile":"client-go","timings":{"LeaseDuration":15000000000,"RenewDeadline":10000000000,`+
		`"RetryPeriod":2000000000},"limits":{"MaxRoundTrip":0,"MaxDriftPPM":0,"MaxPause":0,"MaxDrain":0,"Shared":false,"Deleted":false},`+
		`"firstBlock":0,"shard":0,"corpus":"E","corpusDir":"E"}`+"\n"+`{"block":0,"failures":[{"seed":1,"properties":["E","single-work"],`+
		`"corpus":{"file":"E"}},{"seed":2,"error":"E"}],"marginNs":1,"marginSeed":1,"marginCorpus":{"file":"E"},"witnesses":{"E":1},`+
		`"events":1,"failoversMs":[[1,2]]}`+"\n", "E", evil),
}
