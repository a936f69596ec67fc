package sim

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
	"interregnum/internal/fabric8"
	"interregnum/internal/reuse"
	"interregnum/internal/rust"
	"interregnum/internal/wallclock"
	"interregnum/simlock"
)

// memory holds the objects that Runs begin with, such as electors and locks. They are used again in the next run of the world,
// and not before: an attempt that was left running outlives its Run.
type memory struct {
	machines reuse.Slab[machine.Machine]
	expiring reuse.Slab[ttl.Machine]
	fabric8s reuse.Slab[fabric8.Machine]
	rusts    reuse.Slab[rust.Machine]
	clients  reuse.Slab[wallclock.Machine]
	singles  reuse.Slab[simlock.Single]
	pairs    reuse.Slab[simlock.Pair]
	entries  reuse.Slab[simlock.Expiring]
	// used are what nodes keep of their clients, and waits what answers ask them to wait.
	used  reuse.Slab[clientState]
	waits reuse.Slab[time.Duration]
	// renamed is kept as it is: names do not change.
	renamed renamed
}

// reset makes the memory of the last run free for the next one. It keeps only the names in renamed.
func (m *memory) reset() {
	m.machines.Reset()
	m.expiring.Reset()
	m.fabric8s.Reset()
	m.rusts.Reset()
	m.clients.Reset()
	m.singles.Reset()
	m.pairs.Reset()
	m.entries.Reset()
	m.used.Reset()
	m.waits.Reset()
}

// renamed maps the ID of a candidate to the names of its processes, for processes that do not keep the ID as their name. Each
// list is indexed by incarnation.
type renamed map[string][]string

// after returns the name of a candidate's process that does not keep the candidate's ID: the ID, a hyphen and the
// incarnation.
func (r *renamed) after(id string, incarnation int32) string {
	names := (*r)[id]
	if int(incarnation) < len(names) {
		return names[incarnation]
	}
	for len(names) <= int(incarnation) {
		names = append(names, fmt.Sprintf("%s-%d", id, len(names)))
	}
	if *r == nil {
		*r = renamed{}
	}
	(*r)[id] = names
	return names[incarnation]
}
