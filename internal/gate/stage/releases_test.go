package stage

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestTwoReleases shows how an overlap grows beyond the one computed: two releases that are late at the same time wipe two leases, and
// a leader that still tries to renew takes the lock again.
func TestTwoReleases(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/two-releases.yaml")
	require.NoError(t, err)
	c := &bound.Config{
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		},
		Profile: machine.ClientGo, ReleaseOnCancel: true,
	}
	e := &bound.Environment{MaxRoundTrip: 5 * time.Second}
	w := gatetest.Watched(t, s)
	require.Empty(t, w.Outside(s, e))
	assert.Equal(t, 36911*time.Millisecond, w.Score())
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	assert.Equal(t, 27*time.Second, r.Overlap)
	assert.True(t, r.Unbounded)
}

// TestOneAfterAnother: with a release there can be two leaders for longer than the same two work at once, since one after the other loses the
// lock without seeing it. The bound is that of the same two.
func TestOneAfterAnother(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/one-after-another.yaml")
	require.NoError(t, err)
	client := s.Plan.Candidates[0].Client
	c := &bound.Config{Timings: s.Plan.Candidates[0].Timings, Profile: machine.ClientGo, ReleaseOnCancel: true, Lock: plan.Lease, Client: client}
	e := &bound.Environment{MaxRoundTrip: time.Second}
	w := gatetest.Watched(t, s)
	require.Empty(t, w.Outside(s, e))
	b, err := bound.Of(c, e)
	require.NoError(t, err)
	most, known := b.AtMost()
	require.True(t, known)
	assert.Equal(t, 23*time.Second, most)
	assert.LessOrEqual(t, w.Score(), most)
	r, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	work := r.Properties[slices.IndexFunc(r.Properties, func(p check.Property) bool { return p.Name == "single-work" })]
	assert.Equal(t, (38*time.Second + 100*time.Microsecond).Nanoseconds(), work.OverlapNs)
}

// TestBlindReleaseWaits: the work of a leader of v0.24 goes on while its release waits for a token, beside that of who has taken the lock
// meanwhile.
func TestBlindReleaseWaits(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/blind-release-waits.yaml")
	require.NoError(t, err)
	a := s.Plan.Candidates[0]
	client := a.Client.Clone()
	client.Other = nil
	c := &bound.Config{
		Timings: a.Timings, Profile: a.Profile, ReleaseOnCancel: true, RequestTimeout: a.RequestTimeout, Lock: plan.Lease, Client: client,
	}
	e := &bound.Environment{MaxRoundTrip: 3 * time.Second, OtherQPS: 4, OtherBurst: 400}
	w := gatetest.Watched(t, s)
	require.Empty(t, w.Outside(s, e))
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	most, known := r.AtMost()
	assert.True(t, !known || most >= w.Score(), "%v of %v", w.Score(), most)
	assert.Greater(t, w.Score(), 31*time.Second)
}

// TestReleasedByTheSuccessor: where leaders do not gather, one can yet take the lock back once, from its own successor, whose
// release is applied and not answered. Each of the two may have been frozen by then.
func TestReleasedByTheSuccessor(t *testing.T) {
	c := &bound.Config{
		Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 990 * time.Millisecond,
		},
		Profile: machine.ClientGo, ReleaseOnCancel: true, Lock: plan.Lease,
	}
	e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, MaxPause: 3500 * time.Millisecond}
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	s := &crowd{stage: newStage(c, e)}
	a, first, last := s.success(&r.Plan)
	a.wait(c.RetryPeriod)
	polled := a.now
	a.wait(c.RenewDeadline)
	s.cutOff("a", polled, a.now-s.near-3)
	b := s.successor(&r.Plan, a, first, last)
	b.pass(2 * b.trip())
	renewed := b.request(machine.Update, answered, b.direct())
	blank := s.readLate(a, renewed+s.leg) + 2*s.leg
	b.pass(s.pause(b.id, b.now, e.MaxPause) - b.now)
	b.wait(c.RetryPeriod)
	sends := b.now + 10*c.RetryPeriod
	x := s.take(blank)
	starts := x.now
	for x.now+2*c.RetryPeriod+c.RenewDeadline+e.MaxRoundTrip < sends {
		x.renew()
	}
	rest := sends - 10*s.leg - (x.now + c.RetryPeriod + c.RenewDeadline)
	x.request(machine.Update, answered, min(rest, x.direct()))
	x.wait(c.RetryPeriod)
	polled = x.now
	x.wait(c.RenewDeadline)
	s.cutOff(x.id, polled, x.now-s.near-3)
	release := x.now
	x.pass(x.trip())
	s.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg}, x.id, x.now, x.now+s.leg)
	s.s.Horizon = s.finish(x.id, release+c.RenewDeadline, e.MaxPause) + time.Second
	w := gatetest.Watched(t, s.s)
	require.Empty(t, w.Outside(s.s, e))
	t.Log(w.Course, w.Score(), starts, r.Overlap, r.Slack, w.Terms)
	assert.Greater(t, w.Score(), r.Overlap+time.Second)
	assert.LessOrEqual(t, w.Score(), r.Overlap+r.Slack)
}

// TestTimeoutIsTheDeadline: where the client's timeout is as long as RenewDeadline, and answers may take longer, the release of the
// third leader has no time left to wait in the limiter.
func TestTimeoutIsTheDeadline(t *testing.T) {
	for _, row := range []struct {
		drift   int64
		shorter time.Duration
	}{{0, 0}, {1, 0}, {1, 101}} { // the last has a nanosecond left
		c := &bound.Config{
			Timings: machine.Timings{
				LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			},
			Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: 10*time.Second - row.shorter, Lock: plan.Lease,
		}
		e := &bound.Environment{MaxRoundTrip: 11 * time.Second, MaxDriftPPM: row.drift}
		assert.Equal(t, bound.Wiped, prediction(t, c, e).Plan.Kind)
	}
}

// TestConflictingRelease: a release conflicts as often, and its overlap is as long, if a 409 can hide a success, and if answers can take longer than
// the request timeout, on the releasing leader's slow clock or on each one.
func TestConflictingRelease(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	calm := bound.Environment{MaxRoundTrip: 2400 * ms}
	for name, row := range map[string]struct {
		lease, deadline, period, timeout time.Duration
		bound.Environment
		want time.Duration
	}{
		"no 409 hides a success": {15 * s, 10 * s, 2 * s, 5 * s, calm, 24400 * ms},
		"a 409 hides a success":  {15 * s, 10 * s, 2 * s, 5 * s, bound.Environment{MaxRoundTrip: 2400 * ms, HiddenConflicts: true}, 24400 * ms},
		"answers wait":           {2 * s, 1800 * ms, 200 * ms, 150 * ms, bound.Environment{MaxRoundTrip: 190 * ms}, 3950 * ms},
		"a slow clock waits":     {4 * s, 3720 * ms, 600 * ms, 120 * ms, bound.Environment{MaxRoundTrip: 150 * ms, MaxDriftPPM: 500_000}, 9420 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			c := &bound.Config{
				Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
				Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: plan.Lease,
			}
			r := prediction(t, c, &row.Environment)
			assert.Positive(t, r.Plan.Conflicts)
			assert.Equal(t, row.want, r.Overlap.Round(ms))
		})
	}
}

// TestReadAtTheDeadline: a poll whose last Get would be under way at its deadline leaves a leader of v0.24 without the object that it
// needs to release. The witness has it wait for a write instead.
func TestReadAtTheDeadline(t *testing.T) {
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: time.Second, RenewDeadline: 352930718, RetryPeriod: 44108931},
		Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: 705861435, Lock: plan.ConfigMap,
	}
	r := prediction(t, c, &bound.Environment{MaxRoundTrip: 98715})
	assert.Equal(t, bound.Released, r.Plan.Kind)
}
