package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/closing"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// bruteForce is Tune without leaving anything out.
func bruteForce(w *Wish) *Choice {
	var best *Choice
	try := func(c bound.Config) {
		if bound.Refused(&c) != nil || !bound.Steady(&c, &w.Environment) {
			return
		}
		j := Judgement{Target: Target{Config: c}, Environment: w.Environment}
		if err := j.bound(); err != nil || !j.Result.Safe() || j.IfPaused() > 0 {
			return
		}
		found := &Choice{
			Config: c, Failover: bound.Failover(&c, &w.Environment), Outage: bound.Outage(&c, &w.Environment), QPS: bound.Load(&c, w.Candidates),
		}
		if found.Outage < w.Outage {
			return
		}
		if w.MaxQPS > 0 && found.QPS > w.MaxQPS+loadSlack {
			return
		}
		if best == nil || found.compare(best) < 0 {
			best = found
		}
	}
	c := w.Config
	for c.LeaseDuration = time.Second; c.LeaseDuration <= w.MaxLease; c.LeaseDuration += time.Second {
		for c.RenewDeadline = time.Second; c.RenewDeadline < c.LeaseDuration; c.RenewDeadline += time.Second {
			for c.RetryPeriod = time.Second; c.RetryPeriod < c.RenewDeadline; c.RetryPeriod += time.Second {
				timeouts := w.Timeout.For(c.RenewDeadline)
				if w.Timeout.Kind == programs.Unknown {
					timeouts = nil
					for d := time.Duration(0); d < c.RenewDeadline; d += time.Second {
						timeouts = append(timeouts, d)
					}
				}
				if !c.Profile.TimesOut() {
					timeouts = []time.Duration{0}
				}
				for _, c.RequestTimeout = range timeouts {
					try(c)
				}
			}
		}
	}
	return best
}

func drawWish(t *rapid.T) *Wish {
	w := &Wish{
		Config: bound.Config{
			Profile: rapid.SampledFrom([]machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict}).
				Draw(t, "profile"),
			ReleaseOnCancel: rapid.IntRange(0, 3).Draw(t, "release") == 0,
			Lock:            rapid.SampledFrom(append(plan.Locks(), plan.Lease, plan.KVTTL)).Draw(t, "lock"),
		},
		Timeout: programs.Timeout{
			Kind: rapid.SampledFrom([]programs.TimeoutKind{programs.Unknown, programs.Unknown, programs.None, programs.Half, programs.Fixed}).Draw(t, "timeout"),
		},
		Environment: bound.Environment{
			MaxRoundTrip: gatetest.Sometimes(t, "maxRoundTrip", time.Millisecond, 4*time.Second),
			MaxDriftPPM:  rapid.SampledFrom([]int64{0, 200, 50_000}).Draw(t, "drift"),
			MaxPause:     gatetest.Sometimes(t, "maxPause", time.Millisecond, 3*time.Second),
			Drain:        gatetest.Sometimes(t, "drain", time.Millisecond, 3*time.Second),

			MaxClockOffset: gatetest.Sometimes(t, "maxClockOffset", time.Millisecond, 5*time.Second),
		},
		Outage:     gatetest.Sometimes(t, "outage", time.Second, 12*time.Second),
		Candidates: rapid.IntRange(1, 5).Draw(t, "candidates"),
		MaxQPS:     rapid.SampledFrom([]float64{0, 0.5, 1, 2}).Draw(t, "maxQPS"),
		MaxLease:   rapid.SampledFrom([]time.Duration{8, 20, 28}).Draw(t, "maxLease") * time.Second,
	}
	if w.Timeout.Kind == programs.Fixed {
		w.Timeout.Of = rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(1, 60).Draw(t, "tenths")) * 100 * time.Millisecond
		}).Draw(t, "requestTimeout")
	}
	if rapid.Bool().Draw(t, "client") {
		w.drawClient(t)
	}
	return w
}

// TestTuneWallClock is TestTuneIsOptimal for the clients for Java and C#, which are judged for a Lease alone.
func TestTuneWallClock(t *testing.T) {
	for _, p := range gatetest.WallClocked {
		t.Run(p.Name, func(t *testing.T) {
			easy := &Wish{
				Config: bound.Config{Profile: p, Lock: plan.Lease}, Timeout: programs.Timeout{Kind: programs.Fixed, Of: time.Second},
				Environment: bound.Environment{MaxRoundTrip: 10 * time.Millisecond}, Outage: time.Second, Candidates: 2, MaxLease: 28 * time.Second,
			}
			assert.Equal(t, p.TimesOut(), Tune(easy) != nil)
			assert.Equal(t, bruteForce(easy), Tune(easy))
			easy.Outage = 0
			assert.NotNil(t, Tune(easy))
			assert.Equal(t, bruteForce(easy), Tune(easy))
			rapid.Check(t, func(t *rapid.T) {
				w := drawWish(t)
				w.Config.Profile, w.Config.Lock, w.Config.Client = p, plan.Lease, nil
				w.Environment.OtherBurst, w.Environment.OtherQPS, w.Environment.MaxRetryAfter = 0, 0, 0
				best := bruteForce(w)
				assert.Equal(t, best, Tune(w), "%+v", *w)
				assert.True(t, best == nil || w.Outage == 0 || p.TimesOut(), "%+v", *w)
			})
		})
	}
}

// drawClient draws the wish's client, and what an environment says of one.
func (w *Wish) drawClient(t *rapid.T) {
	kind, _ := plan.ClientKindNamed(rapid.SampledFrom(plan.ClientKindNames()).Draw(t, "kind"))
	c := kind.Client
	w.Config.Client = &c
	e := &w.Environment
	if c.Limits() {
		e.OtherBurst = rapid.SampledFrom([]int{0, 5, c.Burst + 3, 2 * c.Burst}).Draw(t, "otherBurst")
		e.OtherQPS = rapid.SampledFrom([]float64{0, 0, c.QPS / 2}).Draw(t, "otherQPS")
	}
	if c.Repeats() {
		e.MaxRetryAfter = rapid.SampledFrom([]time.Duration{0, 0, 0, time.Second}).Draw(t, "retryAfter")
	}
	if bound.Unknown(&w.Config) != nil {
		w.Config.Client = nil
		e.OtherBurst, e.OtherQPS, e.MaxRetryAfter = 0, 0, 0
	}
}

// TestTuneIsOptimal: what the search leaves out is never better, and of equals it takes the same.
func TestTuneIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWish(t)
		assert.Equal(t, bruteForce(w), Tune(w), "%+v", *w)
	})
}

// TestTuneWaitsForTheLoad: with the smallest lease that is safe, 11 s, the followers of this key look too often.
func TestTuneWaitsForTheLoad(t *testing.T) {
	w := &Wish{
		Config:      bound.Config{Profile: machine.Strict, Lock: plan.KVTTL},
		Environment: bound.Environment{MaxDriftPPM: 50_000, MaxPause: 180 * time.Millisecond, Drain: 800 * time.Millisecond},
		Candidates:  5, MaxQPS: 0.5, MaxLease: 20 * time.Second,
	}
	best := bruteForce(w)
	assert.Equal(t, best, Tune(w))
	assert.Equal(t, machine.Timings{
		LeaseDuration: 12 * time.Second, RenewDeadline: 9 * time.Second, RetryPeriod: 7 * time.Second,
	}, best.Config.Timings)
}

// TestTuneFindsAShorterLease: with 7 s the attempt that acquires the lock begins too soon to be under way as its connection is closed, and with
// 8 s it is.
func TestTuneFindsAShorterLease(t *testing.T) {
	w := &Wish{
		Config:      bound.Config{Profile: machine.ClientGo, Lock: plan.Lease, Client: &plan.Client{QPS: 5, Burst: 10, Retries: true}},
		Timeout:     programs.Timeout{Kind: programs.Half},
		Environment: bound.Environment{OtherBurst: 13, OtherQPS: 2.5, MaxPause: 14},
		Candidates:  5, MaxLease: 8 * time.Second,
	}
	best := bruteForce(w)
	assert.Equal(t, best, Tune(w))
	assert.Equal(t, machine.Timings{
		LeaseDuration: 7 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: time.Second,
	}, best.Config.Timings)
}

// TestManyClosings: from manyClosings on a longer lease is never worse, whatever is closed.
func TestManyClosings(t *testing.T) {
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWish(t)
		c, seconds := w.Config, rapid.IntRange(1, 60)
		c.Profile, c.Lock = machine.ClientGo, plan.Lease
		c.RetryPeriod = time.Duration(rapid.IntRange(1, 5).Draw(t, "retryPeriod")) * time.Second
		c.RenewDeadline = 2*c.RetryPeriod + time.Duration(seconds.Draw(t, "renewDeadline"))*time.Second
		c.LeaseDuration = max(manyClosings, c.RenewDeadline) + time.Duration(seconds.Draw(t, "leaseDuration"))*time.Second
		c.RequestTimeout = time.Duration(seconds.Draw(t, "requestTimeout")) * 500 * time.Millisecond
		longer := c
		longer.LeaseDuration += time.Duration(seconds.Draw(t, "longer")) * time.Second
		short, err := closing.Of(bound.Of, c, &w.Environment, closing.Any)
		if err != nil {
			return
		}
		long, err := closing.Of(bound.Of, longer, &w.Environment, closing.Any)
		require.NoError(t, err)
		require.LessOrEqual(t, long.Overlap, short.Overlap, "%+v in %+v", c, w.Environment)
		if open, err := bound.Of(&c, &w.Environment); err == nil && open.Overlap < short.Overlap {
			count++
		}
	})
	assert.Positive(t, count)
}

// TestTooShort: what is left out because its deadline is too short tolerates no such outage.
func TestTooShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		profile := rapid.SampledFrom(machine.Profiles()).Draw(t, "profile")
		c, e := gatetest.DrawLocked(t, profile, rapid.SampledFrom(plan.Locks()).Draw(t, "lock"))
		if bound.Refused(c) != nil || profile.Client != machine.OfClientGo {
			return
		}
		search := tuning{Wish: &Wish{Environment: *e, Outage: bound.Outage(c, e)}}
		require.False(t, search.tooShort(c), "%+v in %+v: %v", *c, *e, search.Outage)
	})
}

// TestUnsafeStaysSo: with a client's limiter of two requests a second or more, what is not safe is so with a longer RenewDeadline and a longer
// request timeout, too. Tune leaves these out.
func TestUnsafeStaysSo(t *testing.T) {
	tried := 0
	earlier := func(t *rapid.T) (*bound.Config, *bound.Environment) {
		c, e := gatetest.DrawClient(t)
		c.Profile, c.Client.Retries, e.MaxRetryAfter = machine.ClientGoV024, false, 0
		return c, e
	}
	for _, cases := range []*rapid.Generator[drawnCase]{drawnBy(gatetest.DrawClient), drawnBy(gatetest.DrawUsual), drawnBy(earlier)} {
		for seed := 1; seed <= 200; seed++ {
			a := cases.Example(seed)
			a.c.ReleaseOnCancel = false
			if bound.Refused(a.c) != nil || a.c.RequestTimeout >= a.c.RenewDeadline || a.c.Client.Limits() && a.c.Client.QPS < 2 {
				continue
			}
			if r, err := bound.Sum(a.c, a.e); err != nil || r.Safe() {
				continue
			}
			for _, by := range []time.Duration{50 * time.Millisecond, time.Second, 5 * time.Second} {
				later, longer := *a.c, *a.c
				later.RenewDeadline += by
				if longer.RequestTimeout += by; a.c.RequestTimeout == 0 || longer.RequestTimeout >= a.c.RenewDeadline {
					longer = *a.c
				}
				for _, c := range []bound.Config{later, longer} {
					if bound.Refused(&c) != nil {
						continue
					}
					r, err := bound.Sum(&c, a.e)
					require.NoError(t, err)
					require.False(t, r.Safe(), "%+v is safe in %+v, %+v is not", c, *a.e, *a.c)
					tried++
				}
			}
		}
	}
	require.Greater(t, tried, 500)
}
