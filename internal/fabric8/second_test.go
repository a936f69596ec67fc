package fabric8

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// second is the same election written once more, from the Java alone, as a program that blocks. Threads are coroutines,
// so that the order is fixed: a thread runs until it waits for an answer or for the object that is synchronized. Futures
// call back the last one first, on the thread that completes them, as CompletableFuture does. What doc.go leaves out is
// left out here too.
type second struct {
	cfg machine.Config
	now machine.Now

	threads []*thread
	// current is the thread that runs, owner the one that is inside of a synchronized method, depth how often.
	current, owner *thread
	depth          int

	// words are the outputs of one step. A record is written with the times that a Lease holds, in microseconds.
	words    []string
	asks     bool
	response *machine.Response
	timer    *scheduled
	interest *future

	observed *machine.Record
	stopped  bool
	// works follows the callbacks, for the counts alone; so does the loop.
	works bool
	loop  string
	seen  map[string]int
}

type thread struct {
	resume func() (struct{}, bool)
	stop   func()
	pause  func(struct{}) bool
	ready  func() bool
}

// refused is what a call of the lock throws; ended unwinds a thread that the test no longer needs.
type (
	refused struct{}
	ended   struct{}
)

// scheduled is the command that waits for its time.
type scheduled struct {
	due        machine.Mono
	jitter     bool
	run        func()
	completion *future
}

type future struct {
	done, cancelled bool
	then            []func(cancelled bool)
}

func (f *future) whenComplete(call func(cancelled bool)) {
	if f.done {
		call(f.cancelled)
		return
	}
	f.then = append(f.then, call)
}

func (f *future) finish(cancelled bool) {
	if !f.done {
		f.done, f.cancelled = true, cancelled
	}
	for len(f.then) > 0 {
		last := len(f.then) - 1
		call := f.then[last]
		f.then = f.then[:last]
		attempted(func() { call(f.cancelled) })
	}
}

func (f *future) complete() { f.finish(false) }
func (f *future) cancel()   { f.finish(true) }

// attempted says whether f came to its end, and was not refused by the lock.
func attempted(f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil, refused:
		default:
			panic(r)
		}
	}()
	f()
	return true
}

func (j *second) spawn(body func()) {
	t := &thread{ready: func() bool { return true }}
	t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != (ended{}) {
				panic(r)
			}
		}()
		t.pause = yield
		body()
	})
	j.threads = append(j.threads, t)
}

// await blocks the thread that runs.
func (j *second) await(ready func() bool) {
	t := j.current
	for !ready() {
		t.ready = ready
		if !t.pause(struct{}{}) {
			panic(ended{})
		}
	}
	j.current = t
}

// settle runs the threads until each of them waits.
func (j *second) settle() {
	for moved := true; moved; {
		moved = false
		for i := 0; i < len(j.threads); i++ {
			t := j.threads[i]
			if !t.ready() {
				continue
			}
			moved = true
			j.current = t
			if _, waits := t.resume(); !waits {
				j.threads = append(j.threads[:i], j.threads[i+1:]...)
				i--
			}
		}
	}
}

func (j *second) close() {
	for _, t := range j.threads {
		t.stop()
	}
}

func (j *second) synchronized(body func()) {
	t := j.current
	if j.owner != t {
		j.await(func() bool { return j.owner == nil })
		j.owner = t
	}
	j.depth++
	defer func() {
		if j.depth--; j.depth == 0 {
			j.owner = nil
		}
	}()
	body()
}

func (j *second) say(format string, args ...any) {
	j.words = append(j.words, fmt.Sprintf(format, args...))
}

// step gives an input, and returns what was asked for at once.
func (j *second) step(now machine.Now, in *machine.Input) []string {
	j.now, j.words = now, nil
	switch in.Kind {
	case machine.Started:
		if j.interest == nil {
			j.spawn(j.run)
		} else {
			j.say("return")
		}
	case machine.Cancelled:
		if j.interest == nil {
			j.interest = &future{done: true}
			break
		}
		if j.stopped {
			break // doc.go leaves out what follows
		}
		result := j.interest
		j.spawn(func() { result.cancel(); j.say("return") })
	case machine.Fired:
		run := j.timer.run
		j.timer = nil
		run()
	case machine.Responded:
		r := in.Response
		j.response = &r
	}
	j.settle()
	return j.words
}

// armed is the command that waits, unless nothing would come of it.
func (j *second) armed() string {
	if j.timer == nil || j.timer.completion.done {
		return "no timer"
	}
	return fmt.Sprintf("timer %d jitter=%t", j.timer.due, j.timer.jitter)
}

func (j *second) ask(verb string, record *machine.Record) *machine.Response {
	if record == nil {
		j.say("%s", verb)
	} else {
		j.say("%s %s", verb, written(record))
	}
	if j.asks {
		panic("a request while another is in flight")
	}
	j.asks = true
	j.await(func() bool { return j.response != nil })
	r := j.response
	j.response, j.asks = nil, false
	return r
}

func written(r *machine.Record) string {
	return fmt.Sprintf("%q %ds %d %d %d", r.Holder, r.DurationSeconds,
		r.Acquire.Truncate(time.Microsecond), r.Renew.Truncate(time.Microsecond), r.Transitions)
}

func (j *second) get() *machine.Record {
	switch r := j.ask("get", nil); r.Outcome {
	case machine.Done:
		return r.Record
	case machine.NotFound:
		return nil
	}
	panic(refused{})
}

func (j *second) write(verb string, r machine.Record) {
	if j.ask(verb, &r).Outcome != machine.Done {
		panic(refused{})
	}
}

func (j *second) millis() int64 { return int64(j.now.Wall) / int64(time.Millisecond) }

func (j *second) isLeader(r *machine.Record) bool { return r.Holder == j.cfg.Identity }

func (j *second) run() {
	result := &future{}
	j.interest = result
	acquired := j.acquire()
	acquired.whenComplete(func(cancelled bool) {
		if cancelled {
			j.stopLeading()
			return
		}
		renewed := j.renew()
		result.whenComplete(func(bool) { renewed.cancel() })
		renewed.whenComplete(func(bool) {
			j.stopLeading()
			if !result.done {
				result.complete()
				j.say("return")
			}
		})
	})
	result.whenComplete(func(bool) { acquired.cancel() })
}

func (j *second) stopLeading() {
	j.synchronized(func() {
		j.stopped = true
		if j.observed == nil || !j.isLeader(j.observed) {
			return
		}
		if j.cfg.ReleaseOnCancel {
			released := false
			if !attempted(func() { released = j.release() }) {
				j.seen["release refused"]++
			}
			if released {
				j.seen["released"]++
				return
			}
		}
		j.onStopLeading()
	})
}

func (j *second) release() bool {
	current := j.get()
	if current == nil || !j.isLeader(current) {
		j.seen["nothing to release"]++
		return false
	}
	at := j.now.Wall
	empty := machine.Record{DurationSeconds: 1, Acquire: at, Renew: at, Transitions: current.Transitions}
	j.write("update", empty)
	j.update(&empty)
	return true
}

func (j *second) acquire() *future {
	return j.every(true, func(completion *future) {
		j.loop = "acquiring"
		attempted(func() {
			if j.tryAcquireOrRenew() {
				completion.complete()
			}
		})
	})
}

func (j *second) renew() *future {
	renewBy := j.millis() + j.cfg.RenewDeadline.Milliseconds()
	return j.every(false, func(completion *future) {
		j.loop = "renewing"
		if j.millis() > renewBy {
			j.seen["deadline passed"]++
			completion.complete()
			return
		}
		attempted(func() {
			if j.tryAcquireOrRenew() {
				renewBy = j.millis() + j.cfg.RenewDeadline.Milliseconds()
			} else {
				completion.complete()
			}
		})
	})
}

// every runs the command at once, then again and again, each time in a thread of its own, until the future is complete.
func (j *second) every(jitter bool, command func(*future)) *future {
	completion := &future{}
	next := j.now.Mono
	var run func()
	run = func() {
		if completion.done {
			return
		}
		if jitter {
			next = j.now.Mono
		}
		j.spawn(func() {
			command(completion)
			if completion.done {
				return
			}
			next += machine.Mono(j.cfg.RetryPeriod)
			if next < j.now.Mono {
				j.seen["late "+j.loop]++
			}
			j.timer = &scheduled{next, jitter, run, completion}
		})
	}
	run()
	completion.whenComplete(func(bool) { j.timer = nil })
	return completion
}

func (j *second) tryAcquireOrRenew() (leads bool) {
	j.synchronized(func() { leads = j.attempt() })
	return leads
}

func (j *second) attempt() bool {
	if j.stopped {
		return false
	}
	at := j.now.Wall
	old := j.get()
	mine := machine.Record{
		Holder: j.cfg.Identity, DurationSeconds: int64(j.cfg.LeaseDuration / time.Second), Acquire: at, Renew: at,
	}
	if old == nil {
		j.write("create", mine)
		j.seen["created "+j.loop]++
		j.update(&mine)
		return true
	}
	if j.isLeader(old) && !j.works {
		j.seen["own name read "+j.loop]++
	}
	if !j.isLeader(old) && j.works {
		j.seen["foreign read, working, "+j.loop]++
	}
	j.update(old)
	mine.Transitions = old.Transitions
	if j.isLeader(old) {
		mine.Acquire = old.Acquire
	} else {
		if !j.canBecomeLeader(old) {
			return false
		}
		mine.Transitions++
	}
	j.write("update", mine)
	if !j.isLeader(old) {
		j.seen[fmt.Sprintf("taken over %s, released=%t", j.loop, old.Holder == "")]++
	}
	j.update(&mine)
	return true
}

func (j *second) canBecomeLeader(r *machine.Record) bool {
	return r.Holder == "" || r.Renew+machine.Wall(j.cfg.LeaseDuration) <= j.now.Wall
}

func (j *second) update(r *machine.Record) {
	before := j.observed
	j.observed = r
	if before != nil && before.Holder == r.Holder {
		return
	}
	j.say("leader %q", r.Holder)
	if before != nil && j.isLeader(before) {
		j.onStopLeading()
	} else if j.isLeader(r) {
		j.works = true
		j.say("work")
	}
}

func (j *second) onStopLeading() {
	j.works = false
	j.say("end work")
	j.say("stopped")
}

// pair drives the machine and the second one by the same inputs.
type pair struct {
	m       Machine
	second  *second
	request *machine.Request
	// armed is the machine's timer.
	armed    *machine.Output
	work     bool
	returned bool
}

// step gives both the input, and requires that both do the same.
func (p *pair) step(t *testing.T, now machine.Now, in machine.Input) {
	var words []string
	if in.Kind == machine.Fired {
		p.armed = nil
	}
	if in.Kind == machine.Responded {
		p.request = nil
	}
	for _, o := range p.m.Step(now, &in, nil) {
		switch o.Kind {
		case machine.SetTimer:
			require.Equal(t, machine.Retry, o.Timer)
			p.armed = &o
		case machine.StopTimer:
			p.armed = nil
		case machine.Send:
			require.Nil(t, p.request, "one request at a time")
			p.request = o.Request
			text := o.Request.Verb.String()
			if o.Request.Verb != machine.Get {
				text += " " + written(&o.Request.Record)
			}
			words = append(words, text)
		case machine.NewLeader:
			words = append(words, fmt.Sprintf("leader %q", o.Text))
		case machine.StartWork:
			p.work = true
			words = append(words, "work")
		case machine.StopWork:
			p.work = false
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
	require.Equal(t, p.second.step(now, &in), words, "%+v", in)
	armed := "no timer"
	if p.armed != nil {
		armed = fmt.Sprintf("timer %d jitter=%t", p.armed.Due(0), p.armed.Jitter)
	}
	require.Equal(t, p.second.armed(), armed)
	require.Equal(t, p.second.works, p.work)
	require.Equal(t, p.second.works, p.m.IsLeader())
}

// TestSecond compares the machine with the second one over random courses, and requires that each of these things happened
// in some of them.
func TestSecond(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(6000) {
		course(t, seed, seen)
	}
	for _, what := range []string{
		"created acquiring", "created renewing",
		"taken over acquiring, released=false", "taken over acquiring, released=true",
		"taken over renewing, released=false", "taken over renewing, released=true",
		"own name read acquiring", "own name read renewing",
		"foreign read, working, acquiring", "foreign read, working, renewing",
		"late acquiring", "late renewing", "deadline passed",
		"released", "release refused", "nothing to release",
		"cancelled before it starts", "cancelled idle, acquiring", "cancelled idle, renewing",
		"cancelled in flight, acquiring", "cancelled in flight, renewing", "cancelled while it stops",
		"cancelled after its return", "work returned", "wall clock set",
	} {
		assert.Positive(t, seen[what], what)
		delete(seen, what)
	}
	assert.Empty(t, seen, "counted, and not required")
}

func course(t *testing.T, seed uint64, seen map[string]int) {
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	draw := rand.New(rand.NewPCG(seed, 1))
	chance := func(percent int) bool { return draw.IntN(100) < percent }
	ms := time.Millisecond
	timings := []machine.Timings{
		{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
		{LeaseDuration: 15 * s, RenewDeadline: 15 * s, RetryPeriod: 5 * s},
		{LeaseDuration: 2700*ms + 1, RenewDeadline: 1500*ms + 700*time.Microsecond, RetryPeriod: 300 * ms},
	}
	cfg := machine.Config{
		Timings: timings[draw.IntN(len(timings))], Identity: "a", ReleaseOnCancel: chance(50), Profile: machine.Fabric8,
	}
	p := &pair{m: New(cfg), second: &second{cfg: cfg, seen: seen}}
	defer p.second.close()

	var at machine.Mono
	walls := time.Duration(1_700_000_000+draw.IntN(100))*s + time.Duration(draw.IntN(int(s)))
	now := func() machine.Now { return machine.Now{Mono: at, Wall: machine.Wall(at) + machine.Wall(walls)} }
	pass := func() {
		switch draw.IntN(8) {
		case 0:
		case 1:
			at += machine.Mono(draw.IntN(3))
		case 2, 3, 4:
			at += machine.Mono(draw.IntN(int(100 * ms)))
		case 5:
			at += machine.Mono(draw.IntN(int(cfg.RetryPeriod)))
		case 6:
			at += machine.Mono(draw.IntN(int(cfg.RenewDeadline)))
		case 7:
			at += machine.Mono(cfg.RetryPeriod) * machine.Mono(draw.IntN(3))
		}
		if chance(3) {
			seen["wall clock set"]++
			walls += time.Duration(draw.IntN(int(40*s))) - 20*s
		}
	}
	var stored *machine.Record
	record := func() *machine.Record {
		if stored != nil && chance(50) {
			r := *stored
			return &r
		}
		wall := now().Wall
		lease := machine.Wall(cfg.LeaseDuration)
		return &machine.Record{
			Holder:          []string{"a", "a", "b", "b", "c", ""}[draw.IntN(6)],
			DurationSeconds: int64(draw.IntN(20)),
			Acquire:         wall - machine.Wall(draw.IntN(int(100*s))),
			Renew: []machine.Wall{
				wall - lease, wall - lease + 1, wall - lease - 1, wall - machine.Wall(draw.IntN(int(2*lease))),
				wall, wall + machine.Wall(draw.IntN(int(lease))),
			}[draw.IntN(6)],
			Transitions: int64(draw.IntN(5)),
		}
	}

	cancelled := chance(1)
	if cancelled {
		seen["cancelled before it starts"]++
		p.step(t, now(), machine.Input{Kind: machine.Cancelled})
	}
	p.step(t, now(), machine.Input{Kind: machine.Started})
	steady := draw.IntN(3)
	for range draw.IntN(100) {
		pass()
		if !cancelled && chance(2) {
			cancelled = true
			switch {
			case p.returned:
				seen["cancelled after its return"]++
			case p.second.stopped:
				seen["cancelled while it stops"]++
			case p.request != nil:
				seen["cancelled in flight, "+p.second.loop]++
			default:
				seen["cancelled idle, "+p.second.loop]++
			}
			p.step(t, now(), machine.Input{Kind: machine.Cancelled})
			continue
		}
		if p.work && chance(2) {
			seen["work returned"]++
			p.step(t, now(), machine.Input{Kind: machine.WorkReturned})
			continue
		}
		switch {
		case p.request != nil:
			r := machine.Response{ID: p.request.ID, Outcome: machine.Done}
			asked := *p.request
			switch {
			case chance([]int{0, 10, 30}[steady]):
				r.Outcome = []machine.Outcome{machine.NotFound, machine.Conflict, machine.Failed}[draw.IntN(3)]
			case asked.Verb == machine.Get:
				r.Record = record()
				if stored != nil && chance(80) {
					*r.Record = *stored
				}
			}
			if asked.Verb != machine.Get && (r.Outcome == machine.Done || chance(30)) {
				stored = &asked.Record
			}
			if r.Outcome == machine.NotFound {
				stored = nil
			}
			p.step(t, now(), machine.Input{Kind: machine.Responded, Response: r})
		case p.armed != nil:
			at = max(at, p.armed.Due(draw.Float64()))
			if chance(10) {
				at += machine.Mono(draw.IntN(int(20 * s)))
			}
			p.step(t, now(), machine.Input{Kind: machine.Fired, Timer: machine.Retry})
		case !p.returned:
			require.Fail(t, "nothing is under way, and it has not returned")
		}
	}
}
