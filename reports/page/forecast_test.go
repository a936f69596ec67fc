package page

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
)

// TestGapCurves: a curve begins at no gap, and rises to the 99th percentile at the right end; where no gap was seen there is none.
func TestGapCurves(t *testing.T) {
	assert.Nil(t, newGapCurves(&forecast.Forecast{}))
	f := &forecast.Forecast{Gaps: forecast.Gaps{Seen: 99, Worst: time.Minute}}
	for i := range 99 {
		f.Gaps.Percentiles = append(f.Gaps.Percentiles, float64(i+1))
	}
	f.Causes = []forecast.Cause{{Name: "usual times"}, {Name: "outage", Gaps: f.Gaps}}
	g := newGapCurves(f)
	require.Len(t, g.Curves, 2, "usual times have no gaps")
	path := g.Curves[0].Path
	assert.Equal(t, path, g.Curves[1].Path)
	assert.True(t, strings.HasPrefix(path, "M51.8,228H51.8V225.9"), path)
	assert.True(t, strings.HasSuffix(path, "H426V18.1"), path)
}

// TestCloud: every configuration with a gap is within the picture, with the colour of what is known of it.
func TestCloud(t *testing.T) {
	assert.Nil(t, newCloud([]outlook.Point{{Name: "a", NoGap: true}}))
	e := func(low, value, high float64) forecast.Estimate {
		return forecast.Estimate{Value: value, Low: low, High: high}
	}
	c := newCloud([]outlook.Point{
		{Name: "safe", Losses: e(0, 1e-30, 2e-30), GapP99: e(10, 20, 30)},
		{Name: "no gap", NoGap: true, Losses: e(0, 0, 1)},
		{Name: "unsafe", Losses: e(3, 4, 5), GapP99: e(40, 41, 42), Overlap: e(1, 1, 1)},
		{Name: "beaten", Losses: e(3, 4, 5), GapP99: e(40, 41, 42), Overlap: e(1, 1, 1), Worse: true},
	})
	require.Len(t, c.Points, 3)
	for i, want := range []string{"safe", "unsafe", "beaten"} {
		p := c.Points[i]
		assert.Equal(t, want, p.Class)
		for _, x := range []px{p.X, p.Left, p.Right} {
			assert.True(t, figureLeft <= x && x <= figureWidth-figureRight, "%s: %v", want, x)
		}
		for _, y := range []px{p.Y, p.Up, p.Down} {
			assert.True(t, figureTop <= y && y <= figureHeight-figureBottom, "%s: %v", want, y)
		}
	}
	assert.Equal(t, 3, c.Points[1].Number)
}

// TestForecastTemplate: the page asks for nothing outside of itself.
func TestForecastTemplate(t *testing.T) {
	text := pageFile("forecast.gohtml")
	assert.NotRegexp(t, regexp.MustCompile(`https?://|src=|<link|<script`), text)
	assert.NotNil(t, forecastDocument())
}
