package page

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/reporttest"
	"interregnum/internal/search"
	"interregnum/reports"
)

func campaignPage(t *testing.T, c *reports.Campaign) string {
	var b bytes.Buffer
	require.NoError(t, Campaign(&b, c, c.Command(&search.Header{})))
	return b.String()
}

func TestCampaignPage(t *testing.T) {
	c := reporttest.Campaign(machine.ClientGo)
	require.NotZero(t, c.Summary.Failovers.Count())
	delete(c.Summary.Witnesses, check.LateAnswer)
	page := campaignPage(t, c)
	assert.Equal(t, page, campaignPage(t, c))
	assert.False(t, strings.Contains(page, "<script"))
	assert.False(t, strings.Contains(page, "http://"))
	assert.False(t, strings.Contains(page, "ZgotmplZ"), "nothing that the template refuses")
	assert.True(t, strings.Contains(page, "default-src &#39;none&#39;; style-src &#39;sha256-"))
	assert.True(t, strings.Contains(page, "simulate search --max-round-trip=3s --runs=64"))
	assert.True(t, strings.Contains(page, "the search is too short to judge"))
	assert.Less(t, len(page), 200_000)
}

// TestCampaignSorts: the longest overlap first, and runs that did not end apart from those that violated something.
func TestCampaignSorts(t *testing.T) {
	c := reporttest.Campaign(machine.Strict)
	b := &search.Block{Failures: []search.Failure{
		{Seed: 1, Properties: []string{check.Liveness}}, {Seed: 2, Properties: []string{check.SingleWork}, OverlapNs: 5},
		{Seed: 3, Properties: []string{check.SingleWork}, OverlapNs: 9}, {Seed: 4, Error: "stands still"},
	}}
	c.Summary.Add(b)
	sorts := c.Sorts()
	require.Len(t, sorts, 3)
	assert.Equal(t, search.Sort{Runs: 2, OverlapNs: 9, Seed: 3}, sorts[0].Sort)
	assert.EqualValues(t, 1, c.Stuck())
	assert.EqualValues(t, 2, c.Violating(check.SingleWork))
	shares := shares(c)
	assert.Equal(t, []string{"124", "3", "1"}, []string{shares[0].Runs, shares[1].Runs, shares[2].Runs})
}

// TestFrontiers: the map is what the gate computes, with the search's own lease and round trip on it.
func TestFrontiers(t *testing.T) {
	target := &search.Target{Profile: machine.ClientGo, Timings: usualTimings,
		Limits: draw.Limits{MaxRoundTrip: 5 * time.Second}}
	maps := newFrontiers(target)
	require.Len(t, maps, 2)
	own := 0
	for _, row := range maps[0].Leases {
		for _, cell := range row.Cells {
			if cell.Own {
				own++
				assert.Equal(t, frontierCell{Text: "−10s", Class: "u3", Title: "two leaders at once for up to 10s", Own: true}, cell)
			}
		}
	}
	assert.Equal(t, 1, own)
	assert.Len(t, newFrontiers(&search.Target{Profile: machine.Strict}), 1, "strict is as safe with a release")
	target.Limits.MaxPause = 20_000 * time.Hour
	assert.Empty(t, newFrontiers(target), "beyond the arithmetic")
}

func TestMarginTexts(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		0: {"+0ms", "s1"}, -time.Millisecond: {"−1ms", "u1"}, 1500 * time.Millisecond: {"+1.5s", "s2"},
		-2700 * time.Millisecond: {"−2.7s", "u3"}, 250 * time.Second: {"+250s", "s3"},
	} {
		assert.Equal(t, want, [2]string{marginText(d), marginClass(d, 10*time.Second)})
	}
}
