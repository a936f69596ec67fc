package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/reports/internal/reporttest"
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
