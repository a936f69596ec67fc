package explore

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// lockKey names the one lock object.
const lockKey = "lock"

// epoch is the wall clock's reading at the start, a whole second as in the simulator.
var epoch = machine.WallOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// world is one state. Worlds share what they have in common: a node is copied before it changes.
type world struct {
	cfg   *Config
	now   time.Duration
	store *simlock.Store
	nodes [maxCandidates]*node
	// mine are the nodes that no other world has.
	mine  [maxCandidates]bool
	trail *trail
	// at work on it is a worker, with what a step needs.
	*scratch
}

// scratch is what a step needs, and spare nodes.
type scratch struct {
	out   []machine.Output
	input machine.Input
	// replied: input holds an answer that came at once. workOver: so did the end of the work.
	replied, workOver bool
	spare             []*node
}

// timer is armed for an instant.
type timer struct {
	armed bool
	at    time.Duration
}

const (
	// requestTimer follows the machine's own, and startTimer is the start of the process.
	requestTimer = machine.Timers + iota
	startTimer
	timers
)

// node is one candidate.
type node struct {
	index   int
	machine machine.Machine
	lock    simlock.Single
	timers  [timers]timer
	// wait is its jittered wait.
	wait time.Duration
	// start is when it starts.
	start time.Duration
	// running: Run is in progress. working: so is the work, since an instant.
	running, working bool
	since            time.Duration
	// cut: its last request was lost. hit: a fault was on it.
	cut, hit bool
	// waiting: it waits for the answer to a request, which the machine calls asked.
	waiting  bool
	asked    uint64
	verb     machine.Verb
	messages []message
	// requests counts what it asked for.
	requests int
}

// ids are the candidates' names.
var ids = [maxCandidates]string{"a", "b", "c", "d"}

// newWorld has candidates that start when, and wait for as long as, it is told.
func newWorld(c *Config, starts, waits []time.Duration) *world {
	w := &world{cfg: c, store: &simlock.Store{}}
	for i := range c.Candidates {
		n := &node{index: i}
		w.nodes[i] = n
		n.machine = machine.New(machine.Config{
			Timings: c.Timings, Identity: ids[i], ReleaseOnCancel: c.ReleaseOnCancel, Profile: c.Profile,
		})
		n.lock, n.wait, n.start = simlock.Single{Key: lockKey}, waits[i], starts[i]
		n.timers[startTimer] = timer{true, starts[i]}
	}
	return w
}

// all returns the candidates of the world.
func (w *world) all() []*node { return w.nodes[:w.cfg.Candidates] }

// clone returns another world that shares all with this one. A node, or the store, is copied when one of them changes it.
func (w *world) clone() *world {
	w.mine = [maxCandidates]bool{}
	c := *w
	return &c
}

// own returns a node that the world may change, and copies it first where other worlds share it.
func (w *world) own(i int) *node {
	if w.mine[i] {
		return w.nodes[i]
	}
	n := w.fresh()
	messages := n.messages[:0]
	*n = *w.nodes[i]
	n.messages = append(messages, n.messages...)
	w.nodes[i], w.mine[i] = n, true
	return n
}

// fresh returns a node to be overwritten, one that was given back if there is any.
func (s *scratch) fresh() *node {
	last := len(s.spare) - 1
	if last < 0 {
		return &node{}
	}
	n := s.spare[last]
	s.spare = s.spare[:last]
	return n
}

// discard gives back the nodes that only this world has.
func (w *world) discard() {
	for i, n := range w.all() {
		if w.mine[i] {
			w.spare = append(w.spare, n)
		}
	}
}

// clocks returns the readings of a candidate's clocks, which have neither drift nor offset.
func (w *world) clocks() machine.Now {
	return machine.Now{Wall: epoch + machine.Wall(w.now), Mono: machine.Mono(w.now)}
}

// step gives a candidate's machine an input, and then each input that follows from its outputs without time passing.
func (w *world) step(n *node, in *machine.Input) {
	for {
		w.replied = false
		w.out = n.machine.Step(w.clocks(), in, w.out[:0])
		for i := range w.out {
			w.do(n, &w.out[i])
		}
		switch {
		case w.replied:
		case w.workOver:
			w.workOver = false
			w.input = machine.Input{Kind: machine.WorkReturned}
		default:
			return
		}
		in = &w.input
	}
}

// do carries out one output of a machine.
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
		n.working, w.workOver = false, true
	case machine.Return:
		n.running = false
		n.forget()
		if w.cfg.Rerun {
			n.machine.Again()
			n.timers[startTimer] = timer{true, w.now + w.cfg.Grid}
		}
	}
}

// send makes a request, whose fate is open.
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

// giveUp ends a candidate's wait for an answer; the machine's next input, that the request failed, is left in w.input.
func (w *world) giveUp(n *node) {
	n.lock.Failed(n.verb)
	w.input = machine.Input{
		Kind: machine.Responded, Response: machine.Response{ID: n.asked, Outcome: machine.Failed},
	}
	n.forget()
	w.replied = true
}

// forget ends a candidate's wait for an answer. A write that is on its way still arrives; a read is dropped.
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

// arrive has a request arrive at the service, which applies it at once unless its fate is an error, and sends the answer.
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

// version is that of the record in the store, 0 where there is none.
func (w *world) version() uint64 {
	get, in := simlock.Op{Verb: machine.Get, Key: lockKey}, simlock.Result{}
	w.store.ApplyTo(&get, &in)
	return in.Version
}

// refusedStatus is the status of an error.
const refusedStatus = 500

// refuse has an error arrive at the candidate instead of the open fate's answer, whether the request was applied or not.
func (w *world) refuse(n *node, i int) {
	m := &n.messages[i]
	m.result = simlock.Result{Status: refusedStatus}
	w.note(n, &trail{request: m.request, event: failed})
	m.fate.kind, n.cut = refused, false
	w.answer(n, i)
}

// answer has an answer arrive at the candidate.
func (w *world) answer(n *node, i int) {
	m := n.messages[i]
	n.messages = slices.Delete(n.messages, i, i+1)
	n.waiting = false
	n.timers[requestTimer] = timer{}
	if m.fate.kind == open {
		n.cut = false
		w.note(n, &trail{request: m.request, event: replied})
	}
	in := machine.Input{Kind: machine.Responded}
	in.Response.ID = n.asked
	in.Response.Outcome = n.lock.Answered(m.op.Verb, &m.result)
	in.Response.Object = n.lock.Life()
	if m.op.Verb == machine.Get && m.result.OK() {
		in.Response.Record = &m.result.Record
	}
	w.step(n, &in)
}

// fire handles a timer of a candidate that is due: its start, the timeout of its request, or one of its machine.
func (w *world) fire(n *node, t int) {
	n.timers[t] = timer{}
	switch t {
	case startTimer:
		n.running = true
		w.step(n, &machine.Input{Kind: machine.Started})
	case requestTimer:
		w.giveUp(n)
		w.step(n, &w.input)
	default:
		w.step(n, &machine.Input{Kind: machine.Fired, Timer: machine.Timer(t)})
	}
}
