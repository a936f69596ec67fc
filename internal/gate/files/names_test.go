package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSettingOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]setting{
		"leader-elect-lease-duration":             {leaseDuration, true, false},
		"leader-election-renew-deadline":          {renewDeadline, true, false},
		"leader-election-retry-period":            {retryPeriod, true, false},
		"leader-lease-duration":                   {leaseDuration, true, false},
		"leaderElectionLeaseDuration":             {leaseDuration, true, false},
		"LEADER_ELECTION_RETRY_PERIOD":            {retryPeriod, true, false},
		"CATTLE_ELECTION_LEASE_DURATION":          {leaseDuration, true, false},
		"controller.leader.election.retry.period": {retryPeriod, true, false},
		"leader_leaseduration":                    {leaseDuration, true, false},
		"leader-election-lease-duration-seconds":  {leaseDuration, true, true},
		"leaseDurationSeconds":                    {leaseDuration, false, true},
		"LEASE_DURATION":                          {leaseDuration, false, false},
		"lease-renew-deadline":                    {renewDeadline, false, false},
		"vip_retryperiod":                         {retryPeriod, false, false},
		"leaseRenewDuration":                      {renewDeadline, false, false},
		"leader-elect":                            {enable, true, false},
		"enable-leader-election":                  {enable, true, false},
		"LEADER_ELECTION_DISABLE":                 {disable, true, false},
		"leader-election-release-on-cancel":       {releaseOnCancel, true, false},
		"leader-elect-resource-name":              {mention, true, false},
		"node-lease-duration-seconds":             {},
		"dhcp-lease-duration":                     {},
		"node-lease-renew-interval-fraction":      {},
		"webhook-retry-period":                    {},
		"lease-reuse-duration-seconds":            {},
		"election-timeout":                        {},
		"leader-migration-config":                 {},
		"initial-election-tick-advance":           {},
		"":                                        {},
	} {
		assert.Equal(t, want, settingOf(name), name)
	}
}
