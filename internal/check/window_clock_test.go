package check

import (
	"testing"

	"interregnum/internal/trace"
)

// The window is 15 s by the fastest clock less 10 s by the slowest.
func TestSafetyWindowOfClocks(t *testing.T) {
	const text = `
		0s a works
		10s a cancelled
		10s a ended
		`
	runScripts(t, SafetyWindow, []script{
		{name: "b is a quarter fast: 12 s - 10 s", edit: drifts(0, 250_000), text: text + `
			12s b works`},
		{name: "b is a quarter fast, a nanosecond less", edit: drifts(0, 250_000), text: text + `
			11.999999999s b works`,
			want: []string{"11.999999999s..12s a b"}},
		{name: "a is a fifth slow: 15 s - 12.5 s", edit: drifts(-200_000, 0), text: text + `
			12.5s b works`},
		{name: "a is a fifth slow, a nanosecond less", edit: drifts(-200_000, 0), text: text + `
			12.499999999s b works`,
			want: []string{"12.499999999s..12.5s a b"}},
		{name: "both: nothing is promised", edit: drifts(-200_000, 250_000), text: text + `
			10s b works`},
		{name: "rounded for the candidates: 15 s/1.000007 down, 10 s/1 up", edit: drifts(0, 7), text: text + `
			14.999895000s b works`},
		{name: "rounded for the candidates, a nanosecond less", edit: drifts(0, 7), text: text + `
			14.999894999s b works`,
			want: []string{"14.999894999s..14.999895s a b"}},
		{name: "and 10 s/0.999993 up", edit: drifts(-7, 0), text: text + `
			14.999929999s b works`},
		{name: "and 10 s/0.999993 up, a nanosecond less", edit: drifts(-7, 0), text: text + `
			14.999929998s b works`,
			want: []string{"14.999929998s..14.999929999s a b"}},
		{name: "all clocks are slow: the window is no longer for that", edit: func(h *trace.Header) {
			for i := range h.Candidates {
				h.Candidates[i].DriftPPM = -100_000
			}
		}, text: text + `
			15s b works`},
		{name: "the clock of somebody else does not count", edit: func(h *trace.Header) { h.Candidates[2].DriftPPM = 500_000 }, text: text + `
			14.9s b works`,
			want: []string{"14.9s..15s a b"}},
		{name: "a clock that changed before", text: `
			0s a works
			3s b clock ppm=250000
			4s b clock ppm=0
			10s a cancelled
			12s b works`},
		{name: "a clock that changed before, a nanosecond less", text: `
			0s a works
			3s b clock ppm=250000
			10s a cancelled
			11.999999999s b works`,
			want: []string{"11.999999999s..12s a b"}},
		{name: "a clock that changes in the window", text: `
			0s a works
			10s a cancelled
			11s b clock ppm=250000
			12s b works`},
		{name: "and a second less for whole seconds", edit: func(h *trace.Header) {
			comparesSeconds(h)
			drifts(0, 250_000)(h)
		}, text: text + `
			11s b works`},
	})
}
