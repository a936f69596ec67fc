package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
)

// TestFigure: three digits of what is known to five percent, else two; what was not seen is not called zero.
func TestFigure(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		unit             outlook.Unit
		value, low, high float64
		want, interval   string
	}{
		{outlook.Count, 4.321, 4.2, 4.44, "4.32", "4.20 to 4.44"},
		{outlook.Count, 4.321, 3.9, 4.7, "4.3", "3.9 to 4.7"},
		{outlook.Count, 0.02, 0.001, 0.04, "0.020", "0.0010 to 0.040"},
		{outlook.Count, 1.234e-9, 1.23e-9, 1.24e-9, "1.23e-9", "1.23e-9 to 1.24e-9"},
		{outlook.Count, 43204, 43100, 43300, "43,200", "43,100 to 43,300"},
		{outlook.Count, 999.6, 999, 1001, "1,000", "999 to 1,000"},
		{outlook.Count, 0, 0, 0.0123, "none seen", "at most 0.012"},
		{outlook.Count, 0, 0, inf, "none seen", ""},
		{outlook.Count, 0, 0, 0, "none", ""},
		{outlook.Count, 2, 1, inf, "2.0", "1.0 or more"},
		{outlook.Seconds, 91.5, 88, 95, "91.5s", "88s to 95s"},
		{outlook.Seconds, 0.51234, 0.2, 0.83, "510ms", "200ms to 830ms"},
		{outlook.Seconds, 86_412, 85_000, 88_000, "1d", "23h36m40s to 1d30m"},
		{outlook.Percent, 0.1459, 0.0121, 0.4855, "0.15 %", "0.012 % to 0.49 %"},
		{outlook.Percent, 99.98, 99.9, 99.99, "over 99.9 %", "99.9 % to over 99.9 %"},
		{outlook.Percent, 100, 100, 100, "100 %", ""},
		{outlook.Availability, 99.99647, 99.99633, 99.9966, "99.99647 %", "99.99633 % to 99.99660 %"},
		{outlook.Availability, 99, 98, 99.7, "99.0 %", "98.0 % to 99.70 %"},
		{outlook.Availability, 100, 99.9876, 100, "no gap seen", "99.988 % or more"},
		{outlook.Availability, 100, 100, 100, "100 %", ""},
		{outlook.Availability, 0, 0, 0, "0 %", ""},
	} {
		f := outlook.Figure{Unit: c.unit, Estimate: forecast.Estimate{Value: c.value, Low: c.low, High: c.high}}
		value, interval := Figure(&f)
		assert.Equal(t, []string{c.want, c.interval}, []string{value, interval}, "%+v", c)
		f.Unseen = true
		value, interval = Figure(&f)
		assert.Equal(t, []string{"none seen", ""}, []string{value, interval})
	}
}

// TestDifference: which of the two is less is said if it is known.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		unit             outlook.Unit
		value, low, high float64
		want             string
	}{
		{outlook.Count, -4.29, -4.31, -4.28, "4.29 less (4.28 to 4.31)"},
		{outlook.Seconds, 19, 17, 21, "19s more (17s to 21s)"},
		{outlook.Count, 0.1, -0.2, 0.4, "not known to differ (0.20 less to 0.40 more)"},
		{outlook.Count, 0, 0, 0, "the same"},
	} {
		assert.Equal(t, c.want, Difference(&outlook.Figure{Unit: c.unit, Estimate: forecast.Estimate{Value: c.value, Low: c.low, High: c.high}}))
	}
}
