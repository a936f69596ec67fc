package finding

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "interregnum/internal/few/garbage"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/reporttest"
)

var forecastForms = map[string]func(io.Writer, *outlook.Report) error{"json": ForecastJSON, "xml": ForecastJUnit, "md": ForecastMarkdown}

func TestForecastForms(t *testing.T) {
	for name, r := range reporttest.ForecastReports() {
		for form, write := range forecastForms {
			var b strings.Builder
			require.NoError(t, write(&b, r))
			reporttest.Golden(t, "forecast-"+name+"."+form, b.String())
		}
	}
}

// TestForecastFormsReadBack: JSON and JUnit are such, also of what nothing bounds.
func TestForecastFormsReadBack(t *testing.T) {
	r := reporttest.ForecastReports()["sorts"]
	r.Targets[0].Forecast.Losses.High = math.Inf(1)
	var b strings.Builder
	require.NoError(t, ForecastJSON(&b, r))
	assert.True(t, json.Valid([]byte(b.String())))
	assert.Contains(t, b.String(), `"lossesPerMonth":{"value":4.321,"low":4.2},`)
	b.Reset()
	require.NoError(t, ForecastJUnit(&b, r))
	var got junitFile
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
	assert.Equal(t, []int{5, 3, 1, 1}, []int{got.Tests, got.Failures, got.Errors, got.Skipped})
}

func TestForecastWriteFails(t *testing.T) {
	for _, write := range forecastForms {
		assert.EqualError(t, write(reporttest.Full{}, reporttest.ForecastReports()["one"]), "full")
	}
}

func TestShortened(t *testing.T) {
	for want, x := range map[float64]float64{
		99.99876543: 99.99876543211, 0.000123457: 0.00012345678, 1296120: 1296123.4, 0: 0, 100: 100, 63.2121: 63.212055883,
	} {
		assert.InDelta(t, want, shortened(x), 1e-12)
	}
}
