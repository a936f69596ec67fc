package behaviour

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadPrometheus: series are summed, and other lines do not count.
func TestReadPrometheus(t *testing.T) {
	b, warnings, err := readCase(`behaviour: {roundTrip: {prometheus: h.txt}}
-- h.txt --
# HELP d how long
up 1
d_bucket{verb="GET",le="0.1"} 90
d_bucket{verb="GET",le="1"} 95
d_bucket{verb="GET",le="+Inf"} 100
d_bucket{le="+Inf",verb="a\"}b"} 100
d_bucket{le="1",verb="a\"}b"} 85 1700000000000
d_bucket{le="0.1",verb="a\"}b"} 1e1 # {trace="x"} 0.05
`)
	require.NoError(t, err)
	want, err := Histogram([]Point{{0.5, 100 * time.Millisecond}, {0.9, time.Second}})
	require.NoError(t, err)
	assert.Equal(t, want, b.RoundTrip)
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], "20 of 200 values (10%) are above the last bound of 1s")
	assert.Contains(t, warnings[0], "by 559ms on average") // 0.9 s / ln 5
}

// TestReadHDRFromZero: a first line of the value 0 whose percentile is above 0 says that such a share is answered at once. No
// quantile is below zero, and one line is enough.
func TestReadHDRFromZero(t *testing.T) {
	for _, rows := range []string{"0 0.5 5\n10 1 10", "0 1 10"} {
		b, _, err := readCase("behaviour: {roundTrip: {hdr: h.txt, unit: s}}\n-- h.txt --\nValue Percentile\n" + rows)
		require.NoError(t, err)
		for _, p := range []float64{0, 0.25, 0.5} {
			assert.Zero(t, b.RoundTrip.At(p), p)
		}
	}
}

// TestReadHDR: what the library prints is read, and its quantiles are those of the distribution.
func TestReadHDR(t *testing.T) {
	h := hdrhistogram.New(1, int64(time.Hour/time.Microsecond), 3)
	for i := range 10_000 {
		require.NoError(t, h.RecordValue(int64(1000+i*i/100)))
	}
	var text bytes.Buffer
	_, err := h.PercentilesPrint(&text, 5, 1000)
	require.NoError(t, err)
	b, warnings, err := readCase("behaviour: {roundTrip: {hdr: h.txt, unit: ms}}\n-- h.txt --\n" + text.String())
	require.NoError(t, err, text.String())
	assert.Empty(t, warnings)
	for _, p := range []float64{0, 0.1, 0.5, 0.9, 0.99, 0.9999} {
		want := time.Duration(h.ValueAtPercentile(100*p)) * time.Microsecond
		assert.InEpsilon(t, float64(want), float64(b.RoundTrip.At(p)), 0.1, p)
	}
	assert.Zero(t, b.RoundTrip.Above(time.Duration(h.Max())*time.Microsecond+time.Microsecond))

	cut := text.String()[:strings.Index(text.String(), " 0.9")]
	_, _, err = readCase("behaviour: {roundTrip: {hdr: h.txt, unit: ms}}\n-- h.txt --\n" + cut)
	assert.ErrorContains(t, err, "h.txt:")
}
