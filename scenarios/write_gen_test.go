package scenarios

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"interregnum/internal/check"
	"interregnum/plan"
)

// generate draws any valid scenario. It aims at what is hard to write, not at what is worth running.
func generate(t *rapid.T) *Scenario {
	s := &Scenario{
		Name:  rapid.StringMatching(`[a-z0-9-]{1,12}`).Draw(t, "name"),
		About: rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ,:#'"\n-]*`)).Filter(legible).Draw(t, "about"),
		Plan: Plan{
			Seed:    rapid.Uint64().Draw(t, "seed"),
			Horizon: 1 + drawTime(t, "horizon"),
			Network: Network{Request: drawDelay(t), Response: drawDelay(t)},
		},
	}
	ids := rapid.SliceOfNDistinct(drawName(), 1, 5, rapid.ID).Draw(t, "ids")
	precision := rapid.SampledFrom([]time.Duration{time.Microsecond, time.Second}).Draw(t, "precision")
	model := drawCandidate(t, "", precision)
	for _, id := range ids {
		c := drawCandidate(t, id, precision)
		if rapid.Bool().Draw(t, "like the others") {
			// Shared values are what goes into the defaults.
			c = model
			c.ID = id
			c.Jitter, c.Rejoin, c.LivenessProbe = clone(c.Jitter), clone(c.Rejoin), clone(c.LivenessProbe)
			c.FirstJitters = slices.Clone(c.FirstJitters)
		}
		s.Candidates = append(s.Candidates, c)
	}
	if rapid.IntRange(0, 2).Draw(t, "several elections") == 0 {
		drawElections(t, s, precision)
	}
	expires := func(c Candidate) bool { return c.Lock.Expires() }
	if slices.ContainsFunc(s.Candidates, expires) {
		s.Service = Clock{Offset: drawSigned(t, "offset"), DriftPPM: drawDrift(t)}
	}
	if s.Elections == nil && !slices.Contains(ids, plan.CoordinatorID) && rapid.Bool().Draw(t, "coordinator") {
		s.Coordinator = &plan.Coordinator{StartAt: drawTime(t, "startAt"), Clock: Clock{DriftPPM: drawDrift(t)}}
		if rapid.Bool().Draw(t, "own way") {
			s.Coordinator.Response = new(drawDelay(t))
		}
	}
	s.Faults = drawFaults(t, s)
	verdicts := rapid.SampledFrom([]Expectation{ExpectHeld, ExpectViolated, ExpectInconclusive, ExpectAny})
	if e := rapid.MapOf(rapid.SampledFrom(check.Names()), verdicts).Draw(t, "expect"); len(e) > 0 {
		s.Expect = e
	}
	return s
}

func drawName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z][a-z0-9-]{0,6}`),
		rapid.SampledFrom([]string{
			"null", "~", "true", "No", "on", "1", "1.5", "0x1", "1e3", "-", "--", "- a", "a: b", "a #b", "#", "a,b",
			"[", "}", "*a", "&a", "!a", "'", "\"", "\\", "%", "@", "`", "|", ">", "?", "<<", "=", " a", "a ", ".inf",
			"1:30", "2000-01-01", "15s", "é", "😀", "a\u2003b", "y", ".", "...", "---",
		}),
		rapid.StringN(1, 8, 250),
	).Filter(func(s string) bool {
		p := Plan{Horizon: 1, Candidates: []Candidate{plan.DefaultCandidate()}}
		p.Candidates[0].ID = s
		return p.Validate() == nil
	})
}

func drawTime(t *rapid.T, label string) time.Duration {
	return time.Duration(rapid.OneOf(
		rapid.Int64Range(0, 3),
		rapid.Map(rapid.Int64Range(0, 4000), func(n int64) int64 { return n * int64(time.Second) }),
		rapid.Int64Range(0, int64(plan.MaxDuration)-1),
	).Draw(t, label))
}

func drawSigned(t *rapid.T, label string) time.Duration {
	// A tenth of the limit, so that some jumps fit in.
	d := drawTime(t, label) / 10
	if rapid.Bool().Draw(t, "negative") {
		return -d
	}
	return d
}

func drawDelay(t *rapid.T) Delay {
	d := []time.Duration{drawTime(t, "delay"), drawTime(t, "delay")}
	slices.Sort(d)
	if rapid.Bool().Draw(t, "constant") {
		d[1] = d[0]
	}
	return Delay{Min: d[0], Max: d[1]}
}

func drawCandidate(t *rapid.T, id string, precision time.Duration) Candidate {
	c := plan.DefaultCandidate()
	c.ID = id
	c.Identity = optional(t, drawName(), "")
	if rapid.Bool().Draw(t, "timings") {
		c.RetryPeriod = 1 + drawTime(t, "retryPeriod")/10
		c.RenewDeadline = 2*c.RetryPeriod + drawTime(t, "renewDeadline")/10
		c.LeaseDuration = c.RenewDeadline + 1 + drawTime(t, "leaseDuration")/10
	}
	c.Lock = rapid.SampledFrom(plan.Locks()).Draw(t, "lock")
	if c.Lock.ByWallClock() {
		c.LeaseDuration = c.LeaseDuration.Truncate(time.Millisecond) + time.Millisecond
		c.Now = rapid.SampledFrom([]plan.Now{"", plan.CallerNow, plan.DatabaseNow}).Draw(t, "now")
		c.Precision = precision
	}
	c.ReleaseOnCancel = rapid.Bool().Draw(t, "releaseOnCancel")
	c.RequestTimeout, c.Drain, c.StartAt = drawTime(t, "timeout"), drawTime(t, "drain"), drawTime(t, "startAt")
	c.ReturnsAfter = drawTime(t, "returnsAfter")
	if rapid.Bool().Draw(t, "fixed") {
		jitters := rapid.Map(rapid.Float64Range(0, 1), func(j float64) float64 { return min(j, 0.999) })
		c.Jitter, c.FirstJitters = new(jitters.Draw(t, "jitter")), rapid.SliceOfN(jitters, 0, 3).Draw(t, "first jitters")
		if len(c.FirstJitters) == 0 {
			c.FirstJitters = nil
		}
	}
	if rapid.Bool().Draw(t, "rejoins") {
		c.Rejoin = new(drawTime(t, "rejoin"))
		c.SameElector = rapid.Bool().Draw(t, "sameElector")
	}
	c.OnLoss = drawLoss(t)
	if c.OnLoss == plan.LossRejoin && c.Rejoin == nil {
		c.OnLoss = ""
	}
	c.LivenessProbe = drawProbe(t)
	c.Clock = Clock{Offset: drawSigned(t, "offset"), DriftPPM: drawDrift(t)}
	if c.Lock == plan.Lease && rapid.Bool().Draw(t, "coordinated") {
		c.Coordinated, c.BinaryVersion = true, "1.36"
		c.EmulationVersion = rapid.SampledFrom([]string{"", "1.35.2"}).Draw(t, "emulationVersion")
		c.Strategy = rapid.SampledFrom([]string{"", "example.com/mine"}).Draw(t, "strategy")
	}
	if !c.Coordinated && !c.Lock.Expires() && rapid.Bool().Draw(t, "client?") {
		c.Client = drawClient(t)
	}
	return c
}

func drawClient(t *rapid.T) *plan.Client {
	c := &plan.Client{Retries: rapid.Bool().Draw(t, "retries")}
	c.HTTP1 = rapid.Bool().Draw(t, "HTTP/1.1")
	if rapid.Bool().Draw(t, "takes time to connect") {
		c.Dial = drawTime(t, "dial") % plan.LongestDial
	}
	if rapid.Bool().Draw(t, "no limit") {
		return c
	}
	c.QPS, c.Burst = rapid.Float64Range(1e-6, 1e6).Draw(t, "qps"), rapid.IntRange(1, 1_000_000).Draw(t, "burst")
	for range rapid.IntRange(0, 3).Draw(t, "other") {
		traffic := plan.Traffic{At: drawTime(t, "at"), Count: rapid.IntRange(1, 3).Draw(t, "count")}
		if rapid.Bool().Draw(t, "again") {
			traffic.Every, traffic.Drawn = max(plan.MaxDuration/1000, drawTime(t, "every")), rapid.Bool().Draw(t, "drawn")
			if rapid.Bool().Draw(t, "ends") {
				traffic.Until = new(min(plan.MaxDuration, traffic.At+1+drawTime(t, "until")))
				traffic.At = min(traffic.At, *traffic.Until-1)
			}
		}
		c.Other = append(c.Other, traffic)
	}
	return c
}

func drawDrift(t *rapid.T) int64 {
	return rapid.OneOf(rapid.Just[int64](0), rapid.Int64Range(-999_999, 9_000_000)).Draw(t, "driftPPM")
}

// optional draws a value or the one that stands for none.
func optional[T any](t *rapid.T, g *rapid.Generator[T], none T) T {
	return rapid.OneOf(rapid.Just(none), g).Draw(t, "optional")
}
