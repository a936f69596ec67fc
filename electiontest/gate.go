package electiontest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/reports"
)

// Environment is what a site may do to a leader election: see docs/gate.md.
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
	// RequestTimeout is the Timeout of the rest.Config of the lock's client; 0 is none.
	RequestTimeout time.Duration
}

// Manager is what the gate needs of controller-runtime's manager.Options: the fields of the same names.
type Manager struct {
	// LeaseDuration, RenewDeadline and RetryPeriod are 15 s, 10 s and 2 s where they are nil.
	LeaseDuration, RenewDeadline, RetryPeriod *time.Duration
	LeaderElectionReleaseOnCancel             bool
}

// Gate fails the test where, with client-go's election so configured, two leaders can work at once in the environment, or
// where the library or a real server would refuse it. It says by how much, what would be enough, and leaves the worst case
// in a scenario file.
func Gate(t testing.TB, config leaderelection.LeaderElectionConfig, e Environment) {
	t.Helper()
	judge(t, bound.Config{
		Timings: machine.Timings{
			LeaseDuration: config.LeaseDuration, RenewDeadline: config.RenewDeadline, RetryPeriod: config.RetryPeriod,
		},
		Profile: machine.ClientGo, ReleaseOnCancel: config.ReleaseOnCancel,
	}, e)
}

// GateManager is Gate for a manager of controller-runtime. Without a RequestTimeout of the environment it is the one that
// a manager's client has: half of RenewDeadline, and a second at least.
func GateManager(t testing.TB, m Manager, e Environment) {
	t.Helper()
	or := func(d *time.Duration, unsaid time.Duration) time.Duration {
		if d == nil {
			return unsaid
		}
		return *d
	}
	c := bound.Config{
		Timings: machine.Timings{
			LeaseDuration: or(m.LeaseDuration, 15*time.Second),
			RenewDeadline: or(m.RenewDeadline, 10*time.Second),
			RetryPeriod:   or(m.RetryPeriod, 2*time.Second),
		},
		Profile: machine.ClientGo, ReleaseOnCancel: m.LeaderElectionReleaseOnCancel,
	}
	if e.RequestTimeout == 0 {
		e.RequestTimeout = max(c.RenewDeadline/2, time.Second)
	}
	judge(t, c, e)
}

// GateElector is Gate for interregnum/elector.
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
	}, e)
}

func judge(t testing.TB, c bound.Config, e Environment) {
	t.Helper()
	c.RequestTimeout = e.RequestTimeout
	environment, err := e.numbers()
	if err != nil {
		t.Fatalf("electiontest: Environment.%v", err)
	}
	r := gate.JudgeTargets([]gate.Target{{Position: files.Position{File: t.Name()}, Config: c}}, environment)
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

func tell(t testing.TB, r *gate.Report, j *gate.Judgement) {
	t.Helper()
	var text bytes.Buffer
	if err := reports.GateText(&text, r); err != nil {
		t.Error(err)
	}
	switch {
	case j.Verdict == gate.Safe:
		t.Log(text.String())
	case j.Witness == nil:
		t.Error(text.String())
	default:
		file := filepath.Join(os.TempDir(), fmt.Sprintf("electiontest-%s-%d.yaml", fileName(t.Name()), os.Getpid()))
		if err := write(file, j.Witness.WriteYAML); err != nil {
			t.Error(err)
		}
		t.Errorf("%s\nthe worst case; to see it, or for electiontest.RunFile:\nsimulate run '%s'", &text, file)
	}
}

// numbers are the environment as the gate has it. The error names the field.
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
