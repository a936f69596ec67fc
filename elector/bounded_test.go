package elector

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBoundedIsLikeTheRealThing does the same to a bounded context and to one with a deadline of
// Go's, and to a child of each.
func TestBoundedIsLikeTheRealThing(t *testing.T) {
	type ender struct{ expire, cancel, parent func() }
	cases := map[string]func(e ender){
		"nothing":             func(ender) {},
		"expires":             func(e ender) { e.expire() },
		"cancelled":           func(e ender) { e.cancel() },
		"parent":              func(e ender) { e.parent() },
		"expires, cancelled":  func(e ender) { e.expire(); e.cancel() },
		"expires, parent":     func(e ender) { e.expire(); e.parent() },
		"cancelled, expires":  func(e ender) { e.cancel(); e.expire() },
		"parent, expires":     func(e ender) { e.parent(); e.expire() },
		"parent, cancelled":   func(e ender) { e.parent(); e.cancel() },
		"cancelled, parent":   func(e ender) { e.cancel(); e.parent() },
		"all, the other way":  func(e ender) { e.parent(); e.cancel(); e.expire() },
		"all, expires before": func(e ender) { e.expire(); e.cancel(); e.parent() },
	}
	type key struct{}
	for name, act := range cases {
		for _, parentFirst := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					deadline := time.Now().Add(time.Second)
					newParent := func() (context.Context, context.CancelCauseFunc, context.CancelFunc) {
						ctx := context.WithValue(context.Background(), key{}, "value")
						after := time.Hour
						if parentFirst {
							after = -time.Millisecond
						}
						ctx, drop := context.WithDeadline(ctx, deadline.Add(after))
						ctx, end := context.WithCancelCause(ctx)
						return ctx, end, drop
					}
					reason := errors.New("reason")
					wantParent, endWant, dropWant := newParent()
					want, cancelWant := context.WithDeadline(wantParent, deadline)
					gotParent, endGot, dropGot := newParent()
					got := newBounded(gotParent, deadline)
					wantChild, cancelWantChild := context.WithCancel(want)
					gotChild, cancelGotChild := context.WithCancel(got)
					var cleanup = []func(){dropWant, dropGot, cancelWant, got.cancel, cancelWantChild, cancelGotChild}
					act(ender{
						expire: func() {
							// Go's own ends when its time has come, ours when it is told.
							time.Sleep(time.Until(deadline))
							got.expire()
							synctest.Wait()
						},
						cancel: func() { cancelWant(); got.cancel(); synctest.Wait() },
						parent: func() { endWant(reason); endGot(reason); synctest.Wait() },
					})
					for _, pair := range [][2]context.Context{{want, got}, {wantChild, gotChild}} {
						same(t, pair[0], pair[1])
						assert.Equal(t, "value", pair[1].Value(key{}))
					}
					for _, f := range cleanup {
						f()
					}
				})
			})
		}
	}
}

func same(t *testing.T, want, got context.Context) {
	t.Helper()
	assert.Equal(t, want.Err(), got.Err())
	assert.Equal(t, context.Cause(want), context.Cause(got))
	wantDeadline, _ := want.Deadline()
	gotDeadline, ok := got.Deadline()
	assert.True(t, ok)
	assert.True(t, wantDeadline.Equal(gotDeadline), "%v, not %v", gotDeadline, wantDeadline)
	select {
	case <-got.Done():
		require.Error(t, got.Err())
	default:
		require.NoError(t, got.Err())
	}
}
