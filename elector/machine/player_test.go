package machine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// epoch is 2000-01-01T00:00:00Z: what a wall clock shows at 0 if it is not ahead.
const epoch machine.Wall = 946684800 * 1e9

// player drives one machine by text, and checks that what the machine asks for makes sense.
type player struct {
	m     machine.Machine
	id    string
	ahead time.Duration
	state string
	out   []machine.Output

	timers   [machine.Timers]struct{ armed bool }
	inFlight uint64
	left     uint64 // the request of an attempt that was left running
	working  bool
	done     bool
}

// play plays one line of input and returns what came of it.
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
		p.m = machine.New(p.config(t, words[1:]))
		return p.moved()
	case "leads":
		return p.leads(t)
	case "again":
		p.m.Again()
		p.done, p.working = false, false
		return p.moved()
	case "wall":
		p.ahead = parse(t, words[1])
		return ""
	case "healthy":
		return fmt.Sprintln(p.m.Healthy(machine.Mono(at), parse(t, words[1])))
	case "start":
		in.Kind = machine.Started
	case "cancel":
		in.Kind = machine.Cancelled
	case "workReturned":
		in.Kind = machine.WorkReturned
	case "unwind":
		in.Kind = machine.Unwinding
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
	leftGoesOn := in.Kind == machine.Responded && in.Response.ID == p.left
	if in.Kind == machine.Responded && in.Response.ID == p.inFlight {
		p.inFlight = 0
	}
	if in.Kind == machine.Unwinding {
		p.inFlight = 0
	}
	now := machine.Now{Mono: machine.Mono(at), Wall: epoch + machine.Wall(p.ahead+at)}
	p.out = p.m.Step(now, in, p.out[:0])
	var b strings.Builder
	for i := range p.out {
		if leftGoesOn {
			p.watchLeft(t, &p.out[i])
		} else {
			p.watch(t, &p.out[i])
		}
		b.WriteString(show(&p.out[i]) + "\n")
	}
	if len(p.out) == 0 {
		b.WriteString("nothing\n")
	}
	b.WriteString(p.moved())
	return b.String()
}

// leads plays the quickest way to lead.
func (p *player) leads(t *testing.T) string {
	p.play(t, "start @0s")
	p.play(t, "response 1 notFound @1ms")
	p.play(t, "response 2 done @2ms")
	return p.play(t, "response 3 done @3ms")
}

// watch holds the machine to what its documentation promises.
func (p *player) watch(t *testing.T, o *machine.Output) {
	require.False(t, p.done, "an output after Return: %s", show(o))
	switch o.Kind {
	case machine.Send:
		require.Zero(t, p.inFlight, "two requests in flight")
		p.inFlight = o.Request.ID
	case machine.Abandon:
		require.NotZero(t, p.inFlight, "nothing to abandon")
	case machine.Detach:
		require.NotZero(t, p.inFlight, "nothing to detach")
		p.left, p.inFlight = p.inFlight, 0
	case machine.SetTimer:
		p.timers[o.Timer].armed = true
	case machine.StopTimer:
		require.True(t, p.timers[o.Timer].armed, "%v is not armed", o.Timer)
		p.timers[o.Timer].armed = false
	case machine.StartWork:
		require.False(t, p.working)
		p.working = true
	case machine.StopWork:
		require.True(t, p.working)
		p.working = false
	case machine.Return:
		require.Zero(t, p.inFlight, "a request in flight")
		require.False(t, p.working, "work goes on")
		p.done = true
	}
}

// watchLeft does what watch does, for the answer to an attempt that was left running.
func (p *player) watchLeft(t *testing.T, o *machine.Output) {
	require.Equal(t, machine.Send, o.Kind, "no more than a request: %s", show(o))
	p.left = o.Request.ID
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

func (p *player) config(t *testing.T, words []string) machine.Config {
	c := machine.Config{Identity: words[0], Profile: machine.ClientGo}
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
		case key == "wall":
			p.ahead = parse(t, value)
		case w == "release":
			c.ReleaseOnCancel = true
		case w == "leaseFrom=send":
			c.Profile.FromSend = true
		case w == "compare=exact":
			c.Profile.CompareExact = true
		case w == "foreign=obeyed":
			c.Profile.ForeignObeyed = true
		case w == "seconds=up":
			c.Profile.RoundUp = true
		case w == "release=once":
			c.Profile.Release = machine.ReleaseOnce
		case w == "renewal=readFirst":
			c.Profile.ReadFirst = true
		default:
			require.Fail(t, "no such option", w)
		}
	}
	return c
}

var outcomes = map[string]machine.Outcome{
	"done": machine.Done, "notFound": machine.NotFound, "conflict": machine.Conflict, "failed": machine.Failed,
	"panicked": machine.Panicked,
}

func response(t *testing.T, words []string) machine.Response {
	r := machine.Response{Record: new(machine.Record)}
	r.ID = uint64(integer(t, words[0]))
	r.Outcome = outcomes[words[1]]
	require.NotZero(t, r.Outcome, "no outcome %q", words[1])
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "holder":
			r.Record.Holder = value
		case "seconds":
			r.Record.DurationSeconds = integer(t, value)
		case "transitions":
			r.Record.Transitions = integer(t, value)
		case "acquire":
			r.Record.Acquire = epoch + machine.Wall(parse(t, value))
		case "renew":
			r.Record.Renew = epoch + machine.Wall(parse(t, value))
		case "raw":
			r.Raw = []byte(value)
		default:
			require.Fail(t, "no such field", w)
		}
	}
	return r
}

func integer(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}
