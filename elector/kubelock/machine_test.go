package kubelock_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"
	"time"
	_ "unsafe" // for jitterRand

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// This file compares what elector/machine computes by itself with the library, with which the tests of that package are not linked.

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

// recordJSON is the form in which the library compares records.
func recordJSON(t *rapid.T, r *machine.Record) string {
	text, err := json.Marshal(resourcelock.LeaderElectionRecord{
		HolderIdentity: r.Holder, LeaseDurationSeconds: int(r.DurationSeconds), LeaderTransitions: int(r.Transitions),
		AcquireTime: metav1.NewTime(r.Acquire.Time()), RenewTime: metav1.NewTime(r.Renew.Time()),
	})
	require.NoError(t, err)
	return string(text)
}

// TestChangedAsTheLibrary: a follower takes a record for changed where its JSON differs. One that has not
// changed for its second is taken over, one that has is not.
func TestChangedAsTheLibrary(t *testing.T) {
	times := rapid.SampledFrom([]machine.Wall{machine.NoTime, -1, 0, 1, 999_999_999, 1e9, 1e9 + 1})
	record := rapid.Custom(func(t *rapid.T) machine.Record {
		return machine.Record{
			Holder:  rapid.SampledFrom([]string{"b", "b", "c"}).Draw(t, "holder"),
			Acquire: times.Draw(t, "acquire"), Renew: times.Draw(t, "renew"), DurationSeconds: 1,
			Transitions: rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, "transitions"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		first, second := record.Draw(t, "first"), record.Draw(t, "second")
		m := machine.New(machine.Config{
			Timings:  machine.Timings{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9},
			Identity: "a", Profile: machine.ClientGo,
		})
		read := func(at machine.Mono, in machine.InputKind, id uint64, r machine.Record) []machine.Output {
			m.Step(machine.Now{Mono: at}, &machine.Input{Kind: in, Timer: machine.Retry}, nil)
			return m.Step(machine.Now{Mono: at}, &machine.Input{Kind: machine.Responded, Response: machine.Response{
				ID: id, Outcome: machine.Done, Record: &r,
			}}, nil)
		}
		read(1, machine.Started, 1, first)
		got := read(3e9, machine.Fired, 2, second)
		changed := recordJSON(t, &first) != recordJSON(t, &second)
		if takes := got[0].Kind == machine.Send; takes == changed {
			t.Fatalf("%+v after %+v: changed is %v, takes over is %v", second, first, changed, takes)
		}
	})
}
