package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/side"
	"interregnum/internal/trace"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// TestReportDiff: a trace and the scenario that it is of are the same run; another seed or scenario is not.
func TestReportDiff(t *testing.T) {
	folder(t)
	require.Equal(t, exit.AsExpected, simulate("", "run", "late-ack.yaml", "--trace", "a.jsonl").code)
	same := simulate("", "report", "diff", "a.jsonl", "late-ack.yaml")
	assert.Equal(t, exit.AsExpected, same.code, same.stderr)
	assert.Contains(t, same.stdout, "\nthe two have the same events\n")
	assert.NotContains(t, same.stdout, "differs")
	assert.Equal(t, 2, strings.Count(same.stdout, "\nSPLIT BRAIN: a and b work at once for 3."))
	assert.Equal(t, 2, strings.Count(same.stdout, ": why a and b worked at once"))

	changed := strings.Replace(lateAck, "until: 22s", "until: 21s", 1) + expectations
	differs := simulate(changed, "report", "diff", "a.jsonl", "-")
	assert.Equal(t, exit.NotAsExpected, differs.code, differs.stderr)
	assert.Empty(t, differs.stderr)
	assert.Regexp(t, `(?m)^the first \d+ events are the same, then, at 2\d\.?\d*s:$`, differs.stdout)
	assert.Regexp(t, `(?m)^  A 2\d.*\{"atNs":2\d+,`, differs.stdout)
	assert.Regexp(t, `(?m)^  B 2\d.*\{"atNs":2\d+,`, differs.stdout)
	assert.Equal(t, 2, strings.Count(differs.stdout, "\ndifference "))

	got := simulate(changed, "report", "diff", "a.jsonl", "-", "-o", "json")
	assert.Equal(t, exit.NotAsExpected, got.code)
	var diff struct {
		Equal bool
		A, B  struct {
			Name      string
			TraceHash string
		}
		First struct {
			Shared int
			A, B   struct{ AtNs int64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &diff))
	assert.False(t, diff.Equal)
	assert.Equal(t, "a.jsonl", diff.A.Name)
	assert.NotEqual(t, diff.A.TraceHash, diff.B.TraceHash)
	assert.Positive(t, diff.First.Shared)
	assert.Positive(t, diff.First.A.AtNs)
}

func TestReportDiffOfPart(t *testing.T) {
	folder(t)
	require.Equal(t, exit.AsExpected, simulate("", "run", "calm", "--trace", "whole.jsonl").code)
	data, err := os.ReadFile("whole.jsonl")
	require.NoError(t, err)
	lines := bytes.SplitAfter(data, []byte("\n"))
	require.NoError(t, os.WriteFile("part.jsonl", bytes.Join(lines[:len(lines)-3], nil), 0o666))
	got := simulate("", "report", "diff", "part.jsonl", "whole.jsonl")
	assert.Equal(t, exit.NotAsExpected, got.code)
	assert.Contains(t, got.stdout, "\n  A ends here\n")
}

func TestReportBadInput(t *testing.T) {
	folder(t)
	require.Equal(t, exit.AsExpected, simulate("", "run", "calm", "--trace", "good.jsonl").code)
	for name, text := range map[string]string{
		"broken.jsonl": `{"schema":1,"horizonNs":5,"candidates":[]}` + "\n{\n",
		"later.jsonl":  `{"schema":9}` + "\n",
		"result.jsonl": `{"scenario":"x","seed":1,"traceHash":"0"}` + "\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"report"}, "want files of results, or diff or merge; see 'simulate report --help'"},
		{[]string{"report", "diff", "calm"}, "want two runs to compare, got 1"},
		{[]string{"report", "diff", "calm", "calm", "-o", "junit"}, `--output "junit": want text or json`},
		{[]string{"report", "diff", "calm", "calm", "--width", "3"}, "--width 3: want 40 to 1000"},
		{[]string{"report", "diff", "good.jsonl", "nowhere"}, `no scenario named "nowhere" ships`},
		{[]string{"report", "diff", "good.jsonl", "bad.yaml"}, "bad.yaml:4"},
		{[]string{"report", "diff", "broken.jsonl", "calm"}, "broken.jsonl: line 2: want an event"},
		{[]string{"report", "diff", "later.jsonl", "calm"}, "later.jsonl: line 1: want the header of a trace with schema 1"},
		{[]string{"report", "diff", "calm", "result.jsonl"}, "result.jsonl: is a result, which has no events"},
		{[]string{"run", "calm", "--profile", "lax"}, `--profile "lax": want one of client-go`},
		{[]string{"run", "calm", "--against", ""}, "--against: want NAME, got nothing"},
		{[]string{"run", "--all", "--against", "strict"}, "want exactly one"},
		{[]string{"run", "calm", "--against", "strict", "--trace", "t"}, "--trace, --perfetto and --html are of one"},
		{[]string{"run", "calm", "--against", "strict", "-o", "junit"}, `want text or json`},
	} {
		got := simulate("", c.args...)
		assert.Equal(t, exit.BadInput, got.code, "%v", c.args)
		assert.Empty(t, got.stdout, "%v", c.args)
		assert.Contains(t, got.stderr, c.want, "%v", c.args)
	}
}

// TestAgainst: a hazard is there with client-go and not with strict, which is judged by what must hold.
func TestAgainst(t *testing.T) {
	got := simulate("", "run", "h01-late-ack", "--profile", "strict", "--against", "client-go")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	assert.Regexp(t, `(?m)^single-work +held +violated overlap 3\.899s +differs$`, got.stdout)
	assert.Contains(t, got.stdout, "A: h01-late-ack, strict\nno split brain")
	assert.Contains(t, got.stdout, "B: h01-late-ack, client-go\nSPLIT BRAIN")
	assert.Contains(t, got.stdout, "\nB: why a and b worked at once")

	alone := simulate("", "run", "h01-late-ack", "--profile", "strict")
	assert.Equal(t, exit.AsExpected, alone.code)
	own := simulate("", "run", "h01-late-ack", "--profile", "client-go")
	assert.Equal(t, exit.AsExpected, own.code, "what the file expects still counts")
	old := simulate("", "run", "h07-same-identity", "--profile", "client-go-v0.24", "--brief")
	assert.Equal(t, exit.NotAsExpected, old.code)
	assert.Contains(t, old.stdout, "simulate run h07-same-identity --seed 1 --profile client-go-v0.24\n")
}

// TestHostileTrace: names of a trace are text, whatever they contain.
func TestHostileTrace(t *testing.T) {
	t.Chdir(t.TempDir())
	name := "\x1b[2J\u202e<script>" + strings.Repeat("x", 10_000)
	quoted, err := json.Marshal(name)
	require.NoError(t, err)
	who := `"candidate":` + string(quoted) + `,"incarnation":1`
	text := `{"schema":1,"scenario":` + string(quoted) + `,"horizonNs":9000000000,"candidates":[{"id":` + string(quoted) + `},{"id":"\u001b"}]}
{"atNs":1,"seq":1,"kind":"runStarted",` + who + `,"identity":` + string(quoted) + `}
{"atNs":2,"seq":2,"kind":"workStarted",` + who + `,"term":1,"version":1}
{"atNs":3,"seq":3,"kind":"workStarted","candidate":"\u001b","incarnation":1,"term":1,"version":1}
`
	require.NoError(t, os.WriteFile("t.jsonl", []byte(text), 0o666))
	for _, form := range []string{cliflag.Text, cliflag.JSON} {
		got := simulate("", "report", "diff", "t.jsonl", "healthy-failover", "-o", form)
		assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
		assert.NotContains(t, got.stdout, "\x1b", form)
		if form == cliflag.Text {
			assert.NotContains(t, got.stdout, "\u202e")
		}
	}
}

// everythingTrace is the trace of a scenario that has every kind of fault.
func everythingTrace(t require.TestingT) []byte {
	s, err := scenarios.Read(strings.NewReader(everything), "everything")
	require.NoError(t, err)
	var file bytes.Buffer
	w := trace.NewWriter(&file, s.Header())
	_, err = scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{w}})
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	return file.Bytes()
}

// TestMangledTraces: a trace in which events are missing, are another's or of another kind is shown all the same.
func TestMangledTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 files, on one goroutine")
	}
	lines := bytes.SplitAfter(everythingTrace(t), []byte("\n"))
	kind, candidate := regexp.MustCompile(`"kind":"\w+"`), regexp.MustCompile(`"candidate":"\w"`)
	kinds := kind.FindAll(bytes.Join(lines, nil), -1)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		missing, strange := random.Float64()/2, random.Float64()/2
		mangled := bytes.Clone(lines[0])
		for _, line := range lines[1:] {
			switch x := random.Float64(); {
			case x < missing:
				continue
			case x < missing+strange/2:
				line = kind.ReplaceAll(line, kinds[random.IntN(len(kinds))])
			case x < missing+strange:
				line = candidate.ReplaceAll(line, []byte(`"candidate":"`+string("abc"[random.IntN(3)])+`"`))
			}
			mangled = append(mangled, line...)
		}
		side, err := side.OfTrace("mangled", bytes.NewReader(mangled))
		if err != nil {
			assert.Contains(t, err.Error(), "candidate", "an event that was nobody's is now somebody's")
			continue
		}
		require.NoError(t, text.Diff(io.Discard, side, side, 100))
	}
}

// evil is a name that would set a terminal's title, colour what follows, go back in its line, and begin a script in a page.
const evil = `\u001b]0;owned\u0007\u001b[31m\r\u009b2J<script>alert(1)</script>`

// FuzzTraceSide: whatever a trace says, it is read or refused; and what is read can be shown, and has the terminal do nothing.
func FuzzTraceSide(f *testing.F) {
	golden, err := os.ReadFile("../../internal/trace/testdata/every-kind.jsonl")
	require.NoError(f, err)
	f.Add(golden)
	f.Add(everythingTrace(f)[:8_000])
	f.Add([]byte(strings.ReplaceAll(`{"schema":1,"scenario":"E","horizonNs":60000000000,"elections":["E"],"candidates":[{"id":"E","election":"E"}]}`+"\n"+
		`{"atNs":5,"seq":1,"kind":"runStarted","candidate":"E","election":"E","incarnation":1,"identity":"E"}`+"\n"+
		`{"atNs":6,"seq":2,"kind":"leaderReported","candidate":"E","election":"E","incarnation":1,"holder":"E"}`+"\n"+
		`{"atNs":6,"seq":3,"kind":"eventRecorded","candidate":"E","election":"E","incarnation":1,"text":"E"}`+"\n", "E", evil)))
	f.Fuzz(func(t *testing.T, data []byte) {
		side, err := side.OfTrace("fuzz", bytes.NewReader(data))
		if err != nil {
			require.NotRegexp(t, unseen, err.Error())
			return
		}
		other := *side
		other.Events = side.Events[:len(side.Events)/2]
		var out bytes.Buffer
		require.NoError(t, text.Diff(&out, side, &other, 100))
		require.NotRegexp(t, unseen, out.String())
	})
}

// TestLongNames: names as long as they may be leave room for the picture.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("e", 250)
	text := "name: x\nhorizon: 1m\nelections: [{name: " + long + "}, {name: b}]\ncandidates: [{id: c" + long + "}, {id: b, startAt: 100ms}]\n"
	got := simulate(text, "run", "-")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	_, picture, found := strings.Cut(got.stdout, "+---")
	require.True(t, found)
	for line := range strings.Lines(picture) {
		require.LessOrEqual(t, len([]rune(line)), 101, line)
	}
}
