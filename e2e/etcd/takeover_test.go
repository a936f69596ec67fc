package etcd_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector"
)

// lag is how late etcd may revoke a lease (it looks every half second), and this machine all else.
const lag = 1500 * time.Millisecond

// freshKey is a key that no earlier run of the test has left an entry in.
func freshKey(t *testing.T) string { return fmt.Sprint(t.Name(), " ", time.Now().UnixNano()) }

// three are candidates of one key.
func three(t *testing.T, p plan) []*process {
	p.Key, p.Endpoint = freshKey(t), endpoint
	var all []*process
	for i := range 3 {
		p.Identity = fmt.Sprint("candidate-", i+1)
		all = append(all, launch(t, p))
	}
	return all
}

// quick is a plan whose entries expire soon.
func quick(profile elector.Profile) plan {
	return plan{
		TTL: 2 * time.Second, RenewDeadline: 1500 * time.Millisecond, RetryPeriod: 300 * time.Millisecond,
		Profile: profile, Release: true,
	}
}

// A leader that is killed releases nothing: another leads once the entry has expired.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := quick(elector.Strict)
	all := three(t, p)
	leader, was := first(t, all...)
	leader.await(is(refreshed))
	killed := time.Now()
	leader.signal(syscall.SIGKILL)
	_, next := first(t, others(all, leader)...)
	after := next.At.Sub(killed)
	t.Logf("elected %v after the kill, tokens %d and %d", after, was.Token, next.Token)
	assert.Greater(t, next.Token, was.Token)
	assert.Greater(t, after, p.TTL-p.RetryPeriod-lag/2)
	assert.Less(t, after, p.TTL+lag)
}

// A leader that is told to end releases its entry, and the watch of the others tells them at once. No poll could: there is one
// every TTL.
func TestReleased(t *testing.T) {
	t.Parallel()
	all := three(t, plan{
		TTL: 20 * time.Second, RenewDeadline: 15 * time.Second, RetryPeriod: 5 * time.Second, Release: true,
	})
	leader, was := first(t, all...)
	time.Sleep(300 * time.Millisecond) // for the others to see it
	leader.signal(syscall.SIGTERM)
	over := leader.await(is(stopped))
	_, next := first(t, others(all, leader)...)
	after := next.At.Sub(over.At)
	t.Logf("elected %v after the end of the work, tokens %d and %d", after, was.Token, next.Token)
	assert.Greater(t, next.Token, was.Token)
	assert.Positive(t, after, "the work first")
	assert.Less(t, after, lag)
}

// A leader that is frozen for longer than its entry lasts: another leads, and no algorithm can help that. When it wakes up it
// stops at once: with strict before it sends anything.
func TestFrozen(t *testing.T) {
	for _, profile := range []elector.Profile{elector.Strict, elector.ClientGo} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			all := three(t, quick(profile))
			leader, was := first(t, all...)
			leader.await(is(refreshed))
			leader.signal(syscall.SIGSTOP)
			_, next := first(t, others(all, leader)...)
			assert.Greater(t, next.Token, was.Token, "what is guarded can tell them apart")
			woken := time.Now()
			leader.signal(syscall.SIGCONT)
			sent := 0
			over := leader.await(func(r report) bool {
				if r.What == asked && r.At.After(woken) {
					sent++
				}
				return r.What == stopped
			})
			t.Logf("stopped %v after it woke up, %d refreshes sent", over.At.Sub(woken), sent)
			assert.True(t, over.At.After(next.At))
			assert.Less(t, over.At.Sub(woken), lag)
			if profile == elector.Strict {
				assert.Zero(t, sent)
			}
		})
	}
}

// A refresh is applied at once, but its answer takes longer than what TTL leaves beside RenewDeadline; then the leader is cut
// off. Who counts from the answer works on beside its successor; who counts from the sending has stopped before.
func TestSlowAnswerThenCut(t *testing.T) {
	for _, profile := range []elector.Profile{elector.Strict, elector.ClientGo} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			way := newProxy(t)
			p := plan{
				Endpoint: way.address, Profile: profile,
				TTL: 5 * time.Second, RenewDeadline: 4 * time.Second, RetryPeriod: 500 * time.Millisecond,
			}
			p.Key, p.Identity = freshKey(t), "candidate-1"
			leader := launch(t, p)
			was := leader.await(is(elected))
			p.Endpoint, p.Identity = endpoint, "candidate-2"
			follower := launch(t, p)
			leader.await(is(refreshed))

			// A refresh has two answers: that of the lease, from which it counts, and that of the key.
			way.slow(1500 * time.Millisecond)
			last := leader.await(func(r report) bool {
				return r.What == refreshed && r.At.Sub(r.Began) > 2900*time.Millisecond
			})
			way.sever()
			over := leader.await(is(stopped))
			next := follower.await(is(elected))
			require.Greater(t, next.Token, was.Token)
			overlap := over.At.Sub(next.At)
			t.Logf("the last refresh was sent %v and answered %v before the work stopped; overlap %v",
				over.At.Sub(last.Began), over.At.Sub(last.At), overlap)
			switch profile {
			case elector.Strict:
				assert.Negative(t, overlap)
				assert.InDelta(t, p.RenewDeadline.Seconds(), over.At.Sub(last.Began).Seconds(), 1)
			case elector.ClientGo:
				assert.Positive(t, overlap)
				assert.InDelta(t, p.RenewDeadline.Seconds(), over.At.Sub(last.At).Seconds(), 1)
			}
		})
	}
}
