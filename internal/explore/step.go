package explore

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// step gives a candidate's machine an input, and then each input that follows from its outputs at the same instant.
func (w *world) step(n *node, in *machine.Input) {
	for ; in != nil; in = w.Follows() {
		out := w.Take(&n.machine, w.clocks(), in)
		for i := range out {
			w.do(n, &out[i])
		}
	}
}

// do carries out one output of the node's machine. If that brings an answer at once, do leaves it in w.Input and sets w.Replied.
// If it ends the work at once, do sets w.WorkOver. With Rerun, the end of a Run schedules the next one. do ignores what only
// reports something.
func (w *world) do(n *node, o *machine.Output) {
	switch o.Kind {
	case machine.SetTimer:
		wait := o.Wait
		if o.Jitter {
			wait = n.wait
		}
		n.timers[o.Timer] = timer{true, max(time.Duration(o.At)+wait, w.now)}
	case machine.StopTimer:
		n.timers[o.Timer] = timer{}
	case machine.Send:
		w.send(n, o.Request)
	case machine.Abandon:
		w.giveUp(n)
	case machine.StartWork:
		n.working, n.since = true, w.now
	case machine.StopWork:
		n.working, w.WorkOver = false, true
	case machine.Return:
		n.running = false
		n.forget()
		if w.cfg.Rerun {
			n.machine.Again()
			n.timers[startTimer] = timer{true, w.now + w.cfg.Grid}
		}
	}
}

// send adds a request to the node's messages, and arms the request's timeout, if the configuration has one; the request's fate
// is not chosen yet. A request that cannot be sent fails at once.
func (w *world) send(n *node, r *machine.Request) {
	n.requests++
	n.waiting, n.asked, n.verb = true, r.ID, r.Verb
	m := message{unsettled: true, awaited: true, at: w.now, request: n.requests}
	if !n.lock.Prepare(r.Verb, &r.Record, &m.op) || r.Ended {
		w.giveUp(n)
		return
	}
	n.messages = append(n.messages, m)
	if w.cfg.RequestTimeout > 0 {
		n.timers[requestTimer] = timer{true, w.now + w.cfg.RequestTimeout}
	}
}

// giveUp ends the node's wait for an answer. It leaves the machine's next input, that the request has failed, in w.Input, and
// sets w.Replied.
func (w *world) giveUp(n *node) {
	n.lock.Failed(n.verb)
	w.Reply(n.asked, machine.Failed)
	n.forget()
}

// forget ends the node's wait for an answer, and stops the timeout of the request. A write on its way still arrives, unless it
// is to be refused, and nobody waits for its answer. A read is dropped, and so is an answer.
func (n *node) forget() {
	n.waiting = false
	n.timers[requestTimer] = timer{}
	n.messages = slices.DeleteFunc(n.messages, func(m message) bool {
		return m.answer || m.op.Verb == machine.Get || m.fate.kind == refused
	})
	for i := range n.messages {
		m := &n.messages[i]
		m.awaited, m.fate.back = false, 0
		if m.fate.kind == hidden {
			m.fate.kind = answered
		}
	}
}

// arrive lets the node's i-th message arrive at the service. The service applies it at once, unless its fate is to be
// refused. It sends its answer, unless that is to be lost or nobody waits for it.
func (w *world) arrive(n *node, i int) {
	m := &n.messages[i]
	switch {
	case m.fate.kind == refused:
		m.result = simlock.Result{Status: refusedStatus}
	case m.op.Verb == machine.Get:
		w.store.ApplyTo(&m.op, &m.result)
	default:
		w.store = w.store.Clone()
		w.store.ApplyTo(&m.op, &m.result)
	}
	switch m.fate.kind {
	case hidden:
		m.result = simlock.Result{Status: refusedStatus}
	case open:
		w.note(n, &trail{request: m.request, event: reached})
	}
	if m.fate.kind == unheard || !m.awaited {
		n.messages = slices.Delete(n.messages, i, i+1)
		return
	}
	m.answer = true
	if m.fate.kind != open {
		m.at = w.now + m.fate.back
	}
}

// refusedStatus is the HTTP status of every error.
const refusedStatus = 500

// refuse lets an error arrive at the node as the answer to its i-th message, whose fate was open; the node is no longer cut.
// The request was applied if it has arrived before, and not otherwise.
func (w *world) refuse(n *node, i int) {
	m := &n.messages[i]
	m.result = simlock.Result{Status: refusedStatus}
	w.note(n, &trail{request: m.request, event: failed})
	m.fate.kind, n.cut = refused, false
	w.answer(n, i)
}

// answer lets the answer to the node's i-th message arrive, and runs the node's machine with it. If the message's fate was
// open, the node is no longer cut, and the trail gets the event replied.
func (w *world) answer(n *node, i int) {
	m := n.messages[i]
	n.messages = slices.Delete(n.messages, i, i+1)
	n.waiting = false
	n.timers[requestTimer] = timer{}
	if m.fate.kind == open {
		n.cut = false
		w.note(n, &trail{request: m.request, event: replied})
	}
	w.Reply(n.asked, n.lock.Answered(m.op.Verb, &m.result))
	w.Input.Response.Object = n.lock.Life()
	if m.op.Verb == machine.Get && m.result.OK() {
		w.Input.Response.Record = &m.result.Record
	}
	w.step(n, &w.Input)
}

// fire disarms the timer t of the node, which is due. The start begins a Run, the timeout of a request fails it, and any other
// timer is an input of the machine.
func (w *world) fire(n *node, t int) {
	n.timers[t] = timer{}
	switch t {
	case startTimer:
		n.running = true
		w.step(n, &machine.Input{Kind: machine.Started})
	case requestTimer:
		w.giveUp(n)
		w.step(n, &w.Input)
	default:
		w.step(n, &machine.Input{Kind: machine.Fired, Timer: machine.Timer(t)})
	}
}
