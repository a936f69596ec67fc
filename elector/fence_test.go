package elector_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"

	"interregnum/elector"
)

// TestTokenGrows: across takeovers, restarts under one identity, and deletes of the lock; it is the
// version of the write that began the term.
func TestTokenGrows(t *testing.T) {
	for _, k := range []kind{strict, ours} {
		for _, release := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				p := c.join(k, release)
				after(time.Second)
				if k == ours { // it renews at once, strict does not
					assert.Equal(t, uint64(1), c.worked()[0].token)
				} else {
					assert.Equal(t, c.lease().ResourceVersion, strconv.FormatUint(c.worked()[0].token, 10))
				}
				after(10 * time.Second)
				p.leave()
				p = c.join(k, release) // restarted
				after(30 * time.Second)
				require.Len(t, c.worked(), 2)

				require.NoError(t, c.leases().Delete(c.ctx, "lock", metav1.DeleteOptions{}))
				after(time.Minute)
				p.leave()
				require.NoError(t, c.leases().Delete(c.ctx, "lock", metav1.DeleteOptions{}))
				p = c.join(k, release)
				after(time.Second)
				require.GreaterOrEqual(t, len(c.worked()), 3)

				other := c.join(library, release)
				after(time.Second)
				p.leave()
				after(30 * time.Second)
				other.leave()
				p = c.join(k, release)
				after(time.Minute)
				p.leave()

				last := uint64(0)
				for _, e := range c.worked() {
					if e.id == string(library) {
						assert.Zero(t, e.token)
						continue
					}
					assert.Greater(t, e.token, last)
					last = e.token
				}
			})
		}
	}
}

// TestLeaseLockIsLeftAlone: what the elector drives behaves as the caller's lock does, and is not it.
func TestLeaseLockIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		client := fake.NewSimpleClientset()
		var labels []map[string]string
		client.PrependReactor("*", "leases", func(a ktesting.Action) (bool, runtime.Object, error) {
			type withObject interface{ GetObject() runtime.Object }
			if o, ok := a.(withObject); ok {
				labels = append(labels, o.GetObject().(metav1.Object).GetLabels())
			}
			return false, nil, nil
		})
		events := &eventLog{}
		lock := c.lock("a")
		lock.Client = client.CoordinationV1()
		var want map[string]string
		if field := reflect.ValueOf(lock).Elem().FieldByName("Labels"); field.IsValid() { // since v0.34
			want = map[string]string{"app": "x"}
			field.Set(reflect.ValueOf(want))
		}
		lock.LockConfig.EventRecorder = events
		_, _, err := lock.Get(c.ctx)
		require.Error(t, err)
		before := reflect.ValueOf(*lock)

		config := c.config("a")
		config.Lock = lock
		config.Callbacks.OnStartedLeading = c.work("a", 0)
		config.Callbacks.OnStoppedLeading = func() {}
		le, err := elector.NewLeaderElector(config)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(c.ctx, 5*time.Second)
		defer cancel()
		le.Run(ctx)
		assert.Equal(t, []map[string]string{want, want, want}, labels)
		assert.Equal(t, []string{"a became leader", "a stopped leading"}, events.texts)
		after := reflect.ValueOf(*lock)
		for i := range before.NumField() {
			assert.True(t, reflect.DeepEqual(fieldOf(before, i), fieldOf(after, i)), before.Type().Field(i).Name)
		}
	})
}

func fieldOf(v reflect.Value, i int) any {
	if f := v.Field(i); f.CanInterface() {
		return f.Interface()
	}
	return v.Field(i).IsZero()
}

type eventLog struct{ texts []string }

func (l *eventLog) Eventf(_ runtime.Object, _, _, _ string, args ...any) {
	l.texts = append(l.texts, args[0].(string))
}

// versioned is a lock of another kind that tells its version.
type versioned struct {
	gateLock
	version string
}

func (v *versioned) ResourceVersion() string { return v.version }

func TestTokenOfOtherLocks(t *testing.T) {
	for _, c := range []struct {
		version string
		token   uint64
		ok      bool
	}{{"17", 17, true}, {"18446744073709551615", 1<<64 - 1, true}, {"0", 0, false}, {"", 0, false},
		{"x", 0, false}, {"-1", 0, false}} {
		onStrictBench(t, func(config *elector.LeaderElectionConfig) {
			config.Lock = &versioned{*config.Lock.(*gateLock), c.version}
		}, func(b *strictBench) {
			b.lead()
			token, ok := elector.FencingToken(context.WithValue(b.work, t, t))
			assert.Equal(t, c.ok, ok, c.version)
			assert.Equal(t, c.token, token, c.version)
			b.cancel()
		})
	}
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		_, ok := elector.FencingToken(b.work)
		assert.False(t, ok, "the lock tells no version")
		b.cancel()
	})
	_, ok := elector.FencingToken(context.Background())
	assert.False(t, ok)
}
