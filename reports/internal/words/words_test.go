package words

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s":           0,
		"1ns":          1,
		"999ns":        999,
		"1.005µs":      1005,
		"1.5ms":        1_500_000,
		"1.235ms":      1_234_567,
		"999.999ms":    999_999_499,
		"1s":           1_000_000_499,
		"1.001s":       1_000_500_000,
		"37.968s":      37_968_000_000,
		"3.944s":       3_943_999_999,
		"90s":          90 * time.Second,
		"599.999s":     599_999 * time.Millisecond,
		"10m":          10 * time.Minute,
		"13h22m5.123s": 13*time.Hour + 22*time.Minute + 5123*time.Millisecond,
		"1d":           24 * time.Hour,
		"3650d1s":      3650*24*time.Hour + time.Second,
		"-5s":          -5 * time.Second,
	} {
		assert.Equal(t, want, Duration(d))
	}
}

func TestShorten(t *testing.T) {
	assert.Equal(t, "manager-1", Shorten("manager-1", 9))
	assert.Equal(t, "man…-abcde", Shorten("manager-5d9f7-abcde", 10))
	for limit := 6; limit < 30; limit++ {
		short := Shorten("manager-5d9f7-abcde", limit)
		assert.Equal(t, min(limit, 19), utf8.RuneCountInString(short))
	}
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"héllo 世界 🙂", "héllo 世界 🙂"},
		{"a\tb", "a‹U+0009›b"},
		{"\u202eevil", "‹U+202E›evil"},
		{"bad\xffutf", "bad‹FF›utf"},
		{"\uFFFD", "\uFFFD"},
		{"שלום", "\u2068שלום\u2069"},
		{strings.Repeat("x", 30), strings.Repeat("x", 7) + "…" + strings.Repeat("x", 16)},
	} {
		assert.Equal(t, c.want, Visible(c.in, MaxLabel))
	}
}
