package elector_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector"
)

// kind is what elects: this package with a profile, or the library.
type kind string

const (
	strict   kind = "strict"
	ours     kind = "client-go"
	library  kind = "library"
	drainFor      = 3 * time.Second
)

// peer is one that takes part, until it leaves.
type peer struct {
	kind kind
	stop context.CancelFunc
	over chan struct{}
}

// join has a candidate take part, named after its kind. Only strict work takes time to end: the
// others' must not.
func (c *cluster) join(k kind, release bool) *peer {
	drain := time.Duration(0)
	if k == strict {
		drain = drainFor
	}
	config := c.config(string(k))
	config.ReleaseOnCancel, config.Jitter = release, nil
	config.Callbacks.OnStartedLeading = c.work(string(k), drain)
	config.Callbacks.OnStoppedLeading = func() {}
	var le candidate
	var err error
	if k == library {
		le, err = leaderelection.NewLeaderElector(libraryConfig(config))
	} else {
		config.Profile = elector.Profile(k)
		le, err = elector.NewLeaderElector(config)
	}
	require.NoError(c.t, err)
	p := &peer{kind: k, over: make(chan struct{})}
	var ctx context.Context
	ctx, p.stop = context.WithCancel(c.ctx)
	go func() {
		defer close(p.over)
		le.Run(ctx)
	}()
	return p
}

// libraryConfig is the same for the library.
func libraryConfig(c elector.LeaderElectionConfig) leaderelection.LeaderElectionConfig {
	return leaderelection.LeaderElectionConfig{
		Lock: c.Lock, LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline,
		RetryPeriod: c.RetryPeriod, Callbacks: leaderelection.LeaderCallbacks(c.Callbacks),
		ReleaseOnCancel: c.ReleaseOnCancel, Name: c.Name,
	}
}

func (p *peer) leave() {
	p.stop()
	<-p.over
}

// TestTurns: candidates of all kinds lead in turn, each the successor of each, and never two at once.
func TestTurns(t *testing.T) {
	for _, release := range []bool{false, true} {
		for _, pair := range [][2]kind{{strict, ours}, {strict, library}, {ours, library}} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				leader := c.join(pair[0], release)
				after(time.Second)
				var want []string
				for turn := range 6 {
					want = append(want, string(pair[turn%2]))
					next := c.join(pair[(turn+1)%2], release)
					after(61 * time.Second)
					require.Equal(t, want, c.ids(), "others wait while it renews")
					left := time.Since(c.begin)
					leader.leave()
					after(30 * time.Second)
					taken := c.worked()[turn+1].at - left
					if release {
						assert.Less(t, taken, drainFor+5*time.Second)
					} else {
						assert.Greater(t, taken, 12*time.Second)
					}
					leader = next
				}
				leader.leave()
				after(time.Minute)
				assert.Empty(t, c.working)
			})
		}
	}
}

func (c *cluster) ids() (ids []string) {
	for _, e := range c.worked() {
		ids = append(ids, e.id)
	}
	return ids
}

// TestRollout: all kinds at once for two hours; whoever leads leaves every minute or so and comes back.
func TestRollout(t *testing.T) {
	for _, release := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			peers := map[kind]*peer{}
			for _, k := range []kind{strict, ours, library} {
				peers[k] = c.join(k, release)
			}
			for range 100 {
				after(71 * time.Second)
				c.mu.Lock()
				require.NotEmpty(t, c.working)
				leader := kind(c.working[0])
				c.mu.Unlock()
				peers[leader].leave()
				after(30 * time.Second) // the others know each of their namesakes for themselves
				peers[leader] = c.join(leader, release)
			}
			followers := map[string]bool{}
			ids := c.ids()
			for i := 1; i < len(ids); i++ {
				followers[ids[i-1]+" "+ids[i]] = true
			}
			t.Logf("%d terms: %v", len(ids), followers)
			assert.GreaterOrEqual(t, len(followers), 6, "each has followed each")
			for _, p := range peers {
				p.leave()
			}
			after(time.Minute)
		})
	}
}
