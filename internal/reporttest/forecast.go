package reporttest

import (
	"math"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/plan"
)

// perMonth returns an estimate, in events a second, of something that happens value times a month. low and high are its interval,
// per month too.
func perMonth(value, low, high float64) forecast.Estimate {
	month := outlook.Month.Seconds()
	return forecast.Estimate{Value: value / month, Low: low / month, High: high / month}
}

// usual returns a forecast with all sorts of figures.
func usual() *forecast.Forecast {
	long := forecast.Gaps{
		P50: forecast.Estimate{Value: 21.234, Low: 20.9, High: 21.5}, P99: forecast.Estimate{Value: 33.3, Low: 30.1, High: 40.2},
		Worst: 44123 * time.Millisecond, Seen: 5120,
	}
	return &forecast.Forecast{
		Losses: perMonth(4.321, 4.2, 4.44), Restarts: perMonth(6.3, 6.1, 6.6), Requests: perMonth(1_296_123, 1_295_000, 1_297_000),
		Overlaps: perMonth(0.00012, 0.00001, 0.0004), OverlapLength: forecast.Estimate{Value: 0.51, Low: 0.2, High: 0.83},
		Leaderless: perMonth(91.5, 88, 95), Gaps: long, Windows: 12_345, Precise: true,
		Causes: []forecast.Cause{
			{Name: "usual times", Losses: perMonth(0, 0, 2.5e-7), Leaderless: perMonth(0, 0, 4e-6)},
			{Name: "outage", Losses: perMonth(4.301, 4.18, 4.42), Leaderless: perMonth(90.5, 87, 94), Gaps: long},
			{Name: "crash", Losses: perMonth(0.02, 0.01, 0.04), Leaderless: perMonth(1, 0.5, 1.5), Gaps: forecast.Gaps{
				P50: forecast.Estimate{Value: 17.2, Low: 15, High: 19}, P99: forecast.Estimate{Value: 20.4, Low: 18, High: math.Inf(1)},
				Worst: 20 * time.Second, Seen: 12,
			}},
		},
	}
}

// nothing returns a forecast in which nothing was seen.
func nothing() *forecast.Forecast {
	return &forecast.Forecast{
		Losses: perMonth(0, 0, 0.0012), Restarts: perMonth(0, 0, 0.0012), Requests: perMonth(1_296_000, 1_296_000, 1_296_000),
		Leaderless: perMonth(0, 0, 0.03), Overlaps: perMonth(0, 0, 0), Windows: 200_000,
		Causes: []forecast.Cause{{Name: "usual times", Losses: perMonth(0, 0, 0.0012), Leaderless: perMonth(0, 0, 0.03)}},
	}
}

// ForecastReports returns reports with made-up forecasts, by name.
func ForecastReports() map[string]*outlook.Report {
	slow, _ := behaviour.Percentiles([]behaviour.Point{{P: 0.5, Value: 20 * time.Millisecond}, {P: 0.99, Value: 800 * time.Millisecond}},
		5*time.Second)
	b := &behaviour.Behaviour{
		RoundTrip: slow,
		Errors:    []behaviour.Error{{Status: 503, Probability: 0.001}, {Probability: 0.0001}},
		Episodes: []behaviour.Episode{
			{Kind: behaviour.Outage, Every: 7 * 24 * time.Hour, Lasts: behaviour.Constant(20 * time.Second), On: behaviour.Everybody},
			{Kind: behaviour.Brownout, Every: 24 * time.Hour, Lasts: behaviour.Uniform(time.Minute, 10*time.Minute), On: behaviour.Everybody, Factor: 5},
			{Kind: behaviour.Brownout, Every: 36 * time.Hour, Lasts: behaviour.Exponential(time.Minute), RoundTrip: &slow},
			{Kind: behaviour.Crash, Every: 15 * 24 * time.Hour, Lasts: behaviour.Constant(10 * time.Second), On: behaviour.Leader},
			{Kind: behaviour.Pause, Every: time.Hour, Lasts: behaviour.Constant(time.Second), On: behaviour.One},
		},
	}
	back := behaviour.Constant(10 * time.Second)
	rate, share, gap := 0.1/outlook.Month.Seconds(), 0.9999, 35*time.Second
	site := &outlook.Site{
		Behaviour: b, From: "site_a.yaml", Replicas: 3, Restart: &back, RestartText: "10s", RestartAssumed: true,
		Thresholds: outlook.Thresholds{MaxLosses: &rate, MinAvailability: &share, MaxGapP99: &gap, MaxOverlaps: &rate, Texts: map[string]string{
			outlook.MaxLosses: "0.1/30d", outlook.MinAvailability: "99.99%", outlook.MaxGapP99: "35s", outlook.MaxOverlaps: "1/10y",
		}},
	}
	calm := &outlook.Site{Behaviour: &behaviour.Behaviour{RoundTrip: behaviour.Constant(time.Millisecond)}, From: "flags", Replicas: 2, RestartText: "none"}
	o := &forecast.Options{Seed: 1, Precision: 0.05, MaxWindows: 200_000}
	e := gate.DefaultEnvironment()
	sorts := gate.JudgeTargets([]gate.Target{
		GateTarget("container usual", 15, 10, 2, func(t *gate.Target) { t.Timeout.Kind = programs.Either }),
		GateTarget("container nothing", 60, 15, 5, func(t *gate.Target) { t.RequestTimeout, t.Lock = 5*time.Second, plan.ConfigMap }),
		GateTarget("container refused", 10, 10, 9, nil),
	}, e)
	sorts.Problems = []files.Problem{{Position: files.Position{File: "b.yaml", Line: 3}, Text: "not YAML: `*`"}}
	sorts.Notes = []files.Note{{Position: files.Position{File: "c.yaml"}, Kind: files.Skipped, Text: "no leader-election settings; skipped"}}
	one := gate.JudgeTargets([]gate.Target{GateTarget("", 60, 15, 5, func(t *gate.Target) {
		t.Position, t.Drain, t.TimeoutFrom = files.Position{File: "flags"}, time.Second, gate.TimeoutDefault
	})}, e)
	return map[string]*outlook.Report{
		"sorts":  outlook.Of(sorts, site, o, []*forecast.Forecast{usual(), nothing(), nil}),
		"one":    outlook.Of(one, calm, o, []*forecast.Forecast{nothing()}),
		"nobody": outlook.Of(&gate.Report{Environment: e}, calm, o, nil),
	}
}
