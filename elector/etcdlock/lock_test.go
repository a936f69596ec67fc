package etcdlock_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"interregnum/elector/etcdlock"
	"interregnum/elector/ttl"
)

// nowhere is an address at which nobody listens.
const nowhere = "127.0.0.1:1"

func client(t *testing.T, endpoint string) *clientv3.Client {
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, Logger: zap.NewNop()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}

func TestNewNamesEverything(t *testing.T) {
	_, err := etcdlock.New(nil, "", "", 1500*time.Millisecond)
	require.Error(t, err)
	for _, what := range []string{"client", "key", "identity", "whole seconds", "is 1.5s"} {
		assert.Contains(t, err.Error(), what)
	}
	for _, lasts := range []time.Duration{-time.Second, 0, time.Millisecond, 1 << 62} {
		_, err = etcdlock.New(client(t, nowhere), "k", "a", lasts)
		assert.ErrorContains(t, err, "whole seconds", lasts)
	}
	for _, endpoint := range []string{"http://me:secret@127.0.0.1:1", "me:secret@127.0.0.1:1"} {
		_, err = etcdlock.New(client(t, endpoint), "k", "a", time.Second)
		require.ErrorContains(t, err, "clientv3.Config.Username")
		assert.NotContains(t, err.Error(), "secret")
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := etcdlock.New(client(t, "http://"+nowhere), "jobs/leader", "a", 2*time.Second)
	require.NoError(t, err)
	assert.Equal(t, `key "jobs/leader" in etcd at 127.0.0.1:1, by etcd's clock`, l.Describe())
	for doing, call := range map[string]func(context.Context) error{
		"read":            func(ctx context.Context) error { _, err := l.Get(ctx); return err },
		"get a lease for": func(ctx context.Context) error { _, err := l.Create(ctx); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := call(ctx)
		cancel()
		require.ErrorContains(t, err, doing+` key "jobs/leader" in etcd at 127.0.0.1:1 (connection: `)
		assert.NotErrorIs(t, err, ttl.ErrAbsent)
		assert.NotErrorIs(t, err, ttl.ErrTaken)
	}
	// It owns nothing, and need not ask.
	_, err = l.Refresh(t.Context())
	assert.ErrorIs(t, err, ttl.ErrLost)
	assert.ErrorIs(t, l.Release(t.Context()), ttl.ErrLost)
}
