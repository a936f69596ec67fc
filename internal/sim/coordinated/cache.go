package coordinated

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
)

// syncPoll is how often a component looks whether its caches are filled (syncedPollPeriod in client-go's tools/cache).
const syncPoll = clock.Instant(100 * time.Millisecond)

// posted takes the answer p to one of the member's requests. A list fills the member's caches and schedules the start of its
// worker. A list that failed is asked for again. Any other answer goes to the worker (answered).
func (m *member) posted(p *post) {
	switch {
	case p.verb != machine.Get:
		m.answered(p)
	case p.status != service.StatusOK:
		m.relist()
	default:
		m.cache = p.list
		m.cacheLease(m == m.coordinator && p.lease.OK(), &p.lease.Record)
		m.scheduleOpen()
	}
}

// scheduleOpen schedules the start of the member's worker, now that its caches are filled. As in client-go, the
// component checks its caches only every syncPoll. It also marks the key if there is work, and schedules the next
// resync.
func (m *member) scheduleOpen() {
	at := m.since
	if at < m.Now {
		at += (m.Now - at + syncPoll - 1) / syncPoll * syncPoll
	}
	m.key.dirty = m.begins()
	m.opening = m.Schedule(at, openDue, m.Index)
	m.scheduleResync()
}

// scheduleResync schedules the next resync of the cached objects, one period of the member's worker from now.
func (m *member) scheduleResync() {
	m.resyncing = m.Schedule(m.Now+clock.Instant(m.period()), resyncDue, m.Index)
}

// resync marks the member's key as to be worked on if a cached LeaseCandidate asks for work or a Lease is cached, and schedules
// the next resync.
func (m *member) resync() {
	for i := range m.cache {
		if m.wants(&m.cache[i], true) {
			m.enqueue()
		}
	}
	if m.lease != nil {
		m.enqueue()
	}
	m.scheduleResync()
}
