package gate

import (
	"math"
	"slices"
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
	"interregnum/internal/gate/stage"
	"interregnum/plan"
	"interregnum/scenarios"
)

// ofClient returns the judgement of a configuration with the client client-go and without a request timeout.
func ofClient(t require.TestingT, timings machine.Timings, e *bound.Environment) *Judgement {
	target := Target{Config: bound.Config{Timings: timings, Profile: machine.ClientGo}}
	target.SetClient(&ClientSaid{Kind: "client-go"}, false)
	j, err := Judge(target, e)
	require.NoError(t, err)
	return j
}

// TestClosing: that a client closes its connection counts like a timeout, where nothing else ends a request. A scenario that ships shows
// it, with the connection itself.
func TestClosing(t *testing.T) {
	const s = time.Second
	j := ofClient(t, machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, &bound.Environment{MaxRoundTrip: 100 * time.Millisecond})
	assert.Equal(t, Unsafe, j.Verdict)
	assert.Equal(t, 10*s, j.Result.Overlap)
	assert.Contains(t, j.Assumes(), "the client closes a connection on which nothing comes for 45s")
	shipped, err := scenarios.Named("client-closed-acquiring")
	require.NoError(t, err)
	assert.InDelta(t, 10*s, gatetest.Overlap(t, shipped), float64(2*time.Millisecond))

	j, err = Judge(Target{Config: bound.Config{Timings: j.Timings, Profile: machine.ClientGo}}, &j.Environment)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict, "nothing is said of the client")
	assert.Contains(t, j.Assumes(), "then unsafe by 10s, see --client")
}

// TestRareTokens: with a limiter whose tokens are about as rare as polls the gate judges all the same. In the first two cases the limiter lets a
// poll begin only after its connection would have been closed, in the third it makes an attempt take longer than RenewDeadline.
func TestRareTokens(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, c := range map[string]struct {
		timings machine.Timings
		timeout time.Duration
		qps     float64
		e       bound.Environment
	}{
		"first poll": {
			machine.Timings{LeaseDuration: 31_296 * ms, RenewDeadline: 31_295 * ms, RetryPeriod: 26 * s}, 8600 * ms, 0.0575, bound.Environment{Reruns: true, HiddenConflicts: true},
		},
		"joined": {
			machine.Timings{LeaseDuration: 84_001_000_001, RenewDeadline: 84_000_999_998, RetryPeriod: 69_999_999_999}, 42_000_499_999, 0.021428571428877552,
			bound.Environment{MaxRoundTrip: 999, MaxDriftPPM: 1, Reruns: true},
		},
		"last": {
			machine.Timings{LeaseDuration: 132_165_403_018, RenewDeadline: 132_165_403_015, RetryPeriod: 11_800_482_412}, 0, 0.12711344736844304,
			bound.Environment{MaxRoundTrip: 999, MaxDriftPPM: 1, MaxPause: 132_165_403_018, Drain: 999_999, OtherQPS: 0.12075777500002088},
		},
	} {
		config := bound.Config{Timings: c.timings, Profile: machine.ClientGo, ReleaseOnCancel: name != "last", RequestTimeout: c.timeout, Client: &plan.Client{QPS: c.qps, Burst: 1}}
		_, err := Judge(Target{Config: config}, &c.e)
		assert.NoError(t, err, name)
	}
}

// TestClosingMonotone: a longer round trip makes nothing safer, since answers may come sooner; nor does a round trip of 0, where a connection
// is closed just before RenewDeadline. Drift moves the latest instant of a closing that leaves room for two answers.
func TestClosingMonotone(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, c := range map[string]struct {
		lease  time.Duration
		e      bound.Environment
		unsafe time.Duration // from which round trip on
	}{
		"5 percent":       {106 * s, bound.Environment{MaxDriftPPM: 50_000}, s},
		"500 ppm":         {97 * s, bound.Environment{MaxDriftPPM: 500, Drain: 903 * ms}, s},
		"true":            {90 * s, bound.Environment{}, 0},
		"5 percent, safe": {108 * s, bound.Environment{MaxDriftPPM: 50_000}, time.Hour},
		"500 ppm, safe":   {99 * s, bound.Environment{MaxDriftPPM: 500, Drain: 903 * ms}, time.Hour},
	} {
		last := time.Duration(math.MinInt64)
		for _, trip := range []time.Duration{0, 1, time.Microsecond, 100 * ms, s, 1700 * ms, 3 * s, 8 * s, 12 * s} {
			target := Target{Config: bound.Config{
				Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: 36 * s, RetryPeriod: 25 * s}, Profile: machine.ClientGo,
			}}
			target.SetClient(&ClientSaid{Kind: "controller-runtime"}, false)
			e := c.e
			e.MaxRoundTrip = trip
			j, err := Judge(target, &e)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, j.Result.Overlap, last, "%s, %s", name, trip)
			assert.True(t, trip < c.unsafe || j.Verdict == Unsafe, "%s, %s: %s", name, trip, j.Result.Overlap)
			last = j.Result.Overlap
		}
	}
}

// TestClosingsMonotone: the same of random configurations.
func TestClosingsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
		}
		deadline := ms("renew deadline", 10_000, 69_000)
		timings := machine.Timings{LeaseDuration: deadline + ms("more", 1, 80_000), RenewDeadline: deadline, RetryPeriod: ms("retry period", 500, int(deadline/time.Millisecond)*3/4)}
		e := bound.Environment{MaxDriftPPM: int64(rapid.SampledFrom([]int{0, 500, 50_000, 100_000}).Draw(t, "drift"))}
		kind := rapid.SampledFrom([]string{"client-go", "controller-runtime"}).Draw(t, "client")
		trips := []time.Duration{ms("trip", 0, 10_000), ms("trip", 0, 10_000)}
		slices.Sort(trips)
		var before time.Duration
		for i, trip := range trips {
			target := Target{Config: bound.Config{Timings: timings, Profile: machine.ClientGo}}
			target.SetClient(&ClientSaid{Kind: kind}, false)
			e.MaxRoundTrip = trip
			j := &Judgement{Target: target, Environment: e}
			require.NoError(t, CheckClient(j.Client, &e))
			require.NoError(t, j.bound())
			if j.Result.Unbounded {
				return
			}
			if i > 0 {
				require.GreaterOrEqual(t, j.Result.Overlap, before, "closing after %s", j.Closing)
			}
			before = j.Result.Overlap
		}
	})
}

// TestKnownProgramCloses: of a program in Go that is known closings count although nothing is said of its client, whether its timeout is known
// or not, unless a timeout comes before or somebody says that it has no such client.
func TestKnownProgramCloses(t *testing.T) {
	const s = time.Second
	sidecar := machine.Timings{LeaseDuration: 120 * s, RenewDeadline: 60 * s, RetryPeriod: 30 * s}
	none, program := programs.Timeout{Kind: programs.None}, &programs.Program{Name: "a sidecar"}
	for name, c := range map[string]struct {
		target   Target
		want     Verdict
		ifClosed time.Duration
	}{
		"known":                     {Target{Program: program, Timeout: none}, Unsafe, 0},
		"its timeout is not":        {Target{Program: program, Timeout: programs.Timeout{Kind: programs.Either}}, Unsafe, 0},
		"a timeout that is shorter": {Target{Program: program, Timeout: programs.FixedTimeout(10 * s)}, Safe, 0},
		"said to have no client":    {Target{Program: program, Timeout: none, ClientFrom: "--client"}, Safe, 60 * s},
		"not known":                 {Target{Timeout: none}, Safe, 60 * s},
	} {
		c.target.Config = bound.Config{Timings: sidecar, Profile: machine.ClientGo}
		j, err := Judge(c.target, &bound.Environment{MaxRoundTrip: s})
		require.NoError(t, err)
		assert.Equal(t, c.want, j.Verdict, name)
		assert.InDelta(t, c.ifClosed, j.IfClosed(), float64(s), name)
		if c.want == Unsafe {
			assert.InDelta(t, 60*s, j.Result.Overlap, float64(s), name)
			assert.Contains(t, j.Assumes(), "the client closes a connection on which nothing comes for 45s", name)
		}
	}
}

// TestKnownProgramAgain: what closings make of a known program is what they make of a client without a limit, which the command says that
// judges it again.
func TestKnownProgramAgain(t *testing.T) {
	counted := 0
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
		}
		c := bound.Config{Profile: machine.ClientGo, ReleaseOnCancel: rapid.Bool().Draw(t, "releases")}
		c.RetryPeriod = ms("retry", 500, 28_000)
		c.RenewDeadline = max(c.RetryPeriod*13/10+1, ms("renew", 5000, 120_000))
		c.LeaseDuration = (c.RenewDeadline + ms("lease", 0, 60_000)).Truncate(time.Second) + time.Second
		kind := rapid.SampledFrom([]programs.TimeoutKind{programs.None, programs.Half, programs.Either}).Draw(t, "timeout")
		e := &bound.Environment{MaxRoundTrip: ms("trip", 1, 2000), MaxDriftPPM: int64(rapid.IntRange(0, 500).Draw(t, "drift"))}
		known := &Judgement{Target: Target{Config: c, Program: &programs.Program{}, Timeout: programs.Timeout{Kind: kind}}, Environment: *e}
		require.NoError(t, known.bound())
		if known.Closing == 0 && !known.Covered {
			return
		}
		counted++
		c.Client = &plan.Client{Retries: true}
		said := &Judgement{Target: Target{Config: c, Timeout: programs.Timeout{Kind: kind}}, Environment: *e}
		require.NoError(t, said.bound())
		require.InDelta(t, said.Result.Overlap, known.Result.Overlap, float64(time.Microsecond), "%+v", c.Timings) // drift is rounded
	})
	assert.Positive(t, counted)
}

// TestClosedAgain: a read is repeated on a new connection, which may be closed as well, so that an attempt to acquire can outlast any lease.
// The gate took it for 45 s at most, and such timings for safe.
func TestClosedAgain(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	timings := machine.Timings{LeaseDuration: 100 * s, RenewDeadline: 20 * s, RetryPeriod: 5 * s}
	leg := 10 * us
	c := plan.Client{QPS: 5, Burst: 10, Retries: true}
	w := &scenarios.Scenario{Name: "closed-again", Plan: scenarios.Plan{Seed: 1, Horizon: 180 * s}}
	w.Network = scenarios.Network{Request: gatetest.Always(leg), Response: gatetest.Always(leg)}
	w.Faults = []scenarios.Fault{
		{Kind: plan.FaultError, At: 15 * us, Until: new(35 * us), On: []string{"a"}, Verb: machine.Create, Status: 500, Applied: true},
		{Kind: plan.FaultError, At: 5*s + 55*us, Until: new(5*s + 75*us), On: []string{"a"}, Verb: machine.Update, Status: 500},
		{Kind: plan.FaultPartition, At: 142*s + 115*us, On: []string{"a"}},
	}
	// Connections can be made, and then nothing comes: for 45 s each time.
	for _, lost := range [][2]time.Duration{{10*s + 60*us, 50*s + 75*us}, {50*s + 85*us, 96*s + 75*us}, {96*s + 85*us, 142*s + 75*us}} {
		w.Faults = append(w.Faults, scenarios.Fault{Kind: plan.FaultLose, Leg: plan.ResponseLeg, At: lost[0], Until: &lost[1], On: []string{"a"}})
	}
	longest := time.Duration(0)
	for start := range 100 { // b finds the lease run out as a is told that it has the lock, or a little later
		jitter := 0.8333334
		w.Candidates = []scenarios.Candidate{
			{ID: "a", Lock: plan.Lease, Profile: machine.ClientGo, Timings: timings, Client: &c, Jitter: new(0.0), Clock: scenarios.Clock{Offset: 999920100}},
			{ID: "b", Lock: plan.Lease, Profile: machine.ClientGo, Timings: timings, Client: &c, Jitter: &jitter, StartAt: 41*s + time.Duration(start)*20*ms},
		}
		longest = max(longest, gatetest.Overlap(t, w))
	}
	assert.InDelta(t, 20*s, longest, float64(s))
	j := ofClient(t, timings, &bound.Environment{MaxRoundTrip: 10 * ms})
	assert.Equal(t, Unsafe, j.Verdict)
	assert.GreaterOrEqual(t, j.Result.Overlap, longest)
}

// TestClosedUnderARead: how long two work with half of RenewDeadline as a request timeout, and answers within a second, is known exactly for
// these. Where a connection makes a difference the witness has it closed under a read; the rest are what they are without closings.
func TestClosedUnderARead(t *testing.T) {
	const s, half = time.Second, time.Second / 2
	for timings, c := range map[[3]time.Duration]struct {
		overlap time.Duration
		closed  bool
	}{
		{15 * s, 10 * s, 2 * s}: {6 * s, true}, {20 * s, 10 * s, 2 * s}: {s, true}, {18 * s, 10 * s, s}: {3 * s, true},
		{60 * s, 30 * s, 10 * s}: {s, true}, {35 * s, 20 * s, 2 * s}: {6 * s, true}, {35 * s, 30 * s, 5 * s}: {26 * s, true},
		{40 * s, 20 * s, 5 * s}: {4 * s, true}, {45 * s, 30 * s, 5 * s}: {16 * s, true}, {60 * s, 45 * s, 10 * s}: {40 * s, true},
		{90 * s, 60 * s, 15 * s}: {46 * s, true}, {137 * s, 107 * s, 26 * s}: {104 * s, true}, {60 * s, 40 * s, 15 * s}: {35 * s, true},
		{30 * s, 15 * s, 5 * s}: {half, false}, {25 * s, 15 * s, 2 * s}: {5 * half, false}, {20 * s, 12 * s, 2 * s}: {3 * s, false}, {20 * s, 15 * s, 4 * s}: {19 * half, false},
		{30 * s, 20 * s, 5 * s}: {8 * s, false}, // no attempt can begin in the second before the lease is over
	} {
		target := Target{Config: bound.Config{Profile: machine.ClientGo, Timings: machine.Timings{LeaseDuration: timings[0], RenewDeadline: timings[1], RetryPeriod: timings[2]}}}
		target.SetClient(&ClientSaid{Kind: "controller-runtime"}, false)
		j, err := Judge(target, &bound.Environment{MaxRoundTrip: s})
		require.NoError(t, err)
		assert.Equal(t, c.overlap, j.Result.Overlap, timings)
		assert.InDelta(t, c.overlap, j.Shown, float64(stage.Agree), timings)
		assert.False(t, j.Result.Upper, timings)
		assert.Equal(t, c.closed, slices.ContainsFunc(j.Witness.Faults, func(f scenarios.Fault) bool {
			return f.Kind == plan.FaultLose && *f.Until-f.At > plan.PingWait
		}), timings)
	}
}

// TestNoAttemptToClose: where no attempt to acquire can begin between the last instant at which its connection might be closed under its read
// and the end of its lease, closings count for nothing, and timings that they would make unsafe are safe.
func TestNoAttemptToClose(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for timings, want := range map[[3]time.Duration]Verdict{
		{12 * s, 6 * s, 1500 * ms}: Safe, {19 * s, 10 * s, 3500 * ms}: Safe, {12 * s, 6 * s, 2700 * ms}: Unsafe,
	} {
		target := Target{Config: bound.Config{Profile: machine.ClientGo, Timings: machine.Timings{LeaseDuration: timings[0], RenewDeadline: timings[1], RetryPeriod: timings[2]}}}
		target.SetClient(&ClientSaid{Kind: "controller-runtime"}, false)
		j, err := Judge(target, &bound.Environment{MaxRoundTrip: 100 * ms})
		require.NoError(t, err)
		assert.Equal(t, want, j.Verdict, timings)
		assert.Equal(t, want == Unsafe, j.Shown > 0, timings)
	}
}

// TestClosedAndLimited: closings and waits for tokens come together. What is sent again since its connection was closed takes a token, and the
// write after it waits for all others.
func TestClosedAndLimited(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []clientCase{
		{15 * s, 10 * s, 2 * s, ms, 5 * s, plan.Client{QPS: 5, Burst: 10, Retries: true}, 0, 20, 0, false, 6401, 6401},
		{60 * s, 40 * s, 5 * s, s, 15 * s, plan.Client{QPS: 5, Burst: 5, Retries: true}, 0, 20, 0, false, 14_400, 14_400},
		{60 * s, 40 * s, 5 * s, 10 * ms, 20 * s, plan.Client{QPS: 5, Burst: 5, Retries: true}, 0, 100, 0, false, 39_410, 39_410},
	} {
		j := c.judge(t)
		assert.Equal(t, c.bound, j.Result.Overlap.Round(ms).Milliseconds(), "%+v: %v", c, j.Result.Terms)
		assert.InDelta(t, c.shown, j.Shown.Milliseconds(), 1, "%+v: %v", c, j.Result.Terms)
	}
}

// TestClosingsAttacked: no run in which an answer is lost, and the connection closed, has an overlap longer than computed; and some
// have one that is longer than without closings.
func TestClosingsAttacked(t *testing.T) {
	t.Parallel()
	beyond := 0
	attack := func(t *rapid.T) {
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
		}
		timings := machine.Timings{RetryPeriod: ms("retry", 1000, 28_000)}
		timings.RenewDeadline = max(timings.RetryPeriod*13/10+1, ms("renew", 20_000, 120_000))
		timings.LeaseDuration = (timings.RenewDeadline + timings.RetryPeriod + ms("lease", 0, 20_000)).Truncate(time.Second) + time.Second
		leg := ms("leg", 1, 300)
		j := &Judgement{Target: Target{Config: bound.Config{Timings: timings, Profile: machine.ClientGo}}, Environment: bound.Environment{MaxRoundTrip: 2 * leg}}
		j.SetClient(&ClientSaid{Kind: "client-go"}, false)
		require.NoError(t, j.bound())
		most, known := j.Result.AtMost()
		plain, err := bound.Of(&j.Config, &j.Environment)
		require.NoError(t, err)

		// The n-th renewal is sent then, unless something was lost before; the connection is closed when nothing has come for so long.
		n := rapid.IntRange(1, 4).Draw(t, "renewal")
		sent := 4*leg + time.Duration(n)*(timings.RetryPeriod+2*leg)
		closed := sent - timings.RetryPeriod + plan.LongestStall
		cut := func(from, to time.Duration) scenarios.Fault {
			return scenarios.Fault{Kind: plan.FaultLose, At: from, Until: &to, On: []string{"a"}, Leg: plan.ResponseLeg}
		}
		again := closed + 4*leg + ms("till again", 0, 5)
		s := &scenarios.Scenario{Name: "cut", Plan: scenarios.Plan{Seed: 1, Horizon: again + 10*time.Minute}}
		s.Network = scenarios.Network{Request: gatetest.Always(leg), Response: gatetest.Always(leg)}
		s.Faults = []scenarios.Fault{
			cut(sent+leg/2, closed-ms("before it closes", 1, 2)), {Kind: plan.FaultPartition, At: again, On: []string{"a"}},
		}
		jitter := rapid.Float64Range(0, 0.99).Draw(t, "jitter")
		for i, id := range []string{"a", "b"} {
			s.Candidates = append(s.Candidates, scenarios.Candidate{ID: id, Lock: plan.Lease, Profile: machine.ClientGo, Timings: timings,
				Client: &plan.Client{Retries: true}, Jitter: &jitter, StartAt: time.Duration(i) * ms("start", 5000, 40_000)})
		}
		shown := gatetest.Overlap(t, s)
		if shown > max(0, plain.Overlap)+time.Millisecond {
			beyond++
		}
		if known && shown > max(0, most)+time.Millisecond {
			t.Fatalf("%v %+v: computed %v, shown %v\n%+v", timings, j.Environment, most, shown, s.Faults)
		}
	}
	for range 4 { // in one of a hundred times or so there is none in the 25 cases of go test
		rapid.Check(t, attack)
	}
	assert.Positive(t, beyond)
	t.Logf("%d beyond what is without closings", beyond)
}

// TestClosingBeforeATick: where the last attempt leaves room in its poll, one that fails before can end just before a tick, so that the times
// look the same for a second, and not for the 300 ms that three answers take. What bounds closings at any instants counts that.
func TestClosingBeforeATick(t *testing.T) {
	const s = time.Second
	c := bound.Config{Profile: machine.ClientGo, Client: &plan.Client{Retries: true}, RequestTimeout: 20 * s,
		Timings: machine.Timings{LeaseDuration: 150 * s, RenewDeadline: 100 * s, RetryPeriod: 5 * s}}
	e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond}
	before, err := closing.Of(bound.Of, c, e, 40*s)
	require.NoError(t, err)
	r, err := closing.Of(bound.Of, c, e, closing.Any)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, r.Overlap-before.Overlap, 600*time.Millisecond)
	assert.True(t, r.Upper)
}

// TestLostWhileTheConnectionStays: a request that is lost for longer than a connection without answers lasts is no error of the gate. It
// once asked to be told of it, since the witness shows less.
func TestLostWhileTheConnectionStays(t *testing.T) {
	const s = time.Second
	c := bound.Config{
		Timings: machine.Timings{LeaseDuration: 85 * s, RenewDeadline: 84 * s, RetryPeriod: 69 * s}, Profile: machine.ClientGo,
		ReleaseOnCancel: true, RequestTimeout: 84 * s, Client: &plan.Client{QPS: 0.2, Burst: 30},
	}
	j, err := Judge(Target{Config: c}, &bound.Environment{MaxRoundTrip: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
	assert.True(t, j.Result.Upper)
	assert.Positive(t, j.Shown)
	assert.Less(t, j.Shown, j.Result.Overlap-30*s)
}
