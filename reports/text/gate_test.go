package text

import (
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
	"interregnum/internal/reporttest"
)

func TestGate(t *testing.T) {
	for name, r := range reporttest.GateReports() {
		require.Empty(t, r.Failures)
		var b strings.Builder
		require.NoError(t, Gate(&b, r, Unlimited))
		reporttest.Golden(t, "gate-"+name+".txt", b.String())
	}
}

// TestFigures: an outage of no length is none that is survived, and no round trip of nothing is advised.
func TestFigures(t *testing.T) {
	target := gate.Target{Config: bound.Config{Profile: machine.ClientGo}}
	target.LeaseDuration, target.RenewDeadline, target.RetryPeriod = 15*time.Second, 10*time.Second, 2*time.Second
	j, err := gate.Judge(target, &bound.Environment{MaxRoundTrip: 500 * time.Millisecond, MaxPause: 3 * time.Second})
	require.NoError(t, err)
	assert.Contains(t, figuresWords(j), "any outage of the lock service can cost the leadership")
	assert.Contains(t, j.None, "max-round-trip")
	j.Result.Outage = time.Second
	assert.Contains(t, figuresWords(j), "an outage of the lock service of 1s costs no leadership")
}

// TestGateTextFits: lines of 80 columns, but for those with a position.
func TestGateTextFits(t *testing.T) {
	for _, r := range reporttest.GateReports() {
		var b strings.Builder
		require.NoError(t, Gate(&b, r, Unlimited))
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, " ") && !strings.Contains(line, "scenario gate-") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), sentenceWidth+1, line)
			}
		}
	}
}

func TestGateWriteFails(t *testing.T) {
	assert.EqualError(t, Gate(reporttest.Full{}, reporttest.GateReports()["flags"], Unlimited), "full")
}

// TestGateWithin: no line is longer than asked for, no word is broken or left out.
func TestGateWithin(t *testing.T) {
	for name, r := range reporttest.GateReports() {
		for _, write := range []func(io.Writer, *gate.Report, int) error{Gate, GateBrief} {
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
