package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	"interregnum/internal/reporttest"
	"interregnum/reports"
	"interregnum/scenarios"
)

func TestTable(t *testing.T) {
	split := lateAck("a", "b").run()
	split.Result.AsExpected = true
	wrong := &reports.Run{Scenario: split.Scenario, Result: &scenarios.Result{Properties: []check.Property{
		{Name: check.SingleWork, Verdict: check.Held}, {Name: "liveness", Verdict: check.Inconclusive},
	}}}
	calm := &reports.Run{Scenario: split.Scenario, Result: &scenarios.Result{AsExpected: true}}
	broken := &reports.Run{Scenario: split.Scenario, Err: errors.New("stands still")}
	var b strings.Builder
	require.NoError(t, Table(&b, []reports.Run{*split, *wrong, *calm, *broken}, Unlimited))
	assert.Equal(t, `scenario   verdict                                     overlap
late-ack   single-belief, single-work, safety-window   3.944s    as expected
late-ack   inconclusive: liveness                      -         NOT AS EXPECTED
late-ack   held                                        -         as expected
late-ack   none: the run failed                                  FAILED

4 scenarios, 2 NOT as expected
`, b.String())

	b.Reset()
	require.NoError(t, Table(&b, []reports.Run{*split, *calm}, Unlimited))
	assert.True(t, strings.HasSuffix(b.String(), "\n2 scenarios, all as expected\n"))
}

func TestList(t *testing.T) {
	var b strings.Builder
	require.NoError(t, List(&b, []*scenarios.Scenario{
		{Name: "short"}, {Name: "next-a-name"}, {Name: "h01-a-name", About: strings.Repeat("word ", 20)}, {Name: "h-without-number"},
	}, 60))
	assert.Equal(t, `one leader, and what becomes of it
  short
  h-without-number

hazards
  h01-a-name         word word word word word word word word
                     word word word word word word word word
                     word word word word

a preview: a release that waits for the work
  next-a-name
`, b.String())
}

// TestLongText has more violations and terms than a text shows, and a fault that found nobody.
func TestLongText(t *testing.T) {
	run := lateAck("a", "b").run()
	work := &run.Result.Properties[2]
	for range 30 {
		work.Violations = append(work.Violations, work.Violations[0])
	}
	for i := range 100 {
		run.Result.Terms = append(run.Result.Terms, scenarios.Term{Candidate: "a", Incarnation: 1, StartedNs: int64(i)})
	}
	run.Result.Void = []scenarios.VoidFault{{AtNs: 5e9, Fault: 1, Kind: "crash"}}
	run.Scenario.Expect["single-belief"] = scenarios.ExpectAny
	var b strings.Builder
	require.NoError(t, Run(&b, run, 100))
	reporttest.Golden(t, "long-result.txt", b.String())
}

// TestHeldLines: a table of requests that clients kept back, which leaves out the later ones of many.
func TestHeldLines(t *testing.T) {
	held := []scenarios.HeldRequest{
		{AtNs: 20_024e6, Candidate: "a", Verb: "update", Cause: scenarios.HeldRefused},
		{AtNs: 30e9, Candidate: "a", Verb: "get", Cause: scenarios.HeldByLimiter, ForNs: 6e9},
		{AtNs: 40e9, Candidate: "b", Election: "x", Verb: "get", Cause: scenarios.HeldByRetryAfter, ForNs: 9e9},
	}
	assert.Equal(t, []string{
		"  kept back   request   at        for   why",
		"  a           update    20.024s   -     never sent: no token in time from its client's limiter",
		"  a           get       30s       6s    its client's limiter",
		"  b/x         get       40s       9s    a Retry-After",
	}, heldLines(held, Unlimited))
	for len(held) < maxViolations+3 {
		held = append(held, held[1])
	}
	lines := heldLines(held, Unlimited)
	assert.Len(t, lines, maxViolations+2)
	assert.Equal(t, "  … and 3 more", lines[len(lines)-1])
	assert.Nil(t, heldLines(nil, Unlimited))
}
