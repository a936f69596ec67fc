package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// clientOf gives a candidate a client.
func clientOf(l plan.Client) func(*plan.Candidate) { return func(c *plan.Candidate) { c.Client = &l } }

// refusing is a fault by which the service asks to be asked again.
func refusing(at, until, after time.Duration) plan.Fault {
	f := window(plan.FaultThrottle, at, until)
	f.RetryAfter = &after
	return f
}

// after returns those times that are at or after from.
func after(from time.Duration, times []time.Duration) (later []time.Duration) {
	for _, t := range times {
		if t >= from {
			later = append(later, t)
		}
	}
	return later
}

// renewals returns when a sends an update, or another event of that kind happens to one, between those times.
func renewals(t *testing.T, p *plan.Plan, kind trace.Kind, from, until time.Duration) (times []time.Duration) {
	for _, at := range play(t, round(p, ms)).at("a", kind, update) {
		if from <= at && at < until {
			times = append(times, at)
		}
	}
	return times
}

// TestRepeats: the second renewal, sent at 2.006 s, is refused with a Retry-After. It is sent again, within its context and its
// timeout, which go on.
func TestRepeats(t *testing.T) {
	repeats := clientOf(plan.Client{Retries: true})
	once := refusing(sent, sent+2*ms, 2*sec)
	alone := func(faults plan.Fault, changes ...func(*plan.Candidate)) *plan.Plan {
		return with(aPlan(20*sec, who("a", 0, changes...)), faults)
	}
	for name, c := range map[string]struct {
		plan  *plan.Plan
		kind  trace.Kind
		until time.Duration
		want  []time.Duration
	}{
		"once":             {alone(once, repeats), trace.RequestSent, 5 * sec, []time.Duration{sent, 4008 * ms}},
		"without a client": {alone(once), trace.RequestSent, 5 * sec, []time.Duration{sent, 2010 * ms, 4012 * ms}},
		"a client that does not": {alone(once, clientOf(plan.Client{})), trace.RequestSent, 5 * sec,
			[]time.Duration{sent, 2010 * ms, 4012 * ms}},
		"an error without a wish": {alone(but(window(plan.FaultError, sent, sent+2*ms), func(f *plan.Fault) { f.Status = 503 }), repeats), trace.RequestSent,
			5 * sec, []time.Duration{sent, 2010 * ms, 4012 * ms}},
		"eleven times": {alone(refusing(sent, 15*sec, 0), repeats), trace.RequestSent, 3 * sec, []time.Duration{sent, 2008 * ms,
			2010 * ms, 2012 * ms, 2014 * ms, 2016 * ms, 2018 * ms, 2020 * ms, 2022 * ms, 2024 * ms, 2026 * ms}},
		"beyond the timeout": {alone(once, repeats, timeout(1500*ms)), trace.LocalError, 20 * sec, []time.Duration{3506 * ms}},
		"beyond the poll": {alone(refusing(sent, sent+2*ms, 20*sec), repeats), trace.LocalError, 20 * sec,
			[]time.Duration{12006 * ms}},
		"not sent at a reset": {alone(fault(plan.FaultReset, sent+ms, "a"), repeats), trace.GaveUp, 20 * sec, []time.Duration{sent + ms}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, renewals(t, c.plan, c.kind, sent, c.until)) })
	}
}

// TestRepeatsAReadAfterReset: a read whose connection ends is sent again a second later, if the client repeats.
func TestRepeatsAReadAfterReset(t *testing.T) {
	lost := fault(plan.FaultReset, ms, "a") // while the first request of a, a Get, is on its way
	for repeats, want := range map[bool]time.Duration{true: 1001 * ms, false: 2001 * ms} {
		p := aPlan(4*sec, who("a", 0, clientOf(plan.Client{Retries: repeats}), func(c *plan.Candidate) { c.Jitter = new(0.0) }))
		got := play(t, round(with(p, lost), ms)).at("a", trace.RequestSent, get)
		assert.Equal(t, []time.Duration{0, want}, got[:2])
	}
}

// TestTokens: a's renewals wait for tokens, of which it has one a second, and others take some at 2 s.
func TestTokens(t *testing.T) {
	slow := func(others int) func(*plan.Candidate) {
		return clientOf(plan.Client{QPS: 1, Burst: 3, Other: []plan.Traffic{{At: 2 * sec, Count: others}}})
	}
	for name, c := range map[string]struct {
		plan *plan.Plan
		kind trace.Kind
		want []time.Duration
	}{
		// At 4 ms the bucket is empty, and at 2 s there are two tokens in it.
		"a token is there": {aPlan(5*sec, who("a", 0, slow(1))), trace.RequestSent, []time.Duration{sent, 4008 * ms}},
		"it waits":         {aPlan(5*sec, who("a", 0, slow(3))), trace.RequestSent, []time.Duration{4 * sec}},
		"too long to ask":  {aPlan(5*sec, who("a", 0, slow(30))), trace.LocalError, []time.Duration{sent, 4006 * ms}},
		"a new process has a full bucket": {with(aPlan(5*sec, who("a", 0, slow(30))), fault(plan.FaultRestart, 3*sec, "a")),
			trace.LocalError, []time.Duration{sent}},
		"some come at its thaw": {with(aPlan(5*sec, who("a", 0, slow(3))), window(plan.FaultPause, 1900*ms, 2*sec, "a")),
			trace.RequestSent, []time.Duration{4 * sec}},
		"none come to a frozen process": {with(aPlan(5*sec, who("a", 0, slow(30))), window(plan.FaultPause, 1900*ms, 2100*ms, "a")),
			trace.RequestSent, []time.Duration{2100 * ms, 4102 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			p := round(c.plan, ms)
			assert.Equal(t, c.want, after(2*sec, play(t, p).at("a", c.kind, update)))
		})
	}
}

// TestOthersAtTheStart: what others ask for at the instant at which a process starts comes before its first request.
func TestOthersAtTheStart(t *testing.T) {
	busy := func(at time.Duration) *plan.Plan {
		return aPlan(20*sec, who("a", at, clientOf(plan.Client{QPS: 1, Burst: 3, Other: []plan.Traffic{{At: 0, Count: 8}}})))
	}
	assert.Equal(t, 6*sec, play(t, busy(0)).at("a", trace.RequestSent)[0])
	assert.Equal(t, ms, play(t, busy(ms)).at("a", trace.RequestSent)[0], "they came before it")
}

// TestStall: the connection carries nothing from 2.007 s on, when the second renewal arrives.
func TestStall(t *testing.T) {
	stalled := func(until time.Duration, changes ...func(*plan.Candidate)) *plan.Plan {
		f := fault(plan.FaultStall, sent, "a")
		if until > 0 {
			f.Until = &until
		}
		p := aPlan(100*sec, who("a", 0, append(changes, clientOf(plan.Client{Retries: true}))...))
		p.Candidates[0].LeaseDuration, p.Candidates[0].RenewDeadline = 80*sec, 60*sec
		return with(p, f)
	}
	// The last answer before was read at 6 ms.
	for name, c := range map[string]struct {
		plan *plan.Plan
		kind trace.Kind
		want time.Duration
	}{
		"is kept back":            {stalled(9 * sec), trace.ResponseHandled, 9002 * ms},
		"for ever":                {stalled(0), trace.GaveUp, 45006 * ms},
		"and a new one works":     {stalled(0), trace.ResponseHandled, 45010 * ms},
		"a ping in time saves it": {stalled(45 * sec), trace.ResponseHandled, 45002 * ms},
		"a ping too late":         {stalled(45005 * ms), trace.GaveUp, 45006 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			got := after(sent, play(t, round(c.plan, ms)).at("a", c.kind, update, get))
			assert.Equal(t, c.want, got[0])
		})
	}
}

// TestFrame: what else is read puts off the ping, unless there is nothing to read from.
func TestFrame(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{Retries: true}), func(c *plan.Candidate) { c.LeaseDuration, c.RenewDeadline = 80*sec, 60*sec })
	for name, c := range map[string]struct {
		at, closed time.Duration
		void       bool
	}{
		"before any connection": {0, 45006 * ms, true}, "as it is alive": {2 * sec, 47 * sec, false}, "before the last answer": {5 * ms, 45006 * ms, false},
		"when it carries nothing": {20 * sec, 45006 * ms, true},
	} {
		p := with(aPlan(100*sec, a), fault(plan.FaultStall, sent, "a"), fault(plan.FaultFrame, c.at, "a"))
		r := play(t, round(p, ms))
		assert.Equal(t, []time.Duration{c.closed}, after(sent, r.at("a", trace.GaveUp, update, get)), name)
		assert.Equal(t, c.void, len(r.at("-", trace.FaultVoid)) > 0, name)
	}
}

// TestStallBehindAnAnswer: the answer to the second renewal is on its way when the connection stalls, and is read at 2.008 s. The
// connection is closed all the same, 45 s after that.
func TestStallBehindAnAnswer(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{Retries: true}), func(c *plan.Candidate) { c.LeaseDuration, c.RenewDeadline = 80*sec, 60*sec })
	p := with(aPlan(100*sec, a), fault(plan.FaultStall, sent+3*ms/2, "a"))
	assert.Equal(t, []time.Duration{sent + 2*ms + 45*sec}, renewals(t, p, trace.GaveUp, sent, 100*sec))
}

// TestResetOfStalled: the connection that stalls ends, and the new one works, also if no request is in flight at that time.
func TestResetOfStalled(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{Retries: true}))
	for name, c := range map[string]struct {
		stall, reset time.Duration
		want         []time.Duration
	}{
		"in flight":     {sent, sent + 500*ms, []time.Duration{sent + 504*ms, sent + 506*ms + 2*sec}},
		"between calls": {sent + 3*ms, sent + sec, []time.Duration{sent + 2*ms, sent + 4*ms + 2*sec}},
	} {
		t.Run(name, func(t *testing.T) {
			p := with(aPlan(20*sec, a), fault(plan.FaultStall, c.stall, "a"), fault(plan.FaultReset, c.reset, "a"))
			assert.Equal(t, c.want, renewals(t, p, trace.ResponseHandled, sent, 5*sec))
		})
	}
}

// TestResetLosesWhatWasKeptBack: what was sent on a connection that stalls never arrives if that is reset, neither a request nor an
// answer.
func TestResetLosesWhatWasKeptBack(t *testing.T) {
	for name, c := range map[string]struct {
		stall time.Duration
		lost  trace.Kind
	}{
		"a request": {sent, trace.RequestLost},
		"an answer": {sent + ms/2, trace.ResponseLost},
	} {
		t.Run(name, func(t *testing.T) {
			stall := window(plan.FaultStall, c.stall, 9*sec, "a")
			a := who("a", 0, clientOf(plan.Client{Retries: true}))
			p := play(t, round(with(aPlan(20*sec, a), stall, fault(plan.FaultReset, 4*sec, "a")), ms))
			assert.Equal(t, []time.Duration{4 * sec}, p.at("a", c.lost, update))
			assert.Empty(t, p.at("a", trace.ResponseLate, update))
			assert.NotContains(t, p.at("a", trace.Written, update), 9*sec+ms)
		})
	}
}

// TestNothingToStall: after a reset there is no connection until the next request opens one.
func TestNothingToStall(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{Retries: true}))
	p := play(t, with(aPlan(20*sec, a), fault(plan.FaultReset, sent+sec, "a"), fault(plan.FaultStall, sent+sec+ms, "a")))
	void := 0
	for _, e := range p.events {
		if e.Kind == trace.FaultVoid {
			void++
		}
	}
	assert.Equal(t, 1, void)
	assert.Empty(t, p.at("a", trace.GaveUp))
}

// TestBrownout: messages take longer by a factor, whatever else is said of them.
func TestBrownout(t *testing.T) {
	slow := func(factor float64) plan.Fault {
		return but(window(plan.FaultBrownout, sent, sent+50*ms), func(f *plan.Fault) { f.Factor = &factor })
	}
	late := but(window(plan.FaultDelay, sent, sent+50*ms), func(f *plan.Fault) { f.Response = &plan.Delay{Min: 7 * ms, Max: 7 * ms} })
	p := func(faults ...plan.Fault) *plan.Plan { return with(aPlan(4*sec, who("a", 0)), faults...) }
	assert.Equal(t, []time.Duration{sent + 2*ms}, renewals(t, p(slow(1)), trace.ResponseHandled, sent, 3*sec))
	assert.Equal(t, []time.Duration{sent + 20*ms}, renewals(t, p(slow(10)), trace.ResponseHandled, sent, 3*sec))
	assert.Equal(t, []time.Duration{sent + 16*ms}, renewals(t, p(slow(2), late), trace.ResponseHandled, sent, 3*sec))
	assert.Equal(t, []time.Duration{sent + 16*ms}, renewals(t, p(late, slow(2)), trace.ResponseHandled, sent, 3*sec))
}

// TestSeats: the service has one seat, which a request has for 100 ms, and others take it every 80 ms, from 2.006 s on. The second renewal
// arrives 1 ms later.
func TestSeats(t *testing.T) {
	seats := func(change func(*plan.Fault)) *plan.Plan {
		f := but(window(plan.FaultBrownout, sent, sent+400*ms), func(f *plan.Fault) { f.Seats, f.Takes, f.Every = 1, 100*ms, 80*ms }, change)
		return with(aPlan(4*sec, who("a", 0, clientOf(plan.Client{Retries: true}))), f)
	}
	for name, c := range map[string]struct {
		change func(*plan.Fault)
		kind   trace.Kind
		want   []time.Duration
	}{
		"waits for the first":     {func(*plan.Fault) {}, trace.ResponseHandled, []time.Duration{sent + 200*ms + ms}},
		"two seats":               {func(f *plan.Fault) { f.Seats = 2 }, trace.ResponseHandled, []time.Duration{sent + 102*ms}},
		"nobody else":             {func(f *plan.Fault) { f.Every = 0 }, trace.ResponseHandled, []time.Duration{sent + 102*ms}},
		"a queue of one, no wait": {func(f *plan.Fault) { f.Queue = 1 }, trace.ResponseHandled, []time.Duration{sent + 200*ms + ms}},
		"turned away": {func(f *plan.Fault) { f.Queue, f.Every = 1, ms/2 }, trace.RequestSent,
			[]time.Duration{sent, sent + sec + 2*ms}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, renewals(t, seats(c.change), c.kind, sent, 3500*ms)) })
	}
}

// TestResetOfIdle: a reset of a connection on which nothing is under way has an effect: the next request has to dial. Without a
// connection it has none.
func TestResetOfIdle(t *testing.T) {
	a := who("a", 0, clientOf(plan.Client{Dial: sec}))
	calm := renewals(t, aPlan(20*sec, a), trace.RequestSent, 5*sec, 20*sec)
	idle := calm[0] + 500*ms
	p := with(aPlan(20*sec, a), fault(plan.FaultReset, idle, "a"), fault(plan.FaultReset, idle+ms, "a"))
	assert.Equal(t, calm[1]+sec, renewals(t, p, trace.RequestSent, 5*sec, 20*sec)[1])
	var void []int32
	for _, e := range play(t, p).events {
		if e.Kind == trace.FaultVoid {
			void = append(void, e.Fault)
		}
	}
	assert.Equal(t, []int32{1}, void)
}
