package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	_ "interregnum/internal/few/garbage"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/reports"
	"interregnum/scenarios"
)

// html is the page of a run of the scenario.
func html(t *testing.T, s *scenarios.Scenario) string {
	t.Helper()
	p := New(s)
	return written(t, p, runOf(t, s, p))
}

// runOf runs a scenario, and shows the events to a page.
func runOf(t *testing.T, s *scenarios.Scenario, p *Page) *reports.Run {
	t.Helper()
	r := &reports.Run{Scenario: s}
	r.Result, r.Err = scenarios.Run(s, scenarios.Options{Explain: true, Sinks: []trace.Sink{p}})
	require.NoError(t, r.Err)
	return r
}

func written(t *testing.T, p *Page, r *reports.Run) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.HTML(&b, r, "simulate run "+r.Scenario.Name))
	return b.String()
}

func TestHTMLIsTheSameEveryTime(t *testing.T) {
	for _, name := range []string{"h01-late-ack", "h04-release-wipes-successor", "h10-frozen-process", "mixed-rollout"} {
		s, err := scenarios.Named(name)
		require.NoError(t, err)
		first := html(t, s)
		assert.True(t, first == html(t, s), name)
		assert.False(t, strings.Contains(first, "ZgotmplZ"), "the template engine refused nothing")
	}
}

// TestHTMLOfEveryScenario: nothing that ships, and no short or empty run, is too much for a page.
func TestHTMLOfEveryScenario(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	for _, text := range []string{
		"{name: short, horizon: 1ns, candidates: [{id: a}]}",
		"{name: late, horizon: 1s, candidates: [{id: a, startAt: 1h}]}",
		"{name: long, horizon: 87600h, candidates: [{id: a, startAt: 87599h}], faults: [{kind: pause, at: 87599h30m}]}",
		"{name: drifting, horizon: 1m, candidates: [{id: a, clock: {offset: -3h, driftPPM: 500}}]}",
	} {
		s, err := scenarios.Read(strings.NewReader(text), "test")
		require.NoError(t, err)
		all = append(all, s)
	}
	for _, s := range all {
		page := html(t, s)
		assert.Less(t, len(page), 5_000_000, s.Name)
		assert.False(t, strings.Contains(page, "ZgotmplZ"), s.Name)
		chart, data, _ := strings.Cut(page, `id="data">`)
		assert.False(t, strings.Contains(chart, "NaN"), s.Name)
		data, _, _ = strings.Cut(data, "</script>")
		assert.True(t, json.Valid([]byte(data)), s.Name)
	}
}

func TestHTMLShowsTheOverlap(t *testing.T) {
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	page := html(t, s)
	before, _, _ := strings.Cut(page, "<script")
	for _, want := range []string{"single-work violated by a and b: 3.899s, from 38.026s to 41.925s", "3.899s  a and b",
		"term 1 of a: its work runs", "a holds the lease", "The sum that was exceeded", "simulate run h01-late-ack",
		"partition from 22s to the end of the run", "default-src &#39;none&#39;"} {
		assert.True(t, strings.Contains(before, want), want)
	}
}

// TestHTMLOfHostileText: whatever an event or a scenario says is text.
func TestHTMLOfHostileText(t *testing.T) {
	bad := []string{`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "\x1b[31mred\x07",
		"\u202egnp.exe", "\u2066\u2028\u2029", "\xff\xfe", strings.Repeat("long", 2500), "${`x`}{{.}}", "<!--", "]]>"}
	s := &scenarios.Scenario{Name: "story", About: strings.Join(bad, " "), Plan: plan.Plan{Horizon: time.Minute,
		Faults: []scenarios.Fault{{Kind: plan.FaultPause, On: []string{bad[0]}, Until: new(time.Duration)}}}}
	for i, name := range bad {
		s.Candidates = append(s.Candidates, scenarios.Candidate{ID: name, Clock: scenarios.Clock{Offset: time.Duration(i) * time.Second}})
	}
	p := New(s)
	r := &reports.Run{Scenario: s, Result: &scenarios.Result{Scenario: "story"}}
	for i, name := range bad {
		at := int64(i) * int64(time.Second)
		for k, kind := range []trace.Kind{trace.RunStarted, trace.RequestSent, trace.Written, trace.ResponseHandled,
			trace.WorkStarted, trace.EventRecorded, trace.LeaderReported, trace.WorkEnded} {
			p.Observe(&trace.Event{At: at + int64(k), Seq: uint64(i*10 + k), Kind: kind, Candidate: int32(i), Request: 1,
				Incarnation: 1, Term: 1, Version: uint64(i + 1), Holder: name})
		}
	}
	page := written(t, p, r)
	assert.True(t, utf8.ValidString(page))
	assert.Equal(t, 3, strings.Count(page, "</script>"), "the page's own")
	assert.Equal(t, 3, strings.Count(page, "<script"), "the page's own")
	for _, never := range []string{"<img", "\x1b", "\x07", "\u202e", "\u2066", "\u2028", "\u2029"} {
		assert.False(t, strings.Contains(page, never), never)
	}
	for _, shown := range []string{"‹U+202E›", "‹U+001B›", "‹FF›"} {
		assert.True(t, strings.Contains(page, shown), shown)
	}
	assert.Less(t, len(page), 300_000)
}

// TestHTMLOfManyFaults: each has its box, and no name that is shown lies on another.
func TestHTMLOfManyFaults(t *testing.T) {
	var faults []string
	for i := range 20 {
		faults = append(faults, fmt.Sprintf("{kind: delay, at: %ds, until: %ds, on: [a], response: 1s}", 2*i, 2*i+1))
	}
	s, err := scenarios.Read(strings.NewReader("{name: storm, horizon: 120s, candidates: [{id: a}], faults: ["+
		strings.Join(faults, ", ")+"]}"), "storm")
	require.NoError(t, err)
	chart, _, _ := strings.Cut(html(t, s), "<script")
	assert.Equal(t, 20, strings.Count(chart, `class="fault f-delay"`))
	label := regexp.MustCompile(`<text class="label beside"[^>]* x="([0-9.]+)" y="([0-9]+)">delay response 1s<`)
	ends := map[string]float64{}
	for _, m := range label.FindAllStringSubmatch(chart, -1) {
		at, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, at, ends[m[2]])
		ends[m[2]] = at + textWidth("delay response 1s")
	}
	assert.Len(t, ends, maxStrips)
}

// TestHTMLOfManyCandidates: the page stays small, says what it leaves out, and keeps what happened around the overlap.
func TestHTMLOfManyCandidates(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader(crowd(300)), "crowd")
	require.NoError(t, err)
	page := html(t, s)
	assert.Less(t, len(page), 5_000_000)
	assert.True(t, strings.Contains(page, "40 of 300 candidates have lanes of their own"), "40 of 300 candidates have lanes of their own")
	assert.Regexp(t, "24,000 of [0-9,]+ requests are shown one by one", page[strings.Index(page, "24,000 of"):][:60])
	assert.True(t, strings.Contains(page, "260 others"), "260 others")
}

func crowd(n int) string {
	var b strings.Builder
	b.WriteString("{name: crowd, horizon: 20m, defaults: {requestTimeout: 5s}, faults: [" +
		"{kind: delay, at: 5m, until: 302s, on: [leader], response: 4.9s}, {kind: partition, at: 302s, on: [leader]}], " +
		"expect: {single-work: any, single-belief: any, safety-window: any, liveness: any}, candidates: [")
	for i := range n {
		b.WriteString("{id: c" + string(rune('a'+i/26%26)) + string(rune('a'+i%26)) + strings.Repeat("x", i/676) + "},")
	}
	return b.String() + "]}"
}

// TestThinKeepsWhatTells: what failed and what is around an overlap outlasts what is ordinary.
func TestThinKeepsWhatTells(t *testing.T) {
	var l requestLog
	l.init(int64(time.Hour))
	send := func(id uint64, lost bool) {
		at := int64(id) * int64(time.Millisecond)
		l.observe(&trace.Event{At: at, Kind: trace.RequestSent, Request: id, Verb: trace.Get})
		if lost {
			l.observe(&trace.Event{At: at, Kind: trace.RequestLost, Request: id})
			return
		}
		l.observe(&trace.Event{At: at, Kind: trace.RequestApplied, Request: id})
		l.observe(&trace.Event{At: at, Kind: trace.ResponseHandled, Request: id})
	}
	for id := uint64(1); id <= 200_000; id++ {
		send(id, id == 7)
		if id == 50_000 {
			l.keepAround()
		}
	}
	l.finish(1)
	kept := map[uint64]bool{}
	for _, r := range l.all {
		kept[r.id] = true
	}
	assert.Len(t, l.all, maxRequests)
	assert.Equal(t, 200_000, l.total)
	for _, id := range []uint64{7, 49_001, 50_000, 51_000, 200_000} {
		assert.True(t, kept[id], id)
	}
	assert.False(t, kept[8])
	assert.False(t, kept[60_000])
	sum := 0
	for _, n := range l.count {
		sum += n
	}
	assert.Equal(t, 200_000, sum, "all are counted")
}

// TestVendoredLibraries: the scripts are the very files that were published.
func TestVendoredLibraries(t *testing.T) {
	sums, err := os.ReadFile("html/vendor/SHA256SUMS")
	require.NoError(t, err)
	listed := map[string]string{}
	for line := range strings.Lines(string(sums)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, ok, line)
		listed[name] = sum
	}
	files, err := filepath.Glob("html/vendor/*.js")
	require.NoError(t, err)
	assert.Len(t, files, len(libraries))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		assert.Equal(t, listed[filepath.Base(file)], hex.EncodeToString(sum[:]), file)
	}
}

// TestVersionsOfElections: a version is shown beside the record of its own election.
func TestVersionsOfElections(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("{name: two, horizon: 40s, elections: [{name: main}, {name: shard}], "+
		"candidates: [{id: a}, {id: b}]}"), "two.yaml")
	require.NoError(t, err)
	p := New(s)
	html := written(t, p, runOf(t, s, p))
	assert.Contains(t, html, "a holds the lease/shard")
	for _, r := range p.data().Requests {
		assert.Equal(t, r[0]%2, r[18])
	}
}

// TestTermLabelStays: an overlap of others, as in another election, does not move the label of a term.
func TestTermLabelStays(t *testing.T) {
	s := &scenarios.Scenario{Name: "apart", Plan: plan.Plan{Horizon: time.Minute, Candidates: []plan.Candidate{{ID: "a"}, {ID: "b"}, {ID: "c"}}}}
	p := New(s)
	p.Observe(&trace.Event{At: 1, Kind: trace.RunStarted, Incarnation: 1, Holder: "a"})
	p.Observe(&trace.Event{At: 1, Kind: trace.WorkStarted, Incarnation: 1, Term: 1})
	label := func(names ...string) mark {
		overlap := check.Violation{FromNs: 0, ToNs: int64(20 * time.Second), Candidates: names}
		r := &scenarios.Result{Properties: []check.Property{{Name: check.SingleWork, Violations: []check.Violation{overlap}}}}
		for _, b := range p.chart(r, chartWidth).Blocks {
			for _, m := range b.Marks {
				if m.Label == "term 1" {
					return m
				}
			}
		}
		return mark{}
	}
	assert.Equal(t, int64(20*time.Second), label("a", "b").From)
	assert.Equal(t, int64(1), label("b", "c").From)
}

// TestStrangeAnswer: what becomes of a request that nobody sent is passed over.
func TestStrangeAnswer(t *testing.T) {
	var l requestLog
	l.init(int64(time.Minute))
	for _, kind := range []trace.Kind{trace.RequestApplied, trace.Written, trace.RequestLost, trace.ResponseHandled,
		trace.ResponseLate, trace.GaveUp} {
		assert.True(t, l.observe(&trace.Event{Kind: kind, Request: 7}), kind)
	}
	assert.Empty(t, l.all)
}

// TestHeadlineOfOtherViolations: a page on which something is violated is not green, whatever it is, and lists all that is violated.
func TestHeadlineOfOtherViolations(t *testing.T) {
	for name, want := range map[string]string{"coordinated-same-second": "; but violated: single-belief", "stand-zombie": "; but violated: all-stand"} {
		s, err := scenarios.Named(name)
		require.NoError(t, err)
		p := New(s)
		r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{p}})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, p.HTML(&b, &reports.Run{Scenario: s, Result: r}, "simulate run "+name))
		assert.Contains(t, b.String(), want)
		assert.Contains(t, b.String(), `<p id="verdict" class="verdict open">`)
		assert.Contains(t, b.String(), `<h2 id="violations-title">`)
		assert.Contains(t, b.String(), "two at once, or another violation", "the legend")
	}
}
