package gatetest

import (
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// DrawClient draws a configuration with a client, and an environment with other traffic. Waits are about as long as the timings.
func DrawClient(t *rapid.T) (*bound.Config, *bound.Environment) {
	c := DrawConfig(t, machine.ClientGo)
	return drawLimiter(t, c, DrawEnvironment(t, c))
}

// DrawClientOnTwo draws what DrawClient does, for a lock on two objects.
func DrawClientOnTwo(t *rapid.T) (*bound.Config, *bound.Environment) {
	c, e := DrawLocked(t, machine.ClientGo, rapid.SampledFrom([]plan.Lock{plan.EndpointsLeases, plan.ConfigMapsLeases}).Draw(t, "lock"))
	return drawLimiter(t, c, e)
}

// drawLimiter draws a client for a configuration, and other traffic.
func drawLimiter(t *rapid.T, c *bound.Config, e *bound.Environment) (*bound.Config, *bound.Environment) {
	e.HiddenConflicts = e.HiddenConflicts && c.ReleaseOnCancel
	tokens := rapid.SampledFrom([]float64{1.5, 3.1, 5, 10, 10, 20, 100}).Draw(t, "tokens in a period")
	c.Client = &plan.Client{
		QPS:   min(100_000, max(0.001, tokens/c.RetryPeriod.Seconds())),
		Burst: rapid.SampledFrom([]int{1, 2, 5, 10, 10, 30}).Draw(t, "burst"), Retries: rapid.Bool().Draw(t, "retries"),
	}
	e.OtherBurst = rapid.SampledFrom([]int{0, 1, 3, 10, 20, 50, 200}).Draw(t, "other burst")
	e.OtherQPS = c.Client.QPS * rapid.SampledFrom([]float64{0, 0, 0.3, 0.6, 0.95}).Draw(t, "other qps")
	if c.Client.Retries && rapid.IntRange(0, 3).Draw(t, "asks") == 0 {
		e.MaxRetryAfter = time.Duration(rapid.IntRange(1, 3).Draw(t, "retryAfter")) * time.Second
	}
	return c, e
}

// DrawUsual draws a configuration and a client as people have them, and other traffic.
func DrawUsual(t *rapid.T) (*bound.Config, *bound.Environment) {
	timings := rapid.SampledFrom([]machine.Timings{
		{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
		{LeaseDuration: 60 * time.Second, RenewDeadline: 40 * time.Second, RetryPeriod: 5 * time.Second},
		{LeaseDuration: 137 * time.Second, RenewDeadline: 107 * time.Second, RetryPeriod: 26 * time.Second},
		{LeaseDuration: 30 * time.Second, RenewDeadline: 20 * time.Second, RetryPeriod: 3 * time.Second},
		{LeaseDuration: 60 * time.Second, RenewDeadline: 15 * time.Second, RetryPeriod: 5 * time.Second},
		{LeaseDuration: 15 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: 1 * time.Second},
	}).Draw(t, "timings")
	client := rapid.SampledFrom([]plan.Client{{QPS: 5, Burst: 10}, {QPS: 20, Burst: 30}, {QPS: 50, Burst: 100}, {QPS: 5, Burst: 5}}).Draw(t, "client")
	client.Retries = true
	c := &bound.Config{Timings: timings, Profile: machine.ClientGo, Client: &client}
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, c.RenewDeadline / 2, 5 * time.Second, 15 * time.Second}).Draw(t, "timeout")
	c.ReleaseOnCancel = rapid.IntRange(0, 3).Draw(t, "release") == 0
	e := &bound.Environment{MaxRoundTrip: time.Duration(rapid.SampledFrom([]int{1, 10, 100, 333, 500, 1000, 2000, 3000}).Draw(t, "trip")) * time.Millisecond}
	e.OtherBurst = rapid.SampledFrom([]int{0, 3, 10, 20, 30, 50, 100, 200, 400}).Draw(t, "other burst")
	e.OtherQPS = client.QPS * rapid.SampledFrom([]float64{0, 0, 0.2, 0.5, 0.6, 0.8}).Draw(t, "other qps")
	if rapid.IntRange(0, 5).Draw(t, "drifts") == 0 {
		e.MaxDriftPPM = 200
	}
	if rapid.IntRange(0, 5).Draw(t, "again") == 0 {
		e.MaxRetryAfter = time.Second
	}
	return c, e
}

// MayCome is how many requests may come at a time beside others, as the bound has it: in no stretch of time more than the burst and what
// the rate adds.
func MayCome(e *bound.Environment, others []plan.Traffic, at time.Duration) int {
	most := e.MostAtOnce()
	for _, from := range append(others, plan.Traffic{At: at}) {
		for _, to := range append(others, plan.Traffic{At: at}) {
			if from.At > at || to.At < at {
				continue
			}
			in := 0
			for _, o := range others {
				if o.At >= from.At && o.At <= to.At {
					in += o.Count
				}
			}
			most = min(most, int(float64(e.MostAtOnce())+e.OtherQPS*(to.At-from.At).Seconds())-in)
		}
	}
	return most
}
