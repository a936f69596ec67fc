package stage

import (
	"cmp"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// readWaiting has the release of a member, which begins now, read the record at an instant, which is a little after another one, and returns
// that instant: the read waits for a token as long as it must. What follows it does not wait, since its answer takes as long as the next
// token. If it takes as long as one and a half, the release conflicts with what was written before that instant, and reads again.
func (s *crowd) readWaiting(m *actor, after time.Duration) time.Duration {
	at := after + slack // a wait for a token is rounded
	token := bound.True(time.Duration(float64(time.Second)/m.cfg.Client.QPS), m.driftPPM)
	late := at - m.now
	if 2*m.direct() <= 3*token {
		m.waits(late - m.direct() + s.leg)
		m.slowOut(at - m.now)
		return at
	}
	m.waits(late - 2*m.direct() + 4*s.leg)
	m.request(0, answered, min(m.direct(), at-m.now-4*s.leg))
	m.slowOut(at - m.now)
	return at + 2*s.leg
}

// waits has the next call wait for a token so long, in true time, or as long as other traffic may have it wait: that comes just before or, for
// less than a token, a little sooner. The bucket is full until then. It advances m past that wait.
func (m *actor) waits(d time.Duration) {
	q, size := float64(float32(m.cfg.Client.QPS)), m.cfg.Client.Burst
	most := float64(max(0, m.env.MostAtOnce()+1-size)) / q
	wait := min(bound.Local(max(0, d), m.driftPPM), time.Duration(most*float64(time.Second))-2*m.near)
	if wait <= 0 {
		return
	}
	count := math.Ceil((wait + m.near).Seconds() * q)
	sooner := time.Duration(count/q*float64(time.Second)) - wait
	m.traffic(m.id, plan.Traffic{At: m.local - sooner, Count: int(count) + size - 1})
	m.wait(wait)
	m.bucket = bucket{at: m.local, taken: float64(size - 1)}
}

// asked returns how often answers must have a member's release send its requests again so that it reads the record so late, how many of
// these requests are its first read, and how long it takes at least. What arrives in the end then takes as long as it may.
func (s *crowd) asked(m *actor, late time.Duration) (again, read, takes time.Duration) {
	again = max(0, (late-m.direct()+4*s.leg+time.Second-1)/time.Second)
	read = min(again, plan.MaxRetries, (cmp.Or(m.cfg.RequestTimeout, m.cfg.RenewDeadline)-1)/time.Second)
	takes = again*(time.Second+m.trip()) + s.leg
	if again > read {
		takes += m.trip()
	}
	return again, read, takes
}

// readAsked has the release of a member, which begins now, read the record at an instant, and returns when it does: answers have its requests
// sent again so many times, a second later each. So many of these are its read; the others are the write which then conflicts with what was
// written before that instant.
func (s *crowd) readAsked(m *actor, at, again, read time.Duration) time.Duration {
	asks := func(times time.Duration) {
		for range times {
			m.fault(scenarios.Fault{Kind: plan.FaultThrottle, RetryAfter: new(time.Second)}, m.id, m.now, m.now+m.leg)
			m.pass(m.trip())
			m.wait(time.Second)
		}
	}
	asks(read)
	if again == read {
		m.slowOut(at - m.now)
		return at
	}
	m.pass(m.trip())
	asks(again - read)
	m.slowOut(at - m.now)
	return at + 2*s.leg
}

// blankClosed has a member, whose release has begun and whose last poll began at polled, release the lock at an instant, or as soon after it
// as it can: its connection is closed under the release's read, and that is sent again. Nothing is read for plan.LongestStall before.
func (s *crowd) blankClosed(m *actor, polled, at time.Duration) (applied time.Duration) {
	shift := 8 * s.leg
	soonest := max(m.now, polled-s.cfg.RetryPeriod+plan.LongestStall) + shift
	closed := max(at-s.leg-plan.RepeatAfter, soonest)
	heard := closed - plan.LongestStall
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultFrame, At: heard, On: []string{m.id}})
	if heard > polled { // its connection lives on
		s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.RequestLeg, Object: s.lock().Objects()[0].String()}, m.id, polled, heard)
	}
	s.cutOff(m.id, max(polled, heard+2*s.leg), closed+plan.RepeatAfter/2)
	m.pass(closed + plan.RepeatAfter + s.leg - m.now)
	s.last = m.now + 2*(s.gets()+s.updates()-1)*s.leg
	return s.last
}

// gathers requires that a crowd of more rounds shows a longer overlap, within the environment, and the largest one more than the bound r.
func gathers(t require.TestingT, a *attacked, r *bound.Result, rounds ...int) {
	before := time.Duration(0)
	for _, n := range rounds {
		p := newCrowd(a.c, a.e)
		p.closes = a.c.Closes
		p.rounds(t, n)
		w := gatetest.Watched(t, p.s)
		require.Empty(t, w.Outside(p.s, a.e), "%+v in %+v", *a.c, *a.e)
		require.Greater(t, w.Score(), before+a.c.RenewDeadline, "%d rounds of %+v in %+v", n, *a.c, *a.e)
		before = w.Score()
	}
	assert.Greater(t, before, r.Overlap)
}

// TestClientGathers: leaders gather only because the read of a release waits for a token, or because its connection is closed.
func TestClientGathers(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	timings := func(lease, deadline, period time.Duration) machine.Timings {
		return machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}
	}
	limited, free := plan.Client{QPS: 5, Burst: 10, Retries: true}, plan.Client{Retries: true}
	for name, row := range map[string]struct {
		machine.Timings
		timeout time.Duration
		client  plan.Client
		e       bound.Environment
	}{
		"cert-manager":              {timings(60*s, 40*s, 15*s), 0, free, bound.Environment{MaxRoundTrip: s}},
		"descheduler":               {timings(137*s, 107*s, 26*s), 0, limited, bound.Environment{MaxRoundTrip: s}},
		"Crossplane":                {timings(60*s, 50*s, 2*s), 25 * s, free, bound.Environment{MaxRoundTrip: s}},
		"closed just in time":       {timings(45*s, 30*s, 2*s), 15 * s, free, bound.Environment{MaxRoundTrip: 10 * ms}},
		"a burst":                   {timings(15*s, 10*s, 2*s), 0, limited, bound.Environment{MaxRoundTrip: s, OtherBurst: 20}},
		"a burst and a rate":        {timings(15*s, 10*s, 2*s), 5 * s, limited, bound.Environment{MaxRoundTrip: 500 * ms, OtherBurst: 30, OtherQPS: 1}},
		"a burst before a conflict": {timings(15*s, 10*s, 2*s), 0, limited, bound.Environment{MaxRoundTrip: 900 * ms, OtherBurst: 13}},
		"a burst, and five tokens":  {timings(15*s, 10*s, 2*s), 5 * s, plan.Client{QPS: 5, Burst: 5}, bound.Environment{MaxRoundTrip: 300 * ms, OtherBurst: 20}},
		"asked to send it again":    {timings(15*s, 10*s, 2*s), 5 * s, limited, bound.Environment{MaxRoundTrip: 10 * ms, MaxRetryAfter: s}},
		"asked twice":               {timings(20*s, 10*s, 2*s), 5 * s, limited, bound.Environment{MaxRoundTrip: 100 * ms, MaxRetryAfter: s}},
		"periods below a second":    {timings(9*s, 4500*ms, 500*ms), 0, plan.Client{QPS: 20, Burst: 30}, bound.Environment{MaxRoundTrip: 200 * ms, OtherBurst: 110}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &bound.Config{
				Timings: row.Timings, Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: plan.Lease,
				Client: &row.client, Closes: row.e.OtherBurst == 0 && row.e.MaxRetryAfter == 0,
			}
			r, err := bound.Of(c, &row.e)
			require.NoError(t, err)
			require.Equal(t, bound.Gathering, r.Plan.Endless)
			closes := c.Closes
			c.Closes = false
			alone, err := bound.Of(c, &row.e)
			require.NoError(t, err)
			require.False(t, alone.Calm().Unbounded, "its client is the reason")
			c.Closes = closes
			gathers(t, &attacked{c, &row.e}, r, 3, 5, 7, 9)
		})
	}
}

// nearlyGatheringClient is a configuration with a client by which leaders gather, or not quite: by closings, or by waits for tokens.
var nearlyGatheringClient = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	c := &bound.Config{Profile: machine.ClientGo, ReleaseOnCancel: true, Lock: plan.Lease}
	c.RetryPeriod = ms(300, 15_000, "retryPeriod")
	c.RenewDeadline = c.RetryPeriod*12/10 + ms(1000, 60_000, "renewDeadline")
	if rapid.Bool().Draw(t, "timeout") {
		c.RequestTimeout = c.RenewDeadline * time.Duration(rapid.IntRange(20, 150).Draw(t, "part")) / 100
	}
	e := &bound.Environment{MaxRoundTrip: ms(10, 3000, "trip"), MaxPause: ms(0, 1, "pause") * time.Duration(rapid.SampledFrom([]int{0, 0, 700}).Draw(t, "frozen"))}
	all := c.RetryPeriod + c.RenewDeadline
	c.LeaseDuration = (all + ms(0, int(c.RenewDeadline/time.Millisecond), "more")).Truncate(time.Second) + time.Second
	if c.Closes = rapid.Bool().Draw(t, "closes"); c.Closes && rapid.Bool().Draw(t, "unlimited") {
		c.Client = &plan.Client{Retries: true}
		return attacked{c, e}
	}
	tokens := rapid.SampledFrom([]float64{3, 5, 10, 20, 100, 100}).Draw(t, "tokens in a period")
	c.Client = &plan.Client{QPS: tokens / c.RetryPeriod.Seconds(), Burst: rapid.SampledFrom([]int{5, 6, 10, 30}).Draw(t, "burst"), Retries: true}
	if !c.Closes { // of the two a plan has one
		c.Client.HTTP1 = true
		if c.RequestTimeout > 0 { // no call just before the poll is over
			c.RequestTimeout = c.RenewDeadline * time.Duration(rapid.IntRange(50, 80).Draw(t, "half")) / 100
		}
		if rapid.IntRange(0, 2).Draw(t, "asks") == 0 {
			c.RequestTimeout = c.RequestTimeout * time.Duration(rapid.IntRange(20, 100).Draw(t, "part")) / 100
			e.MaxRetryAfter, e.MaxPause = ms(500, 3000, "retryAfter"), 0
			return attacked{c, e}
		}
		takes := c.Client.QPS * (c.LeaseDuration - all).Seconds() * float64(rapid.IntRange(50, 200).Draw(t, "takes")) / 100
		e.OtherBurst = c.Client.Burst + int(takes)
		if rapid.IntRange(0, 3).Draw(t, "slow") > 0 {
			e.MaxRoundTrip = max(e.MaxRoundTrip, time.Duration(2.1*float64(time.Second)/c.Client.QPS))
		}
		e.OtherQPS = c.Client.QPS * rapid.SampledFrom([]float64{0, 0, 0.3, 0.9}).Draw(t, "other qps")
	}
	return attacked{c, e}
})

// TestClientGathersDrawn: where the bound says that leaders gather, and they do so by their clients alone, they do.
func TestClientGathersDrawn(t *testing.T) {
	closed, waits, asked := 0, 0, 0
	for seed := 1; seed <= few.Of(4000); seed++ {
		a := nearlyGatheringClient.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		alone := *a.c
		alone.Client, alone.Closes = nil, false
		calm, err := bound.Of(&alone, a.e)
		require.NoError(t, err)
		near := *a.c // what a plan keeps from every edge
		near.LeaseDuration += time.Second
		less, err := bound.Of(&near, a.e)
		require.NoError(t, err)
		if !r.Unbounded || calm.Unbounded || !less.Unbounded {
			continue
		}
		switch {
		case a.c.Closes:
			closed++
		case a.e.MaxRetryAfter > 0:
			asked++
		default:
			waits++
		}
		gathers(t, &a, r, 2, 5)
	}
	t.Logf("%d shown with closings, %d with waits, %d with answers that ask to wait", closed, waits, asked)
	assert.Greater(t, min(closed, waits, asked), few.Of(8))
}
