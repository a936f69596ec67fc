package coordinated

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/service"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// mail numbers a post and sends it to the service, unless it is lost.
func (m *member) mail(p post) {
	m.sent++
	p.from, p.incarnation, p.id = m, m.Incarnation, m.sent
	lost, takes := m.Network.Carry(&m.Line, plan.RequestLeg, simlock.Lease)
	if lost {
		m.lost(&p)
		return
	}
	m.Schedule(m.Now+takes, postDue, m.posts.Put(p))
}

// deliver handles a post that arrives at the service: it is executed or refused, and its answer sent back.
func (w *World) deliver(ref int32) {
	p := w.posts.At(ref)
	m := p.from
	op := simlock.Op{Verb: p.verb, Object: simlock.Lease}
	status, applied := w.Network.Refuses(&m.Line, &op)
	if status == 0 || applied {
		w.execute(p)
	}
	if status != 0 {
		p.status = status
	}
	lost, takes := w.Network.Carry(&m.Line, plan.ResponseLeg, simlock.Lease)
	if lost {
		m.lost(p)
		w.posts.Free(ref)
		return
	}
	at := w.Now + takes
	if p.verb == machine.Get {
		m.told = max(m.told, at)
	}
	w.Schedule(at, postAnswered, ref)
}

// lost is called where a post or its answer is lost: a list is sent again later, for all else whoever waits gives up.
func (m *member) lost(p *post) {
	if p.verb == machine.Get && p.incarnation == m.Incarnation {
		m.relist()
	}
}

// relist lists again after a while. A reflector waits from 0.8 s on, by random factors. Here it is a second.
func (m *member) relist() {
	m.watching = false
	m.Schedule(m.Now+reconnect, relistDue, m.Index)
}

// execute executes a post in the service and fills in its answer.
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
