package wallclock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// sharp is LeaderElector.cs, MetaObjectLock.cs and LeaseLock.cs read a second time, with their tasks. Nothing of the machine is in it.
type sharp struct {
	threads
	cfg    machine.Config
	jitter float64

	words []string
	seen  map[string]int

	// answers are those to all requests that were ever made, by their number; nil: there is none yet.
	answers   []*machine.Response
	cancelled bool

	observed      *machine.Record
	at            machine.Wall
	reported      string
	works, ended  bool
	left, renewed int
}

// task is what WhenAny waits for.
type task struct{ done, result bool }

func (c *sharp) say(format string, args ...any) {
	c.words = append(c.words, fmt.Sprintf(format, args...))
}

// until is an await with the token: a cancellation is an exception.
func (c *sharp) until(ready func() bool) {
	c.await(func() bool { return ready() || c.cancelled })
	if c.cancelled {
		panic(interruption{})
	}
}

func (c *sharp) delay(d time.Duration) {
	clock := c.set(c.now.Mono.Add(d))
	defer c.unset(clock)
	c.until(func() bool { return clock.rang })
}

func (c *sharp) ask(verb string, r *machine.Record) *machine.Response {
	if c.cancelled {
		panic(interruption{})
	}
	if r != nil {
		verb += written(r)
	}
	c.say("%s", verb)
	number := len(c.answers)
	c.answers = append(c.answers, nil)
	c.until(func() bool { return c.answers[number] != nil })
	return c.answers[number]
}

func written(r *machine.Record) string {
	return fmt.Sprintf(" %q %ds %d %d %d", r.Holder, r.DurationSeconds, r.Acquire, r.Renew, r.Transitions)
}

// run starts a task; an exception in it is the result false.
func (c *sharp) run(body func() bool) *task {
	t := &task{}
	c.start(func() {
		uninterrupted(func() { t.result = body() })
		t.done = true
	})
	return t
}

// whenAny tells whether the task is over before the delay, or a cancellation.
func (c *sharp) whenAny(t *task, d time.Duration) bool {
	clock := c.set(c.now.Mono.Add(d))
	defer c.unset(clock)
	c.await(func() bool { return t.done || clock.rang || c.cancelled })
	return t.done
}

func (c *sharp) runAsync() {
	if c.acquire() {
		c.works = true
		c.say("work")
		uninterrupted(c.renew)
		c.works = false
		c.say("end work")
		c.say("stopped")
	}
	c.ended = true
	c.say("return")
}

func (c *sharp) acquire() (won bool) {
	period := c.cfg.RetryPeriod
	for !won && !c.cancelled {
		attempt := c.run(c.tryAcquireOrRenew)
		if c.whenAny(attempt, time.Duration(float64(period)*1.2*(c.jitter+1))) {
			if won = attempt.result && !c.cancelled; !won {
				uninterrupted(func() { c.delay(period) })
			}
		} else if !c.cancelled {
			c.left++
			c.seen["acquiring, left running"]++
		}
		c.report()
	}
	if !won {
		c.seen["cancelled, acquiring"]++
	}
	return won
}

func (c *sharp) renew() {
	for {
		renewal := c.run(func() bool {
			for !c.tryAcquireOrRenew() {
				if c.seen["renewal failed"]++; c.ended {
					c.seen["went on after the end"]++
				}
				c.delay(c.cfg.RetryPeriod)
				c.report()
			}
			if c.ended {
				c.seen["wrote after the end"]++
			}
			return true
		})
		in := c.whenAny(renewal, c.cfg.RenewDeadline)
		if !in || !renewal.result {
			if c.cancelled {
				c.seen["cancelled, renewing"]++
			} else {
				c.seen["deadline passed"]++
			}
			return
		}
		c.renewed++
		c.delay(c.cfg.RetryPeriod)
	}
}

func (c *sharp) isLeader() bool { return c.observed != nil && c.observed.Holder == c.cfg.Identity }

// tryAcquireOrRenew is what its namesake is. A DateTime has ticks of 100 ns; in JSON it has microseconds.
func (c *sharp) tryAcquireOrRenew() bool {
	ticks := func() machine.Wall { return c.now.Wall / 100 * 100 }
	stamp := ticks() / 1000 * 1000
	next := machine.Record{Holder: c.cfg.Identity, DurationSeconds: int64(c.cfg.LeaseDuration.Seconds()), Acquire: stamp, Renew: stamp}
	got := c.ask("get", nil)
	if got.Outcome != machine.Done && got.Outcome != machine.NotFound {
		return false
	}
	old := got.Record
	if got.Outcome == machine.NotFound || old.Acquire == machine.NoTime || old.Renew == machine.NoTime {
		if old != nil {
			c.seen["without times"]++
		}
		if c.ask("create", &next).Outcome != machine.Done {
			return false
		}
		c.observed, c.at = &next, ticks()
		return true
	}
	if o := c.observed; o == nil || o.Holder != old.Holder || o.Acquire != old.Acquire || o.Renew != old.Renew {
		c.observed, c.at = old, ticks()
	} else if !c.isLeader() {
		c.seen["the same again"]++
	}
	if old.Holder != "" && c.at+machine.Wall(c.cfg.LeaseDuration) > ticks() && !c.isLeader() {
		return false
	}
	if next.Transitions = old.Transitions; c.isLeader() {
		next.Acquire = old.Acquire
	} else {
		next.Transitions++
		c.seen["taken over"]++
	}
	if c.ask("update", &next).Outcome != machine.Done {
		return false
	}
	c.observed, c.at = &next, ticks()
	return true
}

func (c *sharp) report() {
	if c.observed != nil && c.observed.Holder != c.reported {
		c.reported = c.observed.Holder
		c.say("leader %q", c.reported)
	}
}

// sharpPair drives the machine and the second one by the same inputs.
type sharpPair struct {
	m      Machine
	second *sharp
	// asked are all requests of the machine, and open the numbers of those that may still be answered.
	asked    []machine.Request
	open     []int
	timers   []timer
	returned bool
}

// timer is one that is set. id is 0, or else the number of the last request of the attempt that was left running and has it.
type timer struct {
	machine.Output
	id uint64
}

func (p *sharpPair) disarm(t machine.Timer, id uint64) {
	p.timers = slices.DeleteFunc(p.timers, func(o timer) bool { return o.Timer == t && o.id == id })
}

func (p *sharpPair) step(t *testing.T, now machine.Now, in machine.Input, answered int) {
	c := p.second
	c.now, c.words = now, nil
	switch in.Kind {
	case machine.Started:
		c.start(c.runAsync)
	case machine.Cancelled:
		c.cancelled = true
	case machine.Fired:
		p.disarm(in.Timer, in.Response.ID)
		c.ring()
	case machine.Responded:
		r := in.Response
		c.answers[answered] = &r
		p.open = slices.DeleteFunc(p.open, func(n int) bool { return n == answered })
	}
	c.settle()
	left := uint64(0)
	if p.m.leftBy(in.Response.ID) >= 0 {
		left = in.Response.ID
	}
	words := p.words(p.m.Step(now, &in, nil), left)
	if in.Kind == machine.Cancelled {
		p.open, p.timers = nil, slices.DeleteFunc(p.timers, func(o timer) bool { return o.id != 0 })
	}
	slices.Sort(words)
	slices.Sort(c.words)
	require.Equal(t, c.words, words, "%+v", in)
	require.Equal(t, c.isLeader(), p.m.IsLeader())
	require.Equal(t, c.ended, p.returned)
	require.Len(t, c.answers, len(p.asked))
	due := p.due()
	require.Len(t, c.clocks, len(due))
	slices.SortFunc(c.clocks, func(a, b *clock) int { return int(a.due - b.due) })
	for i := range due {
		require.InDelta(t, float64(c.clocks[i].due), float64(due[i].Due(c.jitter)), 2, "ns: the random part is rounded")
	}
}

// words are what the machine does, in the words of the second one, for the attempt left running whose last request has that number, 0
// for none.
func (p *sharpPair) words(did []machine.Output, left uint64) (words []string) {
	for _, o := range did {
		switch o.Kind {
		case machine.SetTimer:
			p.disarm(o.Timer, left)
			p.timers = append(p.timers, timer{o, left})
		case machine.StopTimer:
			p.disarm(o.Timer, 0)
		case machine.Detach: // a request is answered like any other
			if o.Timer == machine.Retry {
				p.timers = append(p.timers, timer{o, p.m.request.ID})
			}
		case machine.Send:
			p.open = append(p.open, len(p.asked))
			p.asked = append(p.asked, *o.Request)
			text := o.Request.Verb.String()
			if o.Request.Verb != machine.Get {
				text += written(&o.Request.Record)
			}
			words = append(words, text)
		case machine.NewLeader:
			words = append(words, fmt.Sprintf("leader %q", o.Text))
		case machine.StartWork:
			words = append(words, "work")
		case machine.StopWork:
			words = append(words, "end work")
		case machine.Stopped:
			words = append(words, "stopped")
		case machine.Return:
			p.returned = true
			words = append(words, "return")
		default:
			words = append(words, fmt.Sprintf("output %d", o.Kind))
		}
	}
	return words
}

// due returns the machine's timers that are set, the first to fire first.
func (p *sharpPair) due() []timer {
	all := slices.Clone(p.timers)
	slices.SortStableFunc(all, func(a, b timer) int { return int(a.Due(p.second.jitter) - b.Due(p.second.jitter)) })
	return all
}

// TestSecondCSharp compares the machine with the second one over random courses, and requires that each of these things happened in
// some of them.
func TestSecondCSharp(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(6000) {
		sharpCourse(t, seed, seen)
	}
	t.Log(seen)
	requireAll(t, seen, []string{
		"acquiring, left running", "renewal failed", "deadline passed", "went on after the end", "wrote after the end", "cancelled, acquiring", "cancelled, renewing",
		"without times", "the same again", "taken over", "wall clock set", "several at once",
	})
}

func sharpCourse(t *testing.T, seed uint64, seen map[string]int) {
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	draw := rand.New(rand.NewPCG(seed, 2))
	chance := func(percent int) bool { return draw.IntN(100) < percent }
	const s, ms = time.Second, time.Millisecond
	cfg := drawConfig(draw, machine.CSharp)
	p := &sharpPair{m: New(cfg), second: &sharp{cfg: cfg, seen: seen, jitter: draw.Float64()}}
	defer p.second.close()
	at, walls := machine.Mono(0), machine.Wall(1_700_000_000*s)+machine.Wall(draw.IntN(int(s)))
	now := func() machine.Now { return machine.Now{Mono: at, Wall: walls + machine.Wall(at)} }
	var stored *machine.Record
	p.step(t, now(), machine.Input{Kind: machine.Started}, 0)
	cancelAt, trouble, late := draw.IntN(200), []int{0, 10, 40}[draw.IntN(3)], []int{5, 30}[draw.IntN(2)]
	for n := range 150 {
		if chance(2) {
			seen["wall clock set"]++
			walls += machine.Wall(draw.IntN(int(20*s))) - machine.Wall(10*s)
		}
		if n == cancelAt && !p.returned {
			p.step(t, now(), machine.Input{Kind: machine.Cancelled}, 0)
			continue
		}
		if len(p.open) > 1 {
			seen["several at once"]++
		}
		due, answered := p.due(), at+machine.Mono(draw.IntN(int(100*ms)))
		if chance(late) {
			answered = at + machine.Mono(draw.IntN(int(12*s)))
		}
		if edge := machine.Mono(p.second.at - walls + machine.Wall(cfg.LeaseDuration) + machine.Wall(draw.IntN(300)-200)); chance(20) && edge > at {
			answered = edge // when the lease has just run out, or not quite
		}
		if stored != nil && chance(2) {
			other := *stored
			other.Acquire, stored = other.Acquire+1000, &other
		}
		switch {
		case len(p.open) > 0 && (len(due) == 0 || answered < due[0].Due(p.second.jitter)):
			at = answered
			which := p.open[draw.IntN(len(p.open))]
			r := answerTo(&p.asked[which], draw, now(), trouble, &stored)
			p.step(t, now(), machine.Input{Kind: machine.Responded, Response: r}, which)
		case len(due) > 0:
			at = max(at, due[0].Due(p.second.jitter))
			p.step(t, now(), machine.Input{
				Kind: machine.Fired, Timer: due[0].Timer, Response: machine.Response{ID: due[0].id},
			}, 0)
		default:
			require.True(t, p.returned, "nothing is under way, and it has not returned")
			return
		}
	}
}
