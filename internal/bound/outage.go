package bound

import (
	"time"

	"interregnum/elector/machine"
)

// outage is the longest time in which every message is lost, and no leadership, whatever the phase in which it begins.
// The last request that is still sent in time to renew must find the service back. It is computed for the clock that
// runs fastest, on which all deadlines come soonest.
func (m *model) outage() time.Duration {
	trip, lost := m.most(m.answered), m.timeout
	start, budget := time.Duration(0), m.c.RenewDeadline
	if m.strict {
		// The deadline counts from the renewal before, whose answer may have been slow.
		start = max(m.c.RetryPeriod, trip)
	}
	requests := []time.Duration{2 * trip} // Get and Update
	if m.c.Profile.Renewal == machine.Optimistic {
		// The optimistic update conflicts with one that was applied before the answers ceased.
		requests = []time.Duration{3 * trip, 2 * trip}
	}
	last, found := start, false
	for begun := start; begun < budget; begun = m.again(begun, time.Duration(len(requests))*lost) {
		for i, rest := range requests {
			sent := begun + time.Duration(i)*lost
			if sent+rest < budget {
				last, found = sent, true
			}
		}
		if lost == 0 {
			break
		}
	}
	if !found {
		return 0
	}
	// It begins, at the latest, when the first request arrives that it keeps from its answer.
	return max(0, m.fast(last-start)-m.answered)
}

// again is when the next attempt begins after one that began then and took so long, all lost.
func (m *model) again(begun, took time.Duration) time.Duration {
	period := m.c.RetryPeriod
	switch {
	case m.strict:
		return begun + max(period, took)
	case m.c.Profile.Ticks == machine.TicksDropped && begun == 0:
		return took + period
	case m.c.Profile.Ticks == machine.TicksDropped:
		return begun + (took/period+1)*period
	}
	if tick := m.nextTick(begun); begun+took < tick {
		return tick
	}
	return begun + took
}
