package ttl_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
)

// player drives one machine by text, and checks that what the machine asks for makes sense.
type player struct {
	m     ttl.Machine
	id    string
	state string
	out   []machine.Output
	guard guard
}

// guard holds a machine to what its documentation promises.
type guard struct {
	armed             [machine.Timers]bool
	inFlight, watched uint64
	working, done     bool
}

func (p *player) play(t *testing.T, line string) string {
	words := strings.Fields(line)
	at := time.Duration(0)
	if last := words[len(words)-1]; last[0] == '@' {
		at = parse(t, last[1:])
		words = words[:len(words)-1]
	}
	var in machine.Input
	switch words[0] {
	case "candidate":
		*p = player{id: words[1], out: p.out[:0]}
		p.m = ttl.New(config(t, words[1:]))
		return p.moved()
	case "leads":
		p.play(t, "start @0s")
		p.play(t, "response 1 notFound @1ms")
		return p.play(t, "response 2 done @2ms")
	case "again":
		p.m.Again()
		p.guard.done, p.guard.working = false, false
		return p.moved()
	case "healthy":
		return fmt.Sprintln(p.m.Healthy(machine.Mono(at), parse(t, words[1])))
	case "start":
		in.Kind = machine.Started
	case "cancel":
		in.Kind = machine.Cancelled
	case "unwind":
		in.Kind = machine.Unwinding
	case "worked":
		in.Kind = machine.WorkReturned
	case "fired":
		in.Kind, in.Timer = machine.Fired, timerNamed(t, words[1])
	case "response":
		in.Kind, in.Response = machine.Responded, response(t, words[1:])
	default:
		require.Fail(t, "no such input", line)
	}
	return p.step(t, at, &in)
}

func (p *player) step(t *testing.T, at time.Duration, in *machine.Input) string {
	p.guard.before(in)
	p.out = p.m.Step(machine.Now{Mono: machine.Mono(at)}, in, p.out[:0])
	var b strings.Builder
	for i := range p.out {
		p.guard.watch(t, &p.out[i])
		b.WriteString(show(&p.out[i]) + "\n")
	}
	if len(p.out) == 0 {
		b.WriteString("nothing\n")
	}
	b.WriteString(p.moved())
	return b.String()
}

func (g *guard) before(in *machine.Input) {
	switch {
	case in.Kind == machine.Responded && in.Response.ID == g.inFlight, in.Kind == machine.Unwinding:
		g.inFlight = 0
	case in.Kind == machine.Responded && in.Response.ID == g.watched:
		g.watched = 0
	}
}

func (g *guard) watch(t require.TestingT, o *machine.Output) {
	require.False(t, g.done, "an output after Return: %s", show(o))
	switch o.Kind {
	case machine.Send:
		if o.Request.Verb == machine.Watch {
			require.Zero(t, g.watched, "two watches in flight")
			g.watched = o.Request.ID
			return
		}
		require.Zero(t, g.inFlight, "two requests in flight")
		g.inFlight = o.Request.ID
	case machine.Unwatch:
		require.NotZero(t, g.watched, "no watch to end")
		g.watched = 0
	case machine.Abandon:
		require.NotZero(t, g.inFlight, "nothing to abandon")
	case machine.SetTimer:
		g.armed[o.Timer] = true
	case machine.StopTimer:
		require.True(t, g.armed[o.Timer], "%v is not armed", o.Timer)
		g.armed[o.Timer] = false
	case machine.StartWork:
		require.False(t, g.working)
		require.Zero(t, g.watched, "a leader watches")
		g.working = true
	case machine.StopWork:
		require.True(t, g.working)
		g.working = false
	case machine.Return:
		require.Zero(t, g.inFlight, "a request in flight")
		require.Zero(t, g.watched, "a watch in flight")
		require.False(t, g.working, "work goes on")
		g.done = true
	}
}

// moved says where the machine is, if that changed.
func (p *player) moved() string {
	phase := [...]string{"idle", "acquiring", "renewing", "draining", "releasing", "returned"}[p.m.Phase()]
	state := fmt.Sprintf("= %s, leader %s\n", phase, orNobody(p.m.Leader()))
	if state == p.state {
		return ""
	}
	p.state = state
	return state
}

func orNobody(leader string) string {
	if leader == "" {
		return "nobody"
	}
	return leader
}

func parse(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

func timerNamed(t *testing.T, name string) machine.Timer {
	for timer := range machine.Timer(machine.Timers) {
		if timer.String() == name {
			return timer
		}
	}
	require.Fail(t, "no such timer", name)
	return 0
}

func config(t *testing.T, words []string) machine.Config {
	c := machine.Config{Identity: words[0], Profile: machine.Strict}
	timings := strings.Split(words[1], "/")
	require.Len(t, timings, 3)
	c.LeaseDuration, c.RenewDeadline = parse(t, timings[0]), parse(t, timings[1])
	c.RetryPeriod = parse(t, timings[2])
	require.NoError(t, c.Validate())
	for _, w := range words[2:] {
		switch key, value, _ := strings.Cut(w, "="); {
		case key == "profile":
			named, known := machine.ProfileNamed(value)
			require.True(t, known)
			c.Profile = named
		case w == "release":
			c.ReleaseOnCancel = true
		default:
			require.Fail(t, "no such option", w)
		}
	}
	return c
}

var outcomes = map[string]machine.Outcome{
	"done": machine.Done, "notFound": machine.NotFound, "conflict": machine.Conflict, "failed": machine.Failed,
	"panicked": machine.Panicked, "noWatch": machine.NoWatch,
}

func response(t *testing.T, words []string) machine.Response {
	id, err := strconv.ParseUint(words[0], 10, 64)
	require.NoError(t, err)
	r := machine.Response{ID: id, Outcome: outcomes[words[1]], Record: new(machine.Record)}
	require.NotZero(t, r.Outcome, "no outcome %q", words[1])
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		require.Equal(t, "holder", key, "no such field")
		r.Record.Holder = value
	}
	return r
}

// show writes an output as transcripts do.
func show(o *machine.Output) string {
	switch o.Kind {
	case machine.SetTimer:
		first, last := time.Duration(o.Due(0)), time.Duration(o.Due(1))
		if first == last {
			return fmt.Sprintf("set %v @%v", o.Timer, first)
		}
		return fmt.Sprintf("set %v @%v..%v", o.Timer, first, last)
	case machine.StopTimer:
		return fmt.Sprintf("stop %v", o.Timer)
	case machine.Send:
		return showRequest(o.Request)
	case machine.NewLeader:
		return "tell the new leader: " + orNobody(o.Text)
	}
	return map[machine.OutputKind]string{
		machine.Abandon: "abandon", machine.StartWork: "start work", machine.StopWork: "stop work",
		machine.Stopped: "stopped", machine.Return: "return", machine.MetricOn: "metric on",
		machine.MetricOff: "metric off", machine.Unwatch: "unwatch",
	}[o.Kind]
}

func showRequest(r *machine.Request) string {
	scope := map[machine.Scope]string{
		machine.ScopeRun: "run", machine.ScopePoll: "poll", machine.ScopeRelease: "release", machine.ScopeWatch: "watch",
	}[r.Scope]
	if r.Ended {
		scope += ", over"
	}
	return fmt.Sprintf("send %d %v (%s)", r.ID, r.Verb, scope)
}
