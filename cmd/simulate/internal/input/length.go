package input

import (
	"time"

	"interregnum/scenarios"
)

// MaxRenewals is how many renewals of a run are kept. With the result and the picture that they belong to, they take a gigabyte.
const MaxRenewals = 2_000_000

// Renewals returns how often the locks of a scenario are renewed until the horizon, if each election has a leader from when its first
// candidate starts, and always the one with the shortest RetryPeriod.
func Renewals(s *scenarios.Scenario) (all int) {
	type election struct{ starts, period time.Duration }
	of := map[string]election{}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		e, known := of[c.Election]
		if !known {
			e = election{s.Horizon, max(1, c.RetryPeriod)}
		}
		of[c.Election] = election{min(e.starts, c.StartAt), min(e.period, max(1, c.RetryPeriod))}
	}
	for _, e := range of {
		all += int((s.Horizon - e.starts) / e.period)
	}
	return all
}
