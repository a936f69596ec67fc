package machine_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
	_ "unsafe" // for jitterRand

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// jitterRand is the library's only source of random numbers.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// libraryRefuses returns what the library says against timings, "" if it accepts them.
func libraryRefuses(timings machine.Timings) string {
	_, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:          &resourcelock.LeaseLock{LockConfig: resourcelock.ResourceLockConfig{Identity: "a"}},
		LeaseDuration: timings.LeaseDuration,
		RenewDeadline: timings.RenewDeadline,
		RetryPeriod:   timings.RetryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {},
		},
	})
	return text(err)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestValidateWordForWord(t *testing.T) {
	const (
		lease    = "leaseDuration must be greater than renewDeadline"
		deadline = "renewDeadline must be greater than retryPeriod*JitterFactor"
		zero     = "retryPeriod must be greater than zero"
	)
	for _, c := range []struct {
		lease, deadline, period time.Duration
		want                    string
	}{
		{15 * time.Second, 10 * time.Second, 2 * time.Second, ""},
		{60 * time.Second, 15 * time.Second, 5 * time.Second, ""},
		{10*time.Second + 1, 10 * time.Second, 2 * time.Second, ""},
		{10 * time.Second, 10 * time.Second, 2 * time.Second, lease},
		{9 * time.Second, 10 * time.Second, 20 * time.Second, lease},
		{15 * time.Second, 12 * time.Second, 10 * time.Second, deadline},
		{15 * time.Second, 12*time.Second + 1, 10 * time.Second, ""},
		{15 * time.Second, 2 * time.Second, 2 * time.Second, deadline},
		{2, 1, 0, zero},
		{2, 1, -1, zero},
		{0, 0, 0, lease},
		{1, 0, 0, deadline},
		{1, 0, -1, "renewDeadline must be greater than zero"},
		{0, -1, -2, "leaseDuration must be greater than zero"},
		{-1, -2, -3, "leaseDuration must be greater than zero"},
		{3, 2, 1, ""},
		{2, 1, 1, deadline},
		{math.MaxInt64, math.MaxInt64 - 1, time.Second, ""},
	} {
		timings := machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period}
		assert.Equal(t, c.want, libraryRefuses(timings), "the library on %v", timings)
		assert.Equal(t, c.want, text(timings.Validate()), "%v", timings)
	}
}

// TestValidateAsTheLibrary draws timings at the edges of the rules.
func TestValidateAsTheLibrary(t *testing.T) {
	near := rapid.SampledFrom([]time.Duration{-1, 0, 1, time.Millisecond})
	rapid.Check(t, func(t *rapid.T) {
		var timings machine.Timings
		timings.RetryPeriod = rapid.OneOf(
			rapid.SampledFrom([]time.Duration{-time.Second, -1, 0, 1, 5, time.Second}),
			rapid.Map(rapid.Int64Range(-1e9, 1e15), func(n int64) time.Duration { return time.Duration(n) }),
		).Draw(t, "period")
		timings.RenewDeadline = time.Duration(1.2*float64(timings.RetryPeriod)) + near.Draw(t, "deadline")
		timings.LeaseDuration = timings.RenewDeadline + near.Draw(t, "lease")
		if want, got := libraryRefuses(timings), text(timings.Validate()); got != want {
			t.Fatalf("%v: %q, the library says %q", timings, got, want)
		}
	})
}

// TestTimingErrorSaysTheNumbers: the rule in the library's words, and beside it what broke it.
func TestTimingErrorSaysTheNumbers(t *testing.T) {
	timings := machine.Timings{
		LeaseDuration: 15 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: 10 * time.Second,
	}
	var e *machine.TimingError
	require.True(t, errors.As(timings.Validate(), &e))
	assert.Equal(t, timings, e.Timings)
	assert.Equal(t, "renewDeadline must be greater than retryPeriod*JitterFactor "+
		"(leaseDuration 15s, renewDeadline 12s, retryPeriod 10s, retryPeriod*JitterFactor 12s)", e.WithNumbers())
}

// TestJitteredAsTheLibrary: to the nanosecond, whatever the draw.
func TestJitteredAsTheLibrary(t *testing.T) {
	original := jitterRand
	t.Cleanup(func() { jitterRand = original })
	require.EqualValues(t, leaderelection.JitterFactor, machine.JitterFactor)
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.OneOf(
			rapid.SampledFrom([]float64{0, math.SmallestNonzeroFloat64, 0.5, math.Nextafter(1, 0)}),
			rapid.Float64Range(0, math.Nextafter(1, 0)),
		).Draw(t, "draw")
		d := time.Duration(rapid.Int64Range(1, math.MaxInt64/3).Draw(t, "d"))
		jitterRand = func() float64 { return draw }
		want := wait.Jitter(d, leaderelection.JitterFactor)
		if got := machine.Jittered(d, draw); got != want {
			t.Fatalf("%d and %v of it: %d, the library waits %d", d, draw, got, want)
		}
		o := machine.Output{Kind: machine.SetTimer, At: 7, Wait: d, Jitter: true}
		if got := o.Due(draw); got != machine.Mono(7).Add(want) {
			t.Fatalf("due at %d", got)
		}
		o.Jitter = false
		if got := o.Due(draw); got != machine.Mono(7).Add(d) {
			t.Fatalf("due at %d though nothing is jittered", got)
		}
	})
}
