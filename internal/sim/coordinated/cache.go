package coordinated

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
)

// syncPoll is how often a component looks whether its caches are filled (syncedPollPeriod in client-go's tools/cache).
const syncPoll = clock.Instant(100 * time.Millisecond)

// posted handles the answer to a post that has arrived at the member. A list fills its caches.
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

// scheduleOpen has the worker begin at its next look at the caches. They are filled now, but the component looks only
// every syncPoll.
func (m *member) scheduleOpen() {
	at := m.since
	if at < m.Now {
		at += (m.Now - at + syncPoll - 1) / syncPoll * syncPoll
	}
	m.key.dirty = m.begins()
	m.opening = m.Schedule(at, openDue, m.Index)
	m.scheduleResync()
}

func (m *member) scheduleResync() {
	m.resyncing = m.Schedule(m.Now+clock.Instant(m.period()), resyncDue, m.Index)
}

// resync hands the cached objects to their handlers once more, which may mark the key.
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
