package ttl_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
)

// world is a key, the candidates for it and a network that delays and loses, all on one true clock. It is as small as may be,
// and watches the candidates from outside.
type world struct {
	t require.TestingT
	// pick draws from [low, high].
	pick func(low, high int64) int64

	now    machine.Mono
	events []event
	seq    int

	entry      entry
	tokens     uint64
	changes    int // of the entry, expiry included
	candidates []*candidate
	watches    bool

	terms, adopted int
	// overlaps are the times at which a second candidate was at work.
	overlaps []string
	// fenced is the highest token that anybody has begun to work with.
	fenced uint64
}

type entry struct {
	owner   owner
	token   uint64
	expires machine.Mono
}

// owner is what a Lock owns between two releases.
type owner struct{ candidate, generation int }

type event struct {
	at  machine.Mono
	seq int
	do  func()
}

type candidate struct {
	w     *world
	index int
	m     ttl.Machine
	guard guard
	drain time.Duration
	out   []machine.Output

	timers [machine.Timers]int // the seq of what fires it, 0 where disarmed
	// inFlight and watching are the requests whose answers are wanted.
	inFlight, watching uint64
	own                owner
	token              uint64 // what the Lock knows of its entry
	seen               int    // the changes before its last answer
	working            bool
	terms              int
}

func newWorld(t require.TestingT, profile machine.Profile, pick func(low, high int64) int64) *world {
	w := &world{t: t, pick: pick, watches: pick(0, 1) == 1}
	for i := range 3 {
		rp := w.upTo(3*time.Second, time.Second)
		rd := w.upTo(14*time.Second, rp*5/4)
		c := &candidate{w: w, index: i, own: owner{candidate: i}, drain: w.upTo(15*time.Second-rd, 0)}
		c.m = ttl.New(machine.Config{
			Timings:         machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: rd, RetryPeriod: rp},
			Identity:        string(rune('a' + i)),
			ReleaseOnCancel: pick(0, 1) == 1,
			Profile:         profile,
		})
		w.candidates = append(w.candidates, c)
		w.after(w.upTo(5*time.Second, 0), func() { c.step(machine.Input{Kind: machine.Started}) })
		for range 3 {
			w.after(w.upTo(3*time.Minute, 0), func() { c.step(machine.Input{Kind: machine.Cancelled}) })
		}
	}
	return w
}

func (w *world) upTo(high, low time.Duration) time.Duration {
	const unit = 100 * time.Millisecond
	return time.Duration(w.pick(int64(low/unit), int64(high/unit))) * unit
}

func (w *world) after(d time.Duration, do func()) int {
	w.seq++
	w.events = append(w.events, event{w.now.Add(d), w.seq, do})
	return w.seq
}

func (w *world) run(until time.Duration) {
	for len(w.events) > 0 {
		next := 0
		for i, e := range w.events {
			if e.at < w.events[next].at || e.at == w.events[next].at && e.seq < w.events[next].seq {
				next = i
			}
		}
		e := w.events[next]
		if e.at > machine.Mono(until) {
			return
		}
		w.events = append(w.events[:next], w.events[next+1:]...)
		w.now = e.at
		e.do()
	}
}

// leg is the fate of a message.
func (w *world) leg() (delay time.Duration, lost bool) {
	switch fate := w.pick(0, 9); {
	case fate < 7:
		return time.Duration(w.pick(0, 3)) * 50 * time.Millisecond, false
	case fate < 9:
		return w.upTo(20*time.Second, 0), false
	}
	return 0, true
}

func (c *candidate) step(in machine.Input) {
	c.guard.before(&in)
	c.out = c.m.Step(machine.Now{Mono: c.w.now}, &in, c.out[:0])
	for i := range c.out {
		o := &c.out[i]
		c.guard.watch(c.w.t, o)
		c.do(o)
	}
}

func (c *candidate) do(o *machine.Output) {
	w := c.w
	switch o.Kind {
	case machine.SetTimer:
		timer := o.Timer
		wait := time.Duration(o.Due(float64(w.pick(0, 9))/10) - w.now)
		seq := 0
		seq = w.after(max(wait, 0), func() {
			if c.timers[timer] == seq {
				c.timers[timer] = 0
				c.step(machine.Input{Kind: machine.Fired, Timer: timer})
			}
		})
		c.timers[timer] = seq
	case machine.StopTimer:
		c.timers[o.Timer] = 0
	case machine.Send:
		c.send(*o.Request)
	case machine.Abandon:
		id := c.inFlight
		w.after(0, func() { c.answer(id, machine.Response{Outcome: machine.Failed}) })
	case machine.Unwatch:
		c.watching = 0
	case machine.StartWork:
		c.work()
	case machine.StopWork:
		w.after(c.drain, func() {
			c.working = false
			c.step(machine.Input{Kind: machine.WorkReturned})
		})
	case machine.Return:
		c.inFlight, c.timers = 0, [machine.Timers]int{}
		w.after(w.upTo(5*time.Second, 0), c.again)
	}
}

// again begins another Run, once the work is over.
func (c *candidate) again() {
	if c.working {
		c.w.after(time.Second, c.again)
		return
	}
	c.m.Again()
	c.guard.done = false
	c.step(machine.Input{Kind: machine.Started})
}

func (c *candidate) work() {
	w := c.w
	for _, other := range w.candidates {
		if other.working {
			w.overlaps = append(w.overlaps, fmt.Sprintf("%c begins at %v while %c works",
				'a'+c.index, time.Duration(w.now), 'a'+other.index))
		}
	}
	if c.token < w.fenced {
		w.overlaps = append(w.overlaps, fmt.Sprintf("%c begins at %v with token %d after token %d",
			'a'+c.index, time.Duration(w.now), c.token, w.fenced))
	}
	c.working, w.fenced = true, c.token
	c.terms++
	w.terms++
}

func (c *candidate) send(r machine.Request) {
	w := c.w
	if r.Verb == machine.Watch {
		c.watch(r.ID, c.seen)
		return
	}
	c.inFlight = r.ID
	if r.Ended {
		w.after(0, func() { c.answer(r.ID, machine.Response{Outcome: machine.Failed}) })
		return
	}
	own, token := c.own, c.token
	switch r.Verb {
	case machine.Create, machine.Replace:
		token, c.token = 0, 0
	case machine.Resign:
		c.own.generation++
		c.token = 0
	}
	out, lost := w.leg()
	if lost {
		return
	}
	w.after(out, func() {
		response, has := w.serve(r.Verb, own, token)
		seen := w.changes
		if back, lost := w.leg(); !lost {
			w.after(back, func() {
				if r.ID == c.inFlight {
					c.token, c.seen = has, seen
				}
				c.answer(r.ID, response)
			})
		}
	})
}

// answer brings the answer to a request, unless it has had one.
func (c *candidate) answer(id uint64, r machine.Response) {
	if id != c.inFlight || id == 0 {
		return
	}
	c.inFlight = 0
	r.ID = id
	c.step(machine.Input{Kind: machine.Responded, Response: r})
}

// watch polls the key, and is lost now and then.
func (c *candidate) watch(id uint64, seen int) {
	w := c.w
	c.watching = id
	respond := func(o machine.Outcome) {
		if c.watching == id {
			c.watching = 0
			c.step(machine.Input{Kind: machine.Responded, Response: machine.Response{ID: id, Outcome: o}})
		}
	}
	if !w.watches {
		w.after(0, func() { respond(machine.NoWatch) })
		return
	}
	var poll func()
	poll = func() {
		w.expire()
		switch fate := w.pick(0, 99); {
		case fate == 0:
			return // broken, and nobody knows
		case fate == 1:
			respond(machine.Failed)
		case w.changes != seen:
			respond(machine.Done)
		default:
			w.after(500*time.Millisecond, poll)
		}
	}
	w.after(0, poll)
}

func (w *world) expire() {
	if w.entry.token != 0 && w.now >= w.entry.expires {
		w.entry = entry{}
		w.changes++
	}
}

// serve answers as the service does. It returns the answer, and the token of the entry that the caller then has.
func (w *world) serve(verb machine.Verb, own owner, token uint64) (machine.Response, uint64) {
	w.expire()
	e := &w.entry
	mine := e.token != 0 && e.owner == own && (token == 0 || token == e.token)
	switch verb {
	case machine.Get:
		if e.token == 0 {
			return machine.Response{Outcome: machine.NotFound}, token
		}
		holder := string(rune('a' + e.owner.candidate))
		return machine.Response{Outcome: machine.Done, Record: &machine.Record{Holder: holder}}, token
	case machine.Create, machine.Replace:
		if e.token != 0 {
			return machine.Response{Outcome: machine.Conflict}, 0
		}
		w.tokens++
		w.changes++
		*e = entry{owner: own, token: w.tokens}
	case machine.Refresh, machine.Resign:
		if !mine {
			return machine.Response{Outcome: machine.Conflict}, token
		}
	}
	if verb == machine.Resign {
		w.changes++
		*e = entry{}
		return machine.Response{Outcome: machine.Done}, 0
	}
	if verb == machine.Refresh && token == 0 {
		w.adopted++
	}
	e.expires = w.now.Add(15 * time.Second)
	return machine.Response{Outcome: machine.Done}, e.token
}
