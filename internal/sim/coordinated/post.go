package coordinated

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
	"interregnum/plan"
	"interregnum/simlock"
)

// mail numbers the request p, enters its sender, and sends it to the service. Whether the network loses it, and how long it
// takes, is drawn. If it is lost, lost is called at once.
func (m *member) mail(p post) {
	m.sent++
	p.from, p.incarnation, p.id = m, m.Incarnation, m.sent
	way := m.Network.Carry(&m.Line, plan.RequestLeg, simlock.Lease)
	if way.Lost {
		m.lost(&p)
		return
	}
	m.Schedule(m.Now+clock.Instant(way.Delay), postDue, m.posts.Put(p))
}

// deliver handles the arrival at the service of the request numbered ref: the service executes it, refuses it, or executes it and
// yet answers with an error. It schedules the arrival of the answer. If the network loses the answer, it calls lost and frees the
// request.
func (w *World) deliver(ref int32) {
	p := w.posts.At(ref)
	m := p.from
	op := simlock.Op{Verb: p.verb, Object: simlock.Lease}
	refused := w.Network.Refuses(&m.Line, &op)
	if refused.Status == 0 || refused.Applied {
		w.execute(p)
	}
	if refused.Status != 0 {
		p.status = refused.Status
	}
	way := w.Network.Carry(&m.Line, plan.ResponseLeg, simlock.Lease)
	if way.Lost {
		m.lost(p)
		w.posts.Free(ref)
		return
	}
	at := w.Now + clock.Instant(way.Delay)
	if p.verb == machine.Get {
		m.told = max(m.told, at)
	}
	w.Schedule(at, postAnswered, ref)
}

// lost is called when the request p of the member, or its answer, is lost. A list is asked for again later, unless the process
// has ended. Any other loss shows only by the answer that does not come.
func (m *member) lost(p *post) {
	if p.verb == machine.Get && p.incarnation == m.Incarnation {
		m.relist()
	}
}

// relist ends the member's watch, and schedules that it asks for the list again after a second (reconnect). A real reflector
// waits 0.8 s or more, by random factors.
func (m *member) relist() {
	m.watching = false
	m.Schedule(m.Now+reconnect, relistDue, m.Index)
}

// execute executes the request p in the service and stores the answer in p. After a list, the service tells the sender of all
// changes.
func (w *World) execute(p *post) {
	m := p.from
	if p.verb != machine.Get {
		var changed bool
		if p.status, changed = w.Service.Nominate(w.Now, p.verb, &p.object); changed {
			w.tellCandidacy(m, &p.object)
		}
		return
	}
	name := m.Identity
	if m == w.coordinator {
		name, p.lease = "", w.Service.Lease()
	}
	p.status, p.list = service.StatusOK, w.Service.Candidacies(name)
	m.watching = true
}
