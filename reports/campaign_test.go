package reports_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/reporttest"
	"interregnum/internal/search"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/page"
	"interregnum/reports/text"
)

func campaignPage(t *testing.T, c *reports.Campaign) string {
	var b bytes.Buffer
	require.NoError(t, page.Campaign(&b, c, c.Command(&search.Header{})))
	return b.String()
}

// TestCampaignBlind: what was not seen and should have been cannot be missed, in any form.
func TestCampaignBlind(t *testing.T) {
	c := reporttest.Campaign(machine.Strict)
	c.Summary.Runs, c.Summary.Witnesses = 1_000_000, map[string]int{}
	assert.Equal(t, "blind", c.Verdict())
	html := campaignPage(t, c)
	assert.True(t, strings.Contains(html, "Blind: no run showed "+check.AnswerLostAfterApply))
	assert.True(t, strings.Contains(html, `<p id="verdict" class="verdict bad">blind: `))
	assert.Equal(t, len(c.Blind()), strings.Count(html, `<tr class="blind">`))

	var plain, junit, markdown bytes.Buffer
	require.NoError(t, text.Campaign(&plain, c))
	require.NoError(t, finding.CampaignJUnit(&junit, []*reports.Campaign{c}))
	require.NoError(t, finding.CampaignMarkdown(&markdown, c))
	assert.Contains(t, plain.String(), "blind: no run showed "+check.AnswerLostAfterApply)
	assert.Contains(t, markdown.String(), "### Search, strict: blind")
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	require.NoError(t, xml.Unmarshal(junit.Bytes(), &suites))
	assert.Equal(t, 1, suites.Failures)
}

// TestCampaignNamesFromFiles stand as text in every form.
func TestCampaignNamesFromFiles(t *testing.T) {
	c := reporttest.Campaign(machine.Strict)
	c.Summary.Add(&search.Block{Failures: []search.Failure{{Properties: []string{"<script>\x1b[31m\u202e"}}}})
	var plain, markdown bytes.Buffer
	require.NoError(t, text.Campaign(&plain, c))
	require.NoError(t, finding.CampaignMarkdown(&markdown, c))
	for _, shown := range []string{plain.String(), markdown.String(), campaignPage(t, c)} {
		assert.False(t, strings.ContainsAny(shown, "\x1b\u202e"))
	}
	assert.False(t, strings.Contains(campaignPage(t, c), "<script"))
}
