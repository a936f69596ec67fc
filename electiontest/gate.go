package electiontest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest/internal/report"
	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/plan"
	"interregnum/reports/text"
)

// Environment bounds what can go wrong for a leader election at a site: see docs/gate.md.
type Environment struct {
	// MaxRoundTrip is how long a request that is answered may take, retries and throttling of the client included; 0 is one
	// second, the latency that Kubernetes aims at. Others are lost.
	MaxRoundTrip time.Duration
	// MaxDriftPPM: the rate of each clock is within ± this of true time, in parts per million.
	MaxDriftPPM int64
	// MaxPause is how long a process may stand still, in total, within one lease.
	MaxPause time.Duration
	// Drain is how long the work may go on once its context has ended.
	Drain time.Duration
	// RequestTimeout is the Timeout of the rest.Config of the lock's client; 0 is none. GateManager knows a manager's.
	RequestTimeout time.Duration
	// QPS and Burst are those of the rest.Config of the lock's client, where its limiter and its retries are to be counted apart from
	// MaxRoundTrip; a QPS below 0 is no limit. With a QPS of 0, the default, they are part of MaxRoundTrip.
	QPS   float32
	Burst int
	// OtherQPS and OtherBurst bound what else asks with the client of the lock: in every stretch of time t at most
	// OtherBurst + OtherQPS·t requests.
	OtherQPS   float64
	OtherBurst int
	// MaxRetryAfter is the longest Retry-After of an answer; 0: no answer has one.
	MaxRetryAfter time.Duration
}

// Gate fails the test if, with this configuration of client-go, two leaders can work at once in the environment, or if the
// library or a real server would refuse it. The failure says by how much and what would be enough, and names a scenario file
// with the worst case; Gate then returns, and the test goes on. A value in the environment that the gate refuses ends the test.
// Of the configuration only the timings and ReleaseOnCancel count. Coordinated elections fail the test, since no bound is known
// of them.
func Gate(t testing.TB, config leaderelection.LeaderElectionConfig, e Environment) {
	t.Helper()
	if config.Coordinated {
		t.Error("electiontest: LeaderElectionConfig.Coordinated: no bound is known of a coordinated election, where the " +
			"offsets of clocks count; want it unset")
		return
	}
	GateElector(t, elector.LeaderElectionConfig{
		LeaseDuration: config.LeaseDuration, RenewDeadline: config.RenewDeadline, RetryPeriod: config.RetryPeriod,
		Profile: elector.ClientGo, ReleaseOnCancel: config.ReleaseOnCancel,
	}, e)
}

// GateElector fails the test if, with this configuration of interregnum/elector, two leaders can work at once in the
// environment, in the way in which Gate does. Only the timings, ReleaseOnCancel and Profile count; any profile but ClientGo is
// taken for Strict.
func GateElector(t testing.TB, config elector.LeaderElectionConfig, e Environment) {
	t.Helper()
	profile := machine.Strict
	if config.Profile == elector.ClientGo {
		profile = machine.ClientGo
	}
	judge(t, bound.Config{
		Timings: machine.Timings{
			LeaseDuration: config.LeaseDuration, RenewDeadline: config.RenewDeadline, RetryPeriod: config.RetryPeriod,
		},
		Profile: profile, ReleaseOnCancel: config.ReleaseOnCancel,
	}, e.timeout(), nil, e)
}

// timeout returns e.RequestTimeout as the gate takes it: a fixed timeout, or none if it is 0.
func (e *Environment) timeout() programs.Timeout { return programs.FixedTimeout(e.RequestTimeout) }

// judge fails the test unless the gate finds the configuration safe in the environment. It does what simulate gate does
// with the same numbers. If program is not nil, its client is known to be client-go's, and to close connections.
func judge(t testing.TB, c bound.Config, timeout programs.Timeout, program *programs.Program, e Environment) {
	t.Helper()
	environment, err := e.numbers()
	if err != nil {
		t.Fatalf("electiontest: Environment.%v", err)
	}
	if c.Client, err = e.client(); err != nil {
		t.Fatalf("electiontest: Environment.QPS and Burst: %v", err)
	}
	target := gate.Target{
		Position: files.Position{File: t.Name()}, Config: c, Timeout: timeout, Program: program,
		TimeoutFrom: "electiontest", ReleaseFrom: "electiontest",
	}
	if program == nil || c.Client != nil {
		target.ClientFrom = "electiontest"
	}
	r := gate.JudgeTargets([]gate.Target{target}, environment)
	for _, p := range r.Problems {
		t.Errorf("electiontest: %v", p)
	}
	for _, err := range r.Failures {
		t.Errorf("electiontest: the gate itself failed: %v", err)
	}
	for _, j := range r.Targets {
		tell(t, r, j)
	}
}

// tell judges one target's verdict for the test: it logs a safe verdict on j, and fails the test for any other. If there is a
// worst case (j.Witness), it writes that to a scenario file and names the file in the failure.
func tell(t testing.TB, r *gate.Report, j *gate.Judgement) {
	t.Helper()
	var said bytes.Buffer
	if err := text.Gate(&said, r, text.Unlimited); err != nil {
		t.Error(err)
	}
	switch {
	case j.Verdict == gate.Safe:
		t.Log(said.String())
	case j.Witness == nil:
		t.Error(said.String())
	default:
		file := filepath.Join(os.TempDir(), report.Temporary(t.Name())+".yaml")
		if err := report.WriteFile(file, j.Witness.WriteYAML); err != nil {
			t.Errorf("%s\nthe worst case is in no file: %v", &said, err)
			return
		}
		t.Errorf("%s\nthe worst case; to see it, or for electiontest.RunFile:\nsimulate run '%s'", &said, file)
	}
}

// client returns a client with e.QPS and e.Burst; nil if QPS is 0, when the client's waits are part of MaxRoundTrip. It returns
// an error for values that the gate refuses.
func (e *Environment) client() (*plan.Client, error) {
	if e.QPS == 0 {
		return nil, nil
	}
	qps := float64(e.QPS)
	said := gate.ClientSaid{QPS: &qps}
	if e.QPS > 0 {
		said.Burst = &e.Burst
	}
	return said.Client()
}

// numbers returns the environment in the gate's form; a field that is zero gets the gate's default. It returns an error for a
// value that the gate refuses, with the name of the field.
func (e *Environment) numbers() (gate.Environment, error) {
	n := gate.DefaultEnvironment()
	for _, f := range []struct {
		name, value string
		zero        bool
	}{
		{"maxRoundTrip", e.MaxRoundTrip.String(), e.MaxRoundTrip == 0},
		{"maxDriftPPM", fmt.Sprint(e.MaxDriftPPM), e.MaxDriftPPM == 0},
		{"maxPause", e.MaxPause.String(), e.MaxPause == 0},
		{"drain", e.Drain.String(), e.Drain == 0},
		{"otherQPS", gate.FormatRate(e.OtherQPS), e.OtherQPS == 0},
		{"otherBurst", fmt.Sprint(e.OtherBurst), e.OtherBurst == 0},
		{"maxRetryAfter", e.MaxRetryAfter.String(), e.MaxRetryAfter == 0},
	} {
		if f.zero {
			continue
		}
		if err := n.Set(f.name, f.value, "electiontest.Environment"); err != nil {
			return n, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return n, nil
}
