package setting

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSettingOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Setting{
		"leader-elect-lease-duration":                     {LeaseDuration, true, 0},
		"leader-election-renew-deadline":                  {RenewDeadline, true, 0},
		"leader-election-retry-period":                    {RetryPeriod, true, 0},
		"leader-lease-duration":                           {LeaseDuration, true, 0},
		"leaderElectionLeaseDuration":                     {LeaseDuration, true, 0},
		"LEADER_ELECTION_RETRY_PERIOD":                    {RetryPeriod, true, 0},
		"CATTLE_ELECTION_LEASE_DURATION":                  {LeaseDuration, true, 0},
		"controller.leader.election.retry.period":         {RetryPeriod, true, 0},
		"leader_leaseduration":                            {LeaseDuration, true, 0},
		"leader-election-lease-duration-seconds":          {LeaseDuration, true, time.Second},
		"leaseDurationSeconds":                            {LeaseDuration, false, time.Second},
		"LEASE_DURATION":                                  {LeaseDuration, false, 0},
		"lease-renew-deadline":                            {RenewDeadline, false, 0},
		"vip_retryperiod":                                 {RetryPeriod, false, 0},
		"leaseRenewDuration":                              {RenewDeadline, false, 0},
		"leader-elect":                                    {Enable, true, 0},
		"enable-leader-election":                          {Enable, true, 0},
		"LEADER_ELECTION_DISABLE":                         {Disable, true, 0},
		"leader-election-release-on-cancel":               {ReleaseOnCancel, true, 0},
		"leader-elect-resource-name":                      {Mention, true, 0},
		"node-lease-duration-seconds":                     {},
		"dhcp-lease-duration":                             {},
		"node-lease-renew-interval-fraction":              {},
		"webhook-retry-period":                            {},
		"lease-reuse-duration-seconds":                    {},
		"election-timeout":                                {},
		"leader-migration-config":                         {},
		"initial-election-tick-advance":                   {},
		"STRIMZI_LEADER_ELECTION_ENABLED":                 {Enable, true, 0},
		"STRIMZI_LEADER_ELECTION_LEASE_DURATION_MS":       {LeaseDuration, true, time.Millisecond},
		"applicationsetcontroller.enable.leader.election": {Enable, true, 0},
		"controller.leaderElection.enabled":               {Enable, true, 0},
		"election-ttl":                                    {ElectionTTL, true, 0},
		"election-id":                                     {Mention, true, 0},
		"leader-lease-renew-deadline":                     {RenewDeadline, true, 0},
		"leader-retry-duration":                           {OtherTiming, false, 0},
		"leader-retry-interval-secs":                      {OtherTiming, false, time.Second},
		"leader-migration-interval":                       {},
		"":                                                {},
	} {
		assert.Equal(t, want, Of(name), name)
	}
}
