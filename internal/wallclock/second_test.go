package wallclock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// second is LeaderElector.java read a second time, with its threads: that of run, the scheduled worker, the lease worker, and one
// that calls close. Nothing of the machine is in it.
type second struct {
	threads
	cfg    machine.Config
	jitter float64

	words []string
	seen  map[string]int

	asks     bool
	response *machine.Response

	observed *machine.Record
	at       int64
	reported string

	main, worker         *thread
	works, acquired      bool
	shut, over, returned bool
	renewing             bool
}

// future is that of an attempt, or of a loop of attempts, in the lease worker.
type future struct{ done, result bool }

func (j *second) say(format string, args ...any) {
	j.words = append(j.words, fmt.Sprintf(format, args...))
}

func (j *second) ms() int64 { return int64(j.now.Wall / machine.Wall(time.Millisecond)) }

func (j *second) after(d time.Duration) machine.Mono { return j.now.Mono.Add(d) }

// ask makes a request. An interrupt ends it, and stays.
func (j *second) ask(verb string, r *machine.Record) *machine.Response {
	if r != nil {
		verb += fmt.Sprintf(" %q %ds %d %d %d", r.Holder, r.DurationSeconds, r.Acquire, r.Renew, r.Transitions)
	}
	j.say("%s", verb)
	j.asks, j.response = true, nil
	defer func() { j.asks = false }()
	if !uninterrupted(func() { j.await(func() bool { return j.response != nil }) }) {
		j.current.interrupted = true
		return &machine.Response{Outcome: machine.Failed}
	}
	return j.response
}

func (j *second) submit(body func() bool) *future {
	f := &future{}
	j.worker = j.start(func() {
		f.result = body()
		f.done = true
		j.worker = nil
	})
	return f
}

// get is Future.get with a timeout; false is the timeout.
func (j *second) get(f *future, d time.Duration) bool {
	c := j.set(j.after(d))
	defer j.unset(c)
	j.await(func() bool { return f.done || c.rang })
	return f.done
}

func (j *second) interruptWorker() {
	if j.worker != nil {
		j.worker.interrupted = true
	}
}

func (j *second) run() {
	defer func() {
		if j.works {
			j.works = false
			j.say("end work")
		}
		j.say("stopped")
		j.over = true
	}()
	if !j.acquire() {
		return
	}
	j.works = true
	j.say("work")
	j.renewing = true
	j.renewLoop()
}

func (j *second) acquire() bool {
	stopped := false
	scheduled := j.start(func() {
		for !stopped && !j.shut {
			f := j.submit(j.attempt)
			uninterrupted(func() {
				if j.get(f, j.cfg.RetryPeriod) {
					j.acquired = f.result
				} else {
					j.seen["too late to acquire"]++
					j.interruptWorker()
				}
			})
			j.report()
			if j.acquired || stopped {
				return // the other thread looks before the next attempt
			}
			if !uninterrupted(func() { j.sleepUntil(j.after(machine.Jittered(j.cfg.RetryPeriod, j.jitter))) }) {
				return
			}
		}
	})
	slept := uninterrupted(func() {
		turns := 0
		j.await(func() bool { turns++; return turns > 1 }) // the attempt's time runs first
		for !j.acquired {
			j.sleepUntil(j.after(j.cfg.RetryPeriod))
		}
	})
	stopped = true
	scheduled.interrupted = true
	if !slept {
		j.seen["cancelled, acquiring"]++
		j.interruptWorker()
	}
	return slept
}

func (j *second) renewLoop() {
	for !j.shut {
		f := j.submit(func() bool {
			return uninterrupted(func() {
				for !j.attempt() {
					j.seen["renewal failed"]++
					j.sleepUntil(j.after(j.cfg.RetryPeriod))
					j.report()
				}
			})
		})
		in := false
		if !uninterrupted(func() { in = j.get(f, j.cfg.RenewDeadline) }) {
			j.seen["cancelled, renewing"]++
		}
		if !in {
			j.interruptWorker()
			j.seen["deadline passed, or interrupted"]++
			return
		}
		if !f.result {
			return
		}
		if !uninterrupted(func() { j.sleepUntil(j.after(j.cfg.RetryPeriod)) }) {
			j.seen["cancelled, asleep"]++
			return
		}
	}
}

func (j *second) mine() bool { return j.observed != nil && j.observed.Holder == j.cfg.Identity }

func (j *second) attempt() bool {
	now := j.ms()
	date := machine.Wall(now) * machine.Wall(time.Millisecond)
	next := machine.Record{
		Holder: j.cfg.Identity, DurationSeconds: int64(j.cfg.LeaseDuration.Seconds()), Acquire: date, Renew: date,
	}
	r := j.ask("get", nil)
	switch r.Outcome {
	case machine.Done:
	case machine.NotFound:
		return j.write("create", next)
	default:
		return false
	}
	old := *r.Record
	if old.Acquire == machine.NoTime || old.Renew == machine.NoTime { // so has only a record without a holder
		j.seen["blank"]++
		next.Transitions = old.Transitions + 1
		return j.write("update", next)
	}
	cut := func(w machine.Wall) machine.Wall { return w.Truncate(time.Millisecond) }
	old.Acquire, old.Renew = cut(old.Acquire), cut(old.Renew)
	if j.observed == nil || old != *j.observed {
		j.observed, j.at = &old, j.ms()
	} else if !j.mine() {
		j.seen["the same again"]++
	}
	if j.at+j.cfg.LeaseDuration.Milliseconds() > now && !j.mine() {
		return false
	}
	if j.mine() {
		next.Acquire, next.Transitions = old.Acquire, old.Transitions
	} else {
		j.seen["taken over"]++
		next.Transitions = old.Transitions + 1
	}
	return j.write("update", next)
}

func (j *second) write(verb string, r machine.Record) bool {
	if j.ask(verb, &r).Outcome != machine.Done {
		return false
	}
	j.observed, j.at = &r, j.ms()
	return true
}

func (j *second) report() {
	if j.observed != nil && j.observed.Holder != j.reported {
		j.reported = j.observed.Holder
		j.say("leader %q", j.reported)
	}
}

// shutDown is close, of a leader.
func (j *second) shutDown() {
	j.shut = true
	c := j.set(j.after(j.cfg.RetryPeriod.Truncate(time.Second)))
	j.await(func() bool { return c.rang || j.worker == nil })
	j.unset(c)
	if j.worker != nil {
		j.seen["closed, and interrupted"]++
		j.interruptWorker()
		j.await(func() bool { return j.worker == nil })
	}
	if j.mine() {
		j.seen["released"]++
		j.ask("update", &machine.Record{
			DurationSeconds: int64(j.cfg.LeaseDuration.Seconds()), Acquire: machine.NoTime, Renew: machine.NoTime,
			Transitions: j.observed.Transitions,
		})
	}
	j.await(func() bool { return j.over })
	j.finish()
}

func (j *second) finish() {
	j.returned = true
	j.say("return")
}

// step gives an input, and returns what was asked for at once, sorted.
func (j *second) step(now machine.Now, in *machine.Input) []string {
	j.now, j.words = now, nil
	switch in.Kind {
	case machine.Started:
		j.main = j.start(func() {
			j.run()
			if !j.shut {
				j.finish()
			}
		})
	case machine.Cancelled:
		if j.cfg.ReleaseOnCancel {
			j.start(j.shutDown)
		} else {
			j.main.interrupted = true
		}
	case machine.Fired:
		j.ring()
	case machine.Responded:
		r := in.Response
		j.response = &r
	}
	j.settle()
	slices.Sort(j.words)
	return j.words
}

// pair drives the machine and the second one by the same inputs.
type pair struct {
	m       Machine
	second  *second
	request *machine.Request
	// timers are those of the machine that are set, in the order in which they were set.
	timers   []machine.Output
	returned bool
}

func (p *pair) disarm(t machine.Timer) {
	p.timers = slices.DeleteFunc(p.timers, func(o machine.Output) bool { return o.Timer == t })
}

// due returns when the machine's timers are due, sorted, and which one is the first.
func (p *pair) due() (all []machine.Mono, first machine.Timer) {
	for _, o := range p.timers {
		at := o.Due(p.second.jitter)
		if len(all) == 0 || at < slices.Min(all) {
			first = o.Timer
		}
		all = append(all, at)
	}
	slices.Sort(all)
	return all, first
}

func (p *pair) step(t *testing.T, now machine.Now, in machine.Input) {
	words := []string(nil)
	if in.Kind == machine.Fired {
		p.disarm(in.Timer)
	}
	if in.Kind == machine.Responded {
		p.request = nil
	}
	for _, o := range p.m.Step(now, &in, nil) {
		switch o.Kind {
		case machine.SetTimer:
			p.disarm(o.Timer)
			p.timers = append(p.timers, o)
		case machine.StopTimer:
			p.disarm(o.Timer)
		case machine.Abandon:
			p.request = nil
		case machine.Send:
			require.Nil(t, p.request, "one request at a time")
			p.request = o.Request
			text := o.Request.Verb.String()
			if r := o.Request.Record; o.Request.Verb != machine.Get {
				text += fmt.Sprintf(" %q %ds %d %d %d", r.Holder, r.DurationSeconds, r.Acquire, r.Renew, r.Transitions)
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
			p.returned, p.request = true, nil
			words = append(words, "return")
		default:
			words = append(words, fmt.Sprintf("output %d", o.Kind))
		}
	}
	slices.Sort(words)
	require.Equal(t, p.second.step(now, &in), words, "%+v", in)
	require.Equal(t, p.second.works, p.m.IsLeader())
	require.Equal(t, p.second.returned, p.returned)
	var due []machine.Mono
	for _, c := range p.second.clocks {
		due = append(due, c.due)
	}
	slices.Sort(due)
	all, _ := p.due()
	require.Equal(t, due, all)
	require.Equal(t, p.second.asks, p.request != nil)
}

// TestSecond compares the machine with the second one over random courses, and requires that each of these things happened in
// some of them.
func TestSecond(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(6000) {
		course(t, seed, seen)
	}
	t.Log(seen)
	requireAll(t, seen, []string{
		"blank", "the same again", "taken over", "too late to acquire", "renewal failed", "deadline passed, or interrupted",
		"cancelled, acquiring", "cancelled, renewing", "cancelled, asleep", "closed, and interrupted", "released", "wall clock set",
		"closed, acquiring", "returned",
	})
}

// requireAll checks that courses have shown each of these, and nothing else that they count.
func requireAll(t *testing.T, seen map[string]int, all []string) {
	for _, what := range all {
		assert.Positive(t, seen[what], what)
		delete(seen, what)
	}
	assert.Empty(t, seen, "counted, and not required")
}

// drawConfig draws the configuration of a course.
func drawConfig(draw *rand.Rand, p machine.Profile) machine.Config {
	const s, ms = time.Second, time.Millisecond
	return machine.Config{
		Timings: []machine.Timings{
			{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
			{LeaseDuration: 4500 * ms, RenewDeadline: 3100 * ms, RetryPeriod: 1300 * ms},
			{LeaseDuration: 3 * s, RenewDeadline: 2 * s, RetryPeriod: 300 * ms},
		}[draw.IntN(3)],
		Identity: "a", ReleaseOnCancel: draw.IntN(100) < 50, Profile: p,
	}
}

func course(t *testing.T, seed uint64, seen map[string]int) {
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	draw := rand.New(rand.NewPCG(seed, 1))
	chance := func(percent int) bool { return draw.IntN(100) < percent }
	const s, ms = time.Second, time.Millisecond
	cfg := drawConfig(draw, machine.Java)
	p := &pair{m: New(cfg), second: &second{cfg: cfg, seen: seen, jitter: draw.Float64()}}
	defer p.second.close()
	at, walls := machine.Mono(0), machine.Wall(1_700_000_000*s)+machine.Wall(draw.IntN(int(s)))
	now := func() machine.Now { return machine.Now{Mono: at, Wall: walls + machine.Wall(at)} }
	var stored *machine.Record
	p.step(t, now(), machine.Input{Kind: machine.Started})
	cancelAt := draw.IntN(120)
	trouble := []int{0, 10, 40}[draw.IntN(3)]
	for n := range 100 {
		if p.returned {
			seen["returned"]++
			return
		}
		if chance(2) {
			seen["wall clock set"]++
			walls += machine.Wall(draw.IntN(int(20*s))) - machine.Wall(10*s)
		}
		if n == cancelAt {
			if cfg.ReleaseOnCancel && !p.second.renewing {
				seen["closed, acquiring"]++ // doc.go leaves out what follows
				return
			}
			p.step(t, now(), machine.Input{Kind: machine.Cancelled})
			continue
		}
		due, first := p.due()
		answered := at + machine.Mono(draw.IntN(int(100*ms)))
		if chance(10) {
			answered = at + machine.Mono(draw.IntN(int(4*s)))
		}
		switch {
		case p.request != nil && (len(due) == 0 || answered < due[0]):
			at = answered
			stored = p.answer(t, now(), draw, trouble, stored)
		default:
			require.NotEmpty(t, due, "nothing is under way, and it has not returned")
			at = max(at, due[0])
			p.step(t, now(), machine.Input{Kind: machine.Fired, Timer: first})
		}
	}
}

// answer answers the request under way, and returns the record that is stored then.
func (p *pair) answer(t *testing.T, now machine.Now, draw *rand.Rand, trouble int, stored *machine.Record) *machine.Record {
	r := answerTo(p.request, draw, now, trouble, &stored)
	p.step(t, now, machine.Input{Kind: machine.Responded, Response: r})
	return stored
}

// answerTo draws the answer to a request, and what is stored then.
func answerTo(request *machine.Request, draw *rand.Rand, now machine.Now, trouble int, stored **machine.Record) machine.Response {
	r := machine.Response{ID: request.ID, Outcome: machine.Done}
	asked := *request
	failed := draw.IntN(100) < trouble
	switch {
	case asked.Verb != machine.Get:
		if failed {
			r.Outcome = []machine.Outcome{machine.Conflict, machine.Failed}[draw.IntN(2)]
		}
		if !failed || draw.IntN(3) == 0 {
			*stored = &asked.Record
		}
	case failed:
		r.Outcome = []machine.Outcome{machine.NotFound, machine.Failed}[draw.IntN(2)]
	default:
		if *stored == nil || draw.IntN(100) < trouble/4 {
			wall := (now.Wall - machine.Wall(draw.IntN(int(time.Second)))).Truncate(time.Microsecond) // as a server keeps it
			*stored = &machine.Record{
				Holder: []string{"b", "c", "a", ""}[draw.IntN(4)], DurationSeconds: 15,
				Acquire: wall, Renew: wall, Transitions: int64(draw.IntN(3)),
			}
			if draw.IntN(10) == 0 {
				(*stored).Acquire, (*stored).Renew = machine.NoTime, machine.NoTime
			}
		}
		found := **stored
		r.Record = &found
	}
	return r
}
