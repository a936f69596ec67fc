package world

import (
	"net/http"

	"interregnum/plan"
)

// Discovery takes no virtual time: clients ask which resources there are while they hold a mutex (a RESTMapper does), and
// whoever waits for that would stand time still. So it has its answer at once, whatever the network's delays; where a message
// would be lost now, it fails at once.

// discovers tells whether a request is a GET that names no resource, as in API discovery.
func discovers(q *http.Request) bool {
	_, resource, _ := split(q.URL.Path)
	return q.Method == http.MethodGet && resource == ""
}

// discover answers a request for API discovery, without any virtual time passing. It returns errUnreached if the request or its
// answer would be lost now, and the answer of ended if the run is over. For a process that is gone, or that sends requests
// without end at one instant, it returns what silence does.
func (m *message) discover() (*http.Response, error) {
	p, q := m.process, m.request
	w := p.node.world
	w.bubble.Sent()
	w.mu.Lock()
	if p.node.spins() || p.gone() {
		w.mu.Unlock()
		return p.silence(q)
	}
	m.call = &call{part: p.parts[0], verb: "get", about: "discovery"}
	there := w.leg(m.call, plan.RequestLeg)
	back := w.leg(m.call, plan.ResponseLeg)
	w.mu.Unlock()
	switch {
	case w.isOver():
		return ended(q), nil
	case there.Lost || back.Lost:
		return nil, errUnreached
	}
	r := m.execute()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notServed(q, r)
	return r, nil
}
