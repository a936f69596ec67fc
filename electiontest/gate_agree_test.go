package electiontest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/electiontest/internal/managed"
	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
	"interregnum/reports/text"
)

// said keeps what a test would log or fail with.
type said struct {
	testing.TB
	text   strings.Builder
	failed bool
}

func (s *said) Log(args ...any) { fmt.Fprintln(&s.text, args...) }

func (s *said) Error(args ...any) {
	s.failed = true
	s.Log(args...)
}

func (s *said) Errorf(format string, args ...any) { s.Error(fmt.Sprintf(format, args...)) }

// verdict is the line with the numbers.
var verdict = regexp.MustCompile(`(?m): (SAFE|UNSAFE|REFUSED): .*$`)

// TestGatesAgree: GateManager says of a manager's options what simulate gate says of the same in a file with --client controller-runtime,
// and with --request-timeout half, but for closings of the client's connection, which count where the client is known.
func TestGatesAgree(t *testing.T) {
	second := func(n float64) *time.Duration { return new(time.Duration(n * float64(time.Second))) }
	verdicts := map[string]bool{}
	for _, c := range []options{
		{LeaderElection: true},
		{LeaderElection: true, LeaderElectionReleaseOnCancel: true},
		{LeaderElection: true, LeaseDuration: second(21)},
		{LeaderElection: true, LeaseDuration: second(60), RenewDeadline: second(15), RetryPeriod: second(5)},
		{LeaderElection: true, LeaseDuration: second(4), RenewDeadline: second(1.5), RetryPeriod: second(0.5)},
		{LeaderElection: true, LeaseDuration: second(10)},
	} {
		o, err := managed.Read(c, usual)
		require.NoError(t, err)
		for _, trip := range []time.Duration{100 * time.Millisecond, time.Second, 6 * time.Second} {
			s := &said{TB: t}
			GateManager(s, &c, Environment{MaxRoundTrip: trip, Drain: 100 * time.Millisecond})
			manager := verdict.FindString(s.text.String())
			require.NotEmpty(t, manager, s.text.String())

			e := gate.DefaultEnvironment()
			e.MaxRoundTrip, e.Drain = trip, 100*time.Millisecond
			file := fmt.Sprintf("apiVersion: example.com/v1alpha1\nkind: Mine\nleaderElection:\n"+
				"  leaderElect: true\n  leaseDuration: %v\n  renewDeadline: %v\n  retryPeriod: %v\nleaderElectionReleaseOnCancel: %v\n",
				o.LeaseDuration, o.RenewDeadline, o.RetryPeriod, o.Release)
			client := gate.ClientSaid{Kind: "controller-runtime"}
			known := gate.JudgeFiles([]string{"-"}, strings.NewReader(file), &gate.Unsaid{Profile: machine.ClientGo, Client: client}, e)
			half := programs.Timeout{Kind: programs.Half}
			flag := gate.JudgeFiles([]string{"-"}, strings.NewReader(file), &gate.Unsaid{Profile: machine.ClientGo, Timeout: half}, e)
			require.Len(t, known.Targets, 1)
			for _, r := range []*gate.Report{known, flag} {
				if r == flag && known.Targets[0].Covered {
					continue // of an unknown program closings do not count
				}
				if r == known && trip > time.Second {
					continue // its client has no limiter, and requests that take so long wait in that of another
				}
				var said strings.Builder
				require.NoError(t, text.Gate(&said, r, text.Unlimited))
				assert.Equal(t, manager, verdict.FindString(said.String()), "%+v, %v", c, trip)
			}
			assert.Equal(t, s.failed, known.Verdict() != gate.Safe)
			verdicts[string(known.Verdict())] = true
		}
	}
	assert.Len(t, verdicts, 3, "safe, unsafe and refused")
}
