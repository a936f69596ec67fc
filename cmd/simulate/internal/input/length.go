package input

import (
	"maps"
	"slices"
	"time"

	"interregnum/scenarios"
)

// MaxRenewals is how many renewals of a run are kept. With the result and the picture that they belong to, they take a gigabyte.
const MaxRenewals = 2_000_000

// Renewals returns how often the locks of a scenario are renewed until the horizon, if all elections have a leader all the time and
// it is the one with the shortest RetryPeriod.
func Renewals(s *scenarios.Scenario) int {
	shortest := map[string]time.Duration{}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if period, known := shortest[c.Election]; !known || c.RetryPeriod < period {
			shortest[c.Election] = c.RetryPeriod
		}
	}
	all := 0
	for _, period := range slices.Sorted(maps.Values(shortest)) {
		all += int(s.Horizon / max(period, 1))
	}
	return all
}
