package behaviour

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead: no file and no data file makes the reader panic or hang. An error is one line with the file; what was read is a
// behaviour whose times rise.
func FuzzRead(f *testing.F) {
	content, err := os.ReadFile("testdata/read.txt")
	require.NoError(f, err)
	for c := range strings.SplitSeq(string(content), "====\n") {
		input, _, _ := strings.Cut(c, "----\n")
		text, data, _ := strings.Cut(input, "\n-- ")
		_, data, _ = strings.Cut(data, " --\n")
		f.Add(text, data)
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		r := &reader{file: "x.yaml", open: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(data)), nil
		}}
		b, warnings, err := read(r, strings.NewReader(text))
		if err != nil {
			wellFormed(t, err)
			return
		}
		for _, w := range warnings {
			require.NotContains(t, w, "\n")
		}
		risesEvenly(t, &b.RoundTrip)
		require.LessOrEqual(t, b.RoundTrip.At(0.99), LongestTrip)
		sum := 0.0
		for _, e := range b.Errors {
			require.GreaterOrEqual(t, e.Probability, 0.0)
			sum += e.Probability
		}
		require.LessOrEqual(t, sum, 1+1e-6)
		for _, e := range b.Episodes {
			require.Positive(t, e.Every)
			require.Contains(t, Kinds(), e.Kind)
			require.NotEmpty(t, e.On)
			require.Equal(t, e.Kind == Brownout, e.Factor > 1 || e.RoundTrip != nil)
			if e.RoundTrip != nil {
				risesEvenly(t, e.RoundTrip)
				require.LessOrEqual(t, e.RoundTrip.At(0.99), LongestTrip)
			}
			risesEvenly(t, &e.Lasts)
		}
	})
}

// risesEvenly checks that a distribution has times of zero or more, which do not fall, and that Above agrees with them.
func risesEvenly(t *testing.T, d *Distribution) {
	before := d.At(0)
	require.GreaterOrEqual(t, before, 0*before)
	for _, p := range []float64{0.001, 0.25, 0.5, 0.9, 0.99, 0.999999} {
		v := d.At(p)
		require.GreaterOrEqual(t, v, before)
		require.LessOrEqual(t, d.Above(v), 1-p+1e-9)
		before = v
	}
}
