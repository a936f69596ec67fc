package outlook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0s": 0, "20s": 20 * time.Second, "1h30m": 90 * time.Minute, "7d": 7 * day, "1w2d12h": 9*day + 12*time.Hour, "1.5d": 36 * time.Hour,
		"1y": Year, "100y": 100 * Year, "1500us": 1500 * time.Microsecond,
	} {
		got, err := ParseTime(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"40":     "unit missing in 40: want a duration such as 40ms, 40s or 40d",
		"":       `want a duration such as 20s, 1h30m or 7d, got ""`,
		"-5s":    `want a duration such as 20s, 1h30m or 7d, got "-5s"`,
		"5 s":    `want a duration such as 20s, 1h30m or 7d, got "5 s"`,
		"5month": `want a duration such as 20s, 1h30m or 7d, got "5month"`,
		"101y":   `want 100 years (100y) at most, got "101y"`,
		"1e9d":   `want a duration such as 20s, 1h30m or 7d, got "1e9d"`,
	} {
		_, err := ParseTime(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{"0.1/30d": 0.1 / 2_592_000, "1/1y": 1 / Year.Seconds(), "0/1d": 0, "2/1h30m": 2.0 / 5400} {
		got, err := ParseRate(text)
		require.NoError(t, err, text)
		assert.InEpsilon(t, want+1, got+1, 1e-15, text)
		assert.InDelta(t, want, got, 1e-15, text)
	}
	for text, want := range map[string]string{
		"0.1":     `want how often in which time, such as 0.1/30d, got "0.1"`,
		"-1/30d":  `want how often in which time, such as 0.1/30d, got "-1/30d"`,
		"NaN/30d": `want how often in which time, such as 0.1/30d, got "NaN/30d"`,
		"1/30":    "unit missing in 30: want a duration such as 30ms, 30s or 30d",
		"1/0s":    `want how often in which time above zero, such as 0.1/30d, got "1/0s"`,
	} {
		_, err := ParseRate(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "99.99%": 0.9999, "0%": 0, "100%": 1} {
		got, err := ParseShare(text)
		require.NoError(t, err, text)
		assert.InDelta(t, want, got, 1e-15, text)
	}
	for text, want := range map[string]string{
		"99.9":   "unit missing in 99.9: want a percentage such as 99.9%",
		"0.9999": "unit missing in 0.9999: want a percentage such as 0.9999%, or 99.99% if it is a share of 1",
		"100.1%": `want a percentage from 0% to 100%, got "100.1%"`,
		"-1%":    `want a percentage such as 5%, got "-1%"`,
		"Inf%":   `want a percentage such as 5%, got "Inf%"`,
		"":       `want a percentage such as 5%, got ""`,
	} {
		_, err := ParseShare(text)
		assert.EqualError(t, err, want, text)
	}
}
