package files

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSettingOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]setting{
		"leader-elect-lease-duration":                     {leaseDuration, true, 0},
		"leader-election-renew-deadline":                  {renewDeadline, true, 0},
		"leader-election-retry-period":                    {retryPeriod, true, 0},
		"leader-lease-duration":                           {leaseDuration, true, 0},
		"leaderElectionLeaseDuration":                     {leaseDuration, true, 0},
		"LEADER_ELECTION_RETRY_PERIOD":                    {retryPeriod, true, 0},
		"CATTLE_ELECTION_LEASE_DURATION":                  {leaseDuration, true, 0},
		"controller.leader.election.retry.period":         {retryPeriod, true, 0},
		"leader_leaseduration":                            {leaseDuration, true, 0},
		"leader-election-lease-duration-seconds":          {leaseDuration, true, time.Second},
		"leaseDurationSeconds":                            {leaseDuration, false, time.Second},
		"LEASE_DURATION":                                  {leaseDuration, false, 0},
		"lease-renew-deadline":                            {renewDeadline, false, 0},
		"vip_retryperiod":                                 {retryPeriod, false, 0},
		"leaseRenewDuration":                              {renewDeadline, false, 0},
		"leader-elect":                                    {enable, true, 0},
		"enable-leader-election":                          {enable, true, 0},
		"LEADER_ELECTION_DISABLE":                         {disable, true, 0},
		"leader-election-release-on-cancel":               {releaseOnCancel, true, 0},
		"leader-elect-resource-name":                      {mention, true, 0},
		"node-lease-duration-seconds":                     {},
		"dhcp-lease-duration":                             {},
		"node-lease-renew-interval-fraction":              {},
		"webhook-retry-period":                            {},
		"lease-reuse-duration-seconds":                    {},
		"election-timeout":                                {},
		"leader-migration-config":                         {},
		"initial-election-tick-advance":                   {},
		"STRIMZI_LEADER_ELECTION_ENABLED":                 {enable, true, 0},
		"STRIMZI_LEADER_ELECTION_LEASE_DURATION_MS":       {leaseDuration, true, time.Millisecond},
		"applicationsetcontroller.enable.leader.election": {enable, true, 0},
		"controller.leaderElection.enabled":               {enable, true, 0},
		"election-ttl":                                    {electionTTL, true, 0},
		"election-id":                                     {mention, true, 0},
		"leader-lease-renew-deadline":                     {renewDeadline, true, 0},
		"leader-retry-duration":                           {otherTiming, false, 0},
		"leader-retry-interval-secs":                      {otherTiming, false, time.Second},
		"leader-migration-interval":                       {},
		"":                                                {},
	} {
		assert.Equal(t, want, settingOf(name), name)
	}
}
