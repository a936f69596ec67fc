package text

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	_ "interregnum/internal/few/garbage"
	"interregnum/internal/search"
	"interregnum/reports"
)

// TestCampaignVacant: crashes after which nobody ever worked again are told, also where there were no others.
func TestCampaignVacant(t *testing.T) {
	c := &reports.Campaign{Target: &search.Target{Profile: machine.Strict}, Summary: search.NewSummary()}
	assert.Empty(t, failoverLine(c))
	c.Summary.Vacant = 3
	assert.Equal(t, "failover: after all 3 crashes of a leader nobody worked before the run had ended", failoverLine(c))
}
