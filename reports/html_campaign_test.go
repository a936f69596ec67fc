package reports

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/search"
)

// madeUp is a campaign of one block that is run, and of numbers that are set.
func madeUp(profile machine.Profile) *Campaign {
	t := &search.Target{Profile: profile, Limits: draw.Limits{MaxRoundTrip: 3 * time.Second}}
	s := search.NewSummary()
	s.Add(t.Run(0))
	return &Campaign{Target: t, Summary: s}
}

func campaignPage(t *testing.T, c *Campaign) string {
	var b bytes.Buffer
	require.NoError(t, CampaignHTML(&b, c, c.Command(&search.Header{})))
	return b.String()
}

func TestCampaignPage(t *testing.T) {
	c := madeUp(machine.ClientGo)
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

// TestCampaignBlind: what was not seen and should have been cannot be missed, in any form.
func TestCampaignBlind(t *testing.T) {
	c := madeUp(machine.Strict)
	c.Summary.Runs, c.Summary.Witnesses = 1_000_000, map[string]int{}
	assert.Equal(t, "blind", c.Verdict())
	page := campaignPage(t, c)
	assert.True(t, strings.Contains(page, "Blind: no run showed "+check.AnswerLostAfterApply))
	assert.True(t, strings.Contains(page, `<p id="verdict" class="verdict bad">blind: `))
	assert.Equal(t, len(c.Blind()), strings.Count(page, `<tr class="blind">`))

	var text, junit, markdown bytes.Buffer
	require.NoError(t, CampaignText(&text, c))
	require.NoError(t, CampaignJUnit(&junit, []*Campaign{c}))
	require.NoError(t, CampaignMarkdown(&markdown, c))
	assert.Contains(t, text.String(), "blind: no run showed "+check.AnswerLostAfterApply)
	assert.Contains(t, markdown.String(), "### Search, strict: blind")
	var suites junitRuns
	require.NoError(t, xml.Unmarshal(junit.Bytes(), &suites))
	assert.Equal(t, 1, suites.Failures)
}

// TestCampaignVacant: crashes after which nobody ever worked again are told, also where there were no others.
func TestCampaignVacant(t *testing.T) {
	c := &Campaign{Target: madeUp(machine.Strict).Target, Summary: search.NewSummary()}
	assert.Empty(t, c.failoverLine())
	c.Summary.Vacant = 3
	assert.Equal(t, "failover: after all 3 crashes of a leader nobody worked before the run had ended", c.failoverLine())
}

// TestCampaignSorts: the longest overlap first, and runs that did not end apart from those that violated something.
func TestCampaignSorts(t *testing.T) {
	c := madeUp(machine.Strict)
	b := &search.Block{Failures: []search.Failure{
		{Seed: 1, Properties: []string{check.Liveness}}, {Seed: 2, Properties: []string{check.SingleWork}, OverlapNs: 5},
		{Seed: 3, Properties: []string{check.SingleWork}, OverlapNs: 9}, {Seed: 4, Error: "stands still"},
	}}
	c.Summary.Add(b)
	sorts := c.Sorts()
	require.Len(t, sorts, 3)
	assert.Equal(t, search.Sort{Runs: 2, OverlapNs: 9, Seed: 3}, sorts[0].Sort)
	assert.EqualValues(t, 1, c.stuck())
	assert.EqualValues(t, 2, c.violating(check.SingleWork))
	shares := c.shares()
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

// TestCampaignNamesFromFiles stand as text in every form.
func TestCampaignNamesFromFiles(t *testing.T) {
	c := madeUp(machine.Strict)
	c.Summary.Add(&search.Block{Failures: []search.Failure{{Properties: []string{"<script>\x1b[31m\u202e"}}}})
	var text, markdown bytes.Buffer
	require.NoError(t, CampaignText(&text, c))
	require.NoError(t, CampaignMarkdown(&markdown, c))
	for _, shown := range []string{text.String(), markdown.String(), campaignPage(t, c)} {
		assert.False(t, strings.ContainsAny(shown, "\x1b\u202e"))
	}
	assert.False(t, strings.Contains(campaignPage(t, c), "<script"))
}
