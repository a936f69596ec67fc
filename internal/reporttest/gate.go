package reporttest

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/plan"
)

// GateTarget returns a target with these timings in seconds. part names the part of the object that it is about. change, if
// not nil, changes the target. Its file has a name that breaks markup if it is not escaped.
func GateTarget(part string, lease, deadline, period int, change func(*gate.Target)) gate.Target {
	t := gate.Target{
		Position: files.Position{File: "a|b<c>&_d_.yaml", Line: 7, Object: "Deployment kube-system/foo", Part: part},
		Config: bound.Config{
			Timings: machine.Timings{
				LeaseDuration: time.Duration(lease) * time.Second, RenewDeadline: time.Duration(deadline) * time.Second,
				RetryPeriod: time.Duration(period) * time.Second,
			},
			Profile: machine.ClientGo,
		},
	}
	if change != nil {
		change(&t)
	}
	return t
}

// Released sets ReleaseOnCancel in a target. It can be the change of GateTarget.
func Released(t *gate.Target) { t.ReleaseOnCancel = true }

// clients returns a report on targets whose clients make requests wait. Runs show the computed overlap in full, nearly, or not at
// all; one target releases the lock, and one is safe.
func clients() *gate.Report {
	e := gate.DefaultEnvironment()
	e.OtherQPS, e.OtherBurst = 3, 20
	copy(e.Sources[7:], []string{"env.yaml:1", "--other-burst", "default"})
	limited := func(change func(*gate.Target)) func(*gate.Target) {
		return func(t *gate.Target) {
			t.Client, t.ClientFrom = &plan.Client{QPS: 5, Burst: 10, Retries: true}, "--client"
			if change != nil {
				change(t)
			}
		}
	}
	return gate.JudgeTargets([]gate.Target{
		GateTarget("container waiting", 15, 10, 2, limited(nil)),
		GateTarget("container shown", 15, 10, 2, limited(func(t *gate.Target) { t.RequestTimeout = 5 * time.Second })),
		GateTarget("container open", 21, 10, 2, limited(func(t *gate.Target) { t.RenewDeadline += 300 * time.Millisecond })),
		GateTarget("container released", 15, 10, 2, limited(func(t *gate.Target) {
			t.RequestTimeout, t.ReleaseOnCancel = 5*time.Second, true
		})),
		GateTarget("container safe", 60, 15, 5, limited(nil)),
	}, e)
}

// GateReports returns reports with all sorts of verdicts, by name.
func GateReports() map[string]*gate.Report {
	calm, rough := gate.DefaultEnvironment(), gate.DefaultEnvironment()
	rough.Environment = bound.Environment{
		MaxRoundTrip: 3100 * time.Millisecond, MaxDriftPPM: 200, MaxPause: 250 * time.Millisecond, Drain: time.Second,
	}
	rough.Sources = [11]string{"--max-round-trip", "env.yaml:2", "env.yaml:3", "--drain", "default", "default", "default", "default"}
	flags := GateTarget("", 15, 10, 2, func(t *gate.Target) {
		t.Position, t.Defaulted = files.Position{File: "flags"}, []string{"renewDeadline", "retryPeriod"}
	})
	all := gate.JudgeTargets([]gate.Target{
		GateTarget("container safe", 60, 15, 5, nil),
		GateTarget("container released", 60, 15, 5, Released),
		GateTarget("container wiped", 15, 10, 2, Released),
		GateTarget("container refused", 10, 10, 9, nil),
		GateTarget("container ticked", 15, 10, 2, func(t *gate.Target) { t.RequestTimeout = 3 * time.Second }),
		GateTarget("container strict", 12, 11, 2, func(t *gate.Target) { t.Profile = machine.Strict }),
		GateTarget("container endless", 60, 15, 5, func(t *gate.Target) {
			t.Profile, t.ReleaseOnCancel, t.Component = machine.ClientGoV024, true, "manager"
			t.Defaulted = []string{"retryPeriod"}
		}),
		GateTarget("container many", 200, 199, 1, nil),
		GateTarget("container short", 2, 1, 0, func(t *gate.Target) {
			t.RetryPeriod, t.Drain = 700*time.Millisecond, 4*time.Second
		}),
	}, rough)
	all.Problems = []files.Problem{{Position: files.Position{File: "b.yaml", Line: 3}, Text: "not YAML: `*`"}}
	all.Notes = []files.Note{{
		Position: files.Position{File: "c.yaml"}, Kind: files.Skipped, Text: "no leader-election settings; skipped",
	}}
	reports := map[string]*gate.Report{
		"flags":  gate.JudgeTargets([]gate.Target{flags}, calm),
		"sorts":  all,
		"safe":   gate.JudgeTargets([]gate.Target{GateTarget("", 60, 15, 5, nil)}, calm),
		"nobody": {Environment: calm},
		"client": clients(),
	}
	for _, r := range reports {
		for _, j := range r.Targets {
			if j.Result != nil { // these are for package bound to test
				j.Result.Failover, j.Result.Handover, j.Result.Outage = 40*time.Second, 4*time.Second, 4700*time.Millisecond
			}
		}
	}
	return reports
}
