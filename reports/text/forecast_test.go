package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/reporttest"
)

func TestForecast(t *testing.T) {
	for name, r := range reporttest.ForecastReports() {
		require.Empty(t, r.Gate.Failures)
		var b strings.Builder
		require.NoError(t, Forecast(&b, r, Unlimited))
		reporttest.Golden(t, "forecast-"+name+".txt", b.String())
		b.Reset()
		require.NoError(t, ForecastBrief(&b, r, Unlimited))
		reporttest.Golden(t, "forecast-"+name+"-brief.txt", b.String())
	}
}

// TestForecastFits: no line is longer than asked for.
func TestForecastFits(t *testing.T) {
	for _, r := range reporttest.ForecastReports() {
		for _, width := range []int{120, 80, 60} {
			var b strings.Builder
			require.NoError(t, Forecast(&b, r, width))
			for line := range strings.Lines(b.String()) {
				line = strings.TrimSuffix(line, "\n")
				assert.True(t, utf8.RuneCountInString(line) <= width || len(strings.Fields(line)) == 1, "%d: %s", width, line)
			}
		}
	}
}

func TestForecastWriteFails(t *testing.T) {
	r := reporttest.ForecastReports()["one"]
	assert.EqualError(t, Forecast(reporttest.Full{}, r, Unlimited), "full")
	assert.EqualError(t, ForecastBrief(reporttest.Full{}, r, Unlimited), "full")
}

// TestEffortWords: more windows are not offered where they would not be simulated.
func TestEffortWords(t *testing.T) {
	o := &forecast.Options{Precision: 0.05}
	for want, f := range map[string]forecast.Forecast{
		"6,000 windows simulated.": {Windows: 6000, Precise: true},
		"6,000 windows simulated: not as precise as was asked (5 %); --max-windows allows more.": {Windows: 6000},
		"6,000 windows simulated: not as precise as was asked (5 %), since only episodes that come soon after each other bring some of it, too seldom for that.": {
			Windows: 6000, Rare: true},
	} {
		assert.Equal(t, want, effortWords(&outlook.Target{Forecast: &f}, o))
	}
}
