package elector_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector"
)

// unlucky is a client whose renewal is answered 9 s late, once. Then it is cut off, and what it writes next is refused.
type unlucky struct {
	*far
	begin time.Time
}

func (u *unlucky) Leases(namespace string) coordinationv1client.LeaseInterface {
	return &unluckyLeases{u.far.Leases(namespace), u.begin}
}

type unluckyLeases struct {
	coordinationv1client.LeaseInterface
	begin time.Time
}

// during tells whether it is now from so many seconds after the beginning to so many.
func (l *unluckyLeases) during(from, to float64) bool {
	at := time.Since(l.begin).Seconds()
	return from <= at && at < to
}

func (l *unluckyLeases) Get(ctx context.Context, name string, o metav1.GetOptions) (*coordinationv1.Lease, error) {
	if l.during(29.5, 41) || ctx.Err() != nil {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return l.LeaseInterface.Get(ctx, name, o)
}

func (l *unluckyLeases) Update(ctx context.Context, lease *coordinationv1.Lease, o metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	switch {
	case l.during(29.5, 41) || ctx.Err() != nil:
		<-ctx.Done()
		return nil, ctx.Err()
	case l.during(41, 41.5):
		return nil, apierrors.NewInternalError(errors.New("planned"))
	case l.during(19, 21):
		defer time.Sleep(9 * time.Second)
	}
	return l.LeaseInterface.Update(ctx, lease, o)
}

// TestOldRunsAgain: the elector of the library runs again after a release that was refused. It has read the lease of its successor, a
// strict one that took over in time, and writes over it: both work at once, until the strict one renews. An elector of this package in
// its place does not.
func TestOldRunsAgain(t *testing.T) {
	for _, k := range []kind{library, strict} {
		synctest.Test(t, func(t *testing.T) {
			c, j := newCluster(t), &judge{}
			config := c.config("old")
			lock := c.lock("old")
			lock.Client = &unlucky{&far{c.server.Clientset().CoordinationV1()}, c.begin}
			config.Lock, config.ReleaseOnCancel = lock, true
			config.Callbacks = j.callbacks(c, "old")
			var le candidate
			var err error
			if k == library {
				le, err = leaderelection.NewLeaderElector(libraryConfig(config))
			} else {
				le, err = elector.NewLeaderElector(config)
			}
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(c.ctx)
			go wait.UntilWithContext(ctx, le.Run, time.Second)
			time.Sleep(500 * time.Millisecond)
			config = c.config("new")
			config.Callbacks = j.callbacks(c, "new")
			successor, err := elector.NewLeaderElector(config)
			require.NoError(t, err)
			go successor.Run(ctx)
			time.Sleep(time.Minute)
			cancel()
			time.Sleep(time.Minute)
			synctest.Wait()
			if k == strict {
				require.Len(t, j.stints, 2)
				assert.GreaterOrEqual(t, j.stints[1].begun, j.stints[0].end)
				return
			}
			require.Len(t, j.stints, 3)
			beside := j.stints[1].end - j.stints[2].begun
			assert.Equal(t, []string{"old", "new", "old"}, []string{j.stints[0].who, j.stints[1].who, j.stints[2].who})
			assert.Positive(t, beside)
			t.Logf("the strict leader and the old one worked at once for %v", beside)
		})
	}
}
