package reports

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

var gateForms = map[string]func(io.Writer, *gate.Report) error{
	"txt": GateText, "json": GateJSON, "xml": GateJUnit, "md": GateMarkdown,
	"sarif": func(w io.Writer, r *gate.Report) error { return GateSARIF(w, r, "v1.2.3") },
}

// gateTarget has its name from a file whose name is meant to break markup.
func gateTarget(part string, lease, deadline, period int, change func(*gate.Target)) gate.Target {
	t := gate.Target{
		Position: files.Position{File: "a|b<c>&_d_.yaml", Line: 7, Object: "Deployment kube-system/foo", Part: part},
		Config: bound.Config{
			Timings: machine.Timings{
				LeaseDuration: time.Duration(lease) * time.Second, RenewDeadline: time.Duration(deadline) * time.Second,
				RetryPeriod: time.Duration(period) * time.Second,
			},
			Profile: machine.ClientGo,
		},
	}
	if change != nil {
		change(&t)
	}
	return t
}

func released(t *gate.Target) { t.ReleaseOnCancel = true }

// gateReports are all sorts of verdicts.
func gateReports() map[string]*gate.Report {
	calm, rough := gate.DefaultEnvironment(), gate.DefaultEnvironment()
	rough.Environment = bound.Environment{
		MaxRoundTrip: 3100 * time.Millisecond, MaxDriftPPM: 200, MaxPause: 250 * time.Millisecond, Drain: time.Second,
	}
	rough.Sources = [7]string{"--max-round-trip", "env.yaml:2", "env.yaml:3", "--drain", "default", "default", "default"}
	flags := gateTarget("", 15, 10, 2, func(t *gate.Target) {
		t.Position, t.Defaulted = files.Position{File: "flags"}, []string{"renewDeadline", "retryPeriod"}
	})
	all := gate.JudgeTargets([]gate.Target{
		gateTarget("container safe", 60, 15, 5, nil),
		gateTarget("container released", 60, 15, 5, released),
		gateTarget("container wiped", 15, 10, 2, released),
		gateTarget("container refused", 10, 10, 9, nil),
		gateTarget("container ticked", 15, 10, 2, func(t *gate.Target) { t.RequestTimeout = 3 * time.Second }),
		gateTarget("container strict", 12, 11, 2, func(t *gate.Target) { t.Profile = machine.Strict }),
		gateTarget("container endless", 60, 15, 5, func(t *gate.Target) {
			t.Profile, t.ReleaseOnCancel, t.Component = machine.ClientGoV024, true, "manager"
			t.Defaulted = []string{"retryPeriod"}
		}),
		gateTarget("container many", 200, 199, 1, nil),
		gateTarget("container short", 2, 1, 0, func(t *gate.Target) {
			t.RetryPeriod, t.Drain = 700*time.Millisecond, 4*time.Second
		}),
	}, rough)
	all.Problems = []files.Problem{{Position: files.Position{File: "b.yaml", Line: 3}, Text: "not YAML: `*`"}}
	all.Notes = []files.Note{{
		Position: files.Position{File: "c.yaml"}, Kind: files.Skipped, Text: "no leader-election settings; skipped",
	}}
	reports := map[string]*gate.Report{
		"flags":  gate.JudgeTargets([]gate.Target{flags}, calm),
		"sorts":  all,
		"safe":   gate.JudgeTargets([]gate.Target{gateTarget("", 60, 15, 5, nil)}, calm),
		"nobody": {Environment: calm},
	}
	for _, r := range reports {
		for _, j := range r.Targets {
			if j.Result != nil { // these are for package bound to test
				j.Result.Failover, j.Result.Handover, j.Result.Outage = 40*time.Second, 4*time.Second, 4700*time.Millisecond
			}
		}
	}
	return reports
}

func TestGateForms(t *testing.T) {
	for name, r := range gateReports() {
		require.Empty(t, r.Failures)
		for form, write := range gateForms {
			var b strings.Builder
			require.NoError(t, write(&b, r))
			golden(t, "gate-"+name+"."+form, b.String())
		}
	}
}

// TestGateTextFits: lines of 80 columns, but for those with a position.
func TestGateTextFits(t *testing.T) {
	for _, r := range gateReports() {
		var b strings.Builder
		require.NoError(t, GateText(&b, r))
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, " ") && !strings.Contains(line, "scenario gate-") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), gateWidth+1, line)
			}
		}
	}
}

// TestGateJUnitReadsBack: the form is XML, and its counts are those of its cases.
func TestGateJUnitReadsBack(t *testing.T) {
	for _, r := range gateReports() {
		var b strings.Builder
		require.NoError(t, GateJUnit(&b, r))
		var got junitSuites
		require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
		failures, errs, skipped := 0, 0, 0
		for _, c := range got.Suite.Cases {
			switch {
			case c.Failure != nil:
				failures++
			case c.Error != nil:
				errs++
			case c.Skipped != nil:
				skipped++
			}
		}
		assert.Equal(t, []int{len(got.Suite.Cases), failures, errs, skipped},
			[]int{got.Tests, got.Failures, got.Errors, got.Skipped})
	}
}

func TestGateWriteFails(t *testing.T) {
	for _, write := range gateForms {
		assert.EqualError(t, write(full{}, gateReports()["flags"]), "full")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestGateMarkdownIsBounded(t *testing.T) {
	var targets []gate.Target
	for range 2 * maxGateDetails {
		targets = append(targets, gateTarget("", 15, 10, 2, nil))
	}
	var b strings.Builder
	require.NoError(t, GateMarkdown(&b, gate.JudgeTargets(targets, gate.DefaultEnvironment())))
	assert.Equal(t, maxGateDetails, strings.Count(b.String(), "<details>"))
	assert.Contains(t, b.String(), "… and 10 more that are not safe.")
}

// TestGateTextWithin: no line is longer than asked for, no word is broken or left out.
func TestGateTextWithin(t *testing.T) {
	for name, r := range gateReports() {
		for _, write := range []func(io.Writer, *gate.Report, int) error{GateTextWithin, GateBriefWithin} {
			var natural strings.Builder
			require.NoError(t, write(&natural, r, math.MaxInt))
			words := strings.Fields(natural.String())
			slices.Sort(words)
			for _, width := range []int{200, 100, 80, 60} {
				var b strings.Builder
				require.NoError(t, write(&b, r, width))
				for line := range strings.Lines(b.String()) {
					line = strings.TrimSuffix(line, "\n")
					assert.True(t, utf8.RuneCountInString(line) <= width || len(strings.Fields(line)) == 1, "%s in %d: %s", name, width, line)
				}
				got := strings.Fields(b.String())
				slices.Sort(got)
				assert.Equal(t, words, got, "%s in %d", name, width)
			}
		}
	}
}
