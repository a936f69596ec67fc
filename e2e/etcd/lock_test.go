package etcd_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/etcdlock"
	"interregnum/elector/ttl"
)

func lockAt(t *testing.T, at, identity string, lasts time.Duration) *etcdlock.Lock {
	client, err := dial(at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	l, err := etcdlock.New(client, t.Name(), identity, lasts)
	require.NoError(t, err)
	return l
}

// within is a context for calls that should be answered.
func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

func fires(t *testing.T, changed <-chan struct{}, limit time.Duration) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(limit):
		require.Fail(t, "the watch has not told of anything", "for %v", limit)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	ctx := within(t, 30*time.Second)
	a, b := lockAt(t, endpoint, "a", 10*time.Second), lockAt(t, endpoint, "b", 10*time.Second)
	_, err := a.Get(ctx)
	require.ErrorIs(t, err, ttl.ErrAbsent)
	first, err := a.Create(ctx)
	require.NoError(t, err)
	assert.Equal(t, "a", first.Holder)
	assert.NotZero(t, first.Token)

	// b can look and watch, and nothing else.
	seen, err := b.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, first, seen)
	_, err = b.Create(ctx)
	require.ErrorIs(t, err, ttl.ErrTaken)
	_, err = b.Replace(ctx)
	require.ErrorIs(t, err, ttl.ErrTaken)
	_, err = b.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	require.ErrorIs(t, b.Release(ctx), ttl.ErrLost)
	again, err := a.Refresh(ctx)
	require.NoError(t, err)
	assert.Equal(t, first, again)

	// Nor can another of a's name.
	namesake := lockAt(t, endpoint, "a", 10*time.Second)
	_, err = namesake.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	_, err = namesake.Create(ctx)
	require.ErrorIs(t, err, ttl.ErrTaken)
	_, err = namesake.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)

	// A release is told of at once, also to one who begins to watch after it.
	seen, err = b.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, first, seen)
	changed, err := b.Watch(ctx)
	require.NoError(t, err)
	require.NoError(t, a.Release(ctx))
	fires(t, changed, 5*time.Second)
	changed, err = b.Watch(ctx)
	require.NoError(t, err)
	fires(t, changed, 5*time.Second)
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	require.ErrorIs(t, a.Release(ctx), ttl.ErrLost)

	second, err := b.Replace(ctx)
	require.NoError(t, err)
	assert.Greater(t, second.Token, first.Token)
	require.NoError(t, b.Release(ctx))
}

func TestDeletedByHand(t *testing.T) {
	t.Parallel()
	ctx := within(t, 30*time.Second)
	a, b := lockAt(t, endpoint, "a", 10*time.Second), lockAt(t, endpoint, "b", 10*time.Second)
	first, err := a.Create(ctx)
	require.NoError(t, err)
	client, err := dial(endpoint)
	require.NoError(t, err)
	defer client.Close()
	_, err = client.Delete(ctx, t.Name())
	require.NoError(t, err)
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost, "the lease is alive, the key is not")

	second, err := b.Create(ctx)
	require.NoError(t, err)
	assert.Greater(t, second.Token, first.Token)
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	_ = a.Release(ctx)
	_, err = b.Refresh(ctx)
	require.NoError(t, err, "a's release was of its own")
	require.NoError(t, b.Release(ctx))
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	ctx := within(t, 30*time.Second)
	a, b := lockAt(t, endpoint, "a", 2*time.Second), lockAt(t, endpoint, "b", 2*time.Second)
	began := time.Now()
	first, err := a.Create(ctx)
	require.NoError(t, err)
	_, err = b.Get(ctx)
	require.NoError(t, err)
	changed, err := b.Watch(ctx)
	require.NoError(t, err)
	time.Sleep(time.Second) // of the server: it has no clock to set
	refreshedAt := time.Now()
	_, err = a.Refresh(ctx)
	require.NoError(t, err)
	fires(t, changed, 10*time.Second)
	assert.GreaterOrEqual(t, time.Since(refreshedAt), 2*time.Second, "expired early, %v after it was made", time.Since(began))
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	require.ErrorIs(t, a.Release(ctx), ttl.ErrLost)
	second, err := a.Create(ctx)
	require.NoError(t, err)
	assert.Greater(t, second.Token, first.Token)
	require.NoError(t, a.Release(ctx))
}

// The answer to a Create does not come. What it made is the Lock's own.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	ctx := within(t, 30*time.Second)
	way := newProxy(t)
	a, b := lockAt(t, way.address, "a", 10*time.Second), lockAt(t, endpoint, "b", 10*time.Second)
	_, err := a.Get(ctx)
	require.ErrorIs(t, err, ttl.ErrAbsent)
	way.slow(500 * time.Millisecond)
	// Of Create's two answers the first comes in time.
	_, err = a.Create(within(t, 800*time.Millisecond))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	way.slow(0)
	seen, err := b.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, "a", seen.Holder)
	_, err = a.Create(ctx)
	require.ErrorIs(t, err, ttl.ErrTaken)
	mine, err := a.Refresh(ctx)
	require.NoError(t, err)
	assert.Equal(t, seen, mine)
	require.NoError(t, a.Release(ctx))
}

// A release is under way, and nobody knows what becomes of it. Its entry is no longer the Lock's own, or it could end while
// somebody works on it.
func TestUnansweredRelease(t *testing.T) {
	t.Parallel()
	ctx := within(t, 30*time.Second)
	way := newProxy(t)
	a := lockAt(t, way.address, "a", 2*time.Second)
	first, err := a.Create(ctx)
	require.NoError(t, err)
	way.sever()
	require.ErrorIs(t, a.Release(within(t, 300*time.Millisecond)), context.DeadlineExceeded)
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	way.mend()
	_, err = a.Refresh(ctx)
	require.ErrorIs(t, err, ttl.ErrLost)
	require.Eventually(t, func() bool {
		second, err := a.Create(ctx)
		return err == nil && second.Token > first.Token
	}, 10*time.Second, 50*time.Millisecond)
	_, err = a.Refresh(ctx)
	require.NoError(t, err)
	require.NoError(t, a.Release(ctx))
}
