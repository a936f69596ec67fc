package elector_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
)

// strictBench is a bench of a strict candidate, whose work returns when the test lets it.
type strictBench struct {
	*bench
	// mayReturn lets the work return. returned: it has.
	mayReturn chan struct{}
	returned  bool
	// order is in which order things came to their end.
	order []string
}

func onStrictBench(t *testing.T, edit func(*elector.LeaderElectionConfig), test func(b *strictBench)) {
	s := &strictBench{}
	strict := func(c *elector.LeaderElectionConfig) {
		s.mayReturn = make(chan struct{}) // of the bubble
		c.Profile = elector.Strict
		started, stopped := c.Callbacks.OnStartedLeading, c.Callbacks.OnStoppedLeading
		c.Callbacks.OnStartedLeading = func(ctx context.Context) {
			started(ctx)
			<-s.mayReturn
			s.order, s.returned = append(s.order, "returned"), true
		}
		c.Callbacks.OnStoppedLeading = func() {
			s.order = append(s.order, "stopped")
			stopped()
		}
		if edit != nil {
			edit(c)
		}
	}
	onBench(t, strict, func(b *bench) {
		s.bench = b
		test(s)
		if !s.returned {
			s.finishWork()
		}
	})
}

func releasing(c *elector.LeaderElectionConfig) { c.ReleaseOnCancel = true }

// lead has the candidate create the lock at once, and returns what it wrote.
func (b *strictBench) lead() rl.LeaderElectionRecord {
	b.t.Helper()
	b.answer(b.expect("get"), notFound)
	c := b.expect("create")
	b.answer(c, fine)
	require.NotNil(b.t, b.work)
	assert.True(b.t, b.le.IsLeader())
	b.quiet()
	return c.record
}

func (b *strictBench) finishWork() {
	close(b.mayReturn)
	b.ended()
}

// stopsWork says that leading is over, and the work is still there.
func (b *strictBench) stopsWork() {
	b.t.Helper()
	assert.False(b.t, b.ended(), "the work has not returned")
	assert.Error(b.t, b.work.Err(), "the work's context")
	assert.False(b.t, b.le.IsLeader())
}

func (b *strictBench) works() {
	b.t.Helper()
	assert.NoError(b.t, b.work.Err(), "the work's context")
	assert.True(b.t, b.le.IsLeader())
}

// endedInOrder says that Run has returned, and what came before.
func (b *strictBench) endedInOrder(order ...string) {
	b.t.Helper()
	require.True(b.t, b.ended())
	assert.Equal(b.t, order, slices.Clone(b.order))
}

func holding(r rl.LeaderElectionRecord) gateAnswer {
	return gateAnswer{record: &r, raw: r.RenewTime.String()}
}

// renewed is a record with another renewTime.
func renewed(r rl.LeaderElectionRecord, by time.Duration) rl.LeaderElectionRecord {
	r.RenewTime.Time = r.RenewTime.Add(by)
	return r
}
