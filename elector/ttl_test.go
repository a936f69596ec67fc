package elector_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"interregnum/elector"
	"interregnum/elector/ttl"
)

// party is what the candidates of one key do: a line for each beginning and end of work, and each defeat.
type party struct {
	memory
	t     *testing.T
	begin time.Time

	told  sync.Mutex
	lines []string
}

func onParty(t *testing.T, test func(p *party)) {
	metric.set(nil)
	synctest.Test(t, func(t *testing.T) { test(&party{t: t, begin: time.Now()}) })
}

func (p *party) tell(what string, values ...any) {
	p.told.Lock()
	defer p.told.Unlock()
	p.lines = append(p.lines, fmt.Sprintf("%v ", time.Since(p.begin))+fmt.Sprintf(what, values...))
}

// said returns what was told since it was last called.
func (p *party) said() string {
	synctest.Wait()
	p.told.Lock()
	defer p.told.Unlock()
	text := strings.Join(p.lines, "\n")
	p.lines = nil
	return text
}

// guest is one RunTTL.
type guest struct {
	cancel context.CancelFunc
	over   chan struct{}
	err    error
}

func (g *guest) leave() {
	g.cancel()
	<-g.over
}

// config is one candidate's, whose work needs drain to stop.
func (p *party) config(lock *memoryLock, drain time.Duration) elector.TTLConfig {
	id := lock.identity
	return elector.TTLConfig{
		Lock: lock, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Jitter: func() float64 { return 0.5 },
		Callbacks: elector.TTLCallbacks{
			OnElected: func(ctx context.Context, token uint64) {
				same, ok := elector.FencingToken(ctx)
				assert.True(p.t, ok)
				assert.Equal(p.t, token, same)
				p.tell("%s elected %d", id, token)
				<-ctx.Done()
				time.Sleep(drain)
				p.tell("%s stopped", id)
			},
			OnDefeated: func() { p.tell("%s defeated", id) },
		},
	}
}

func (p *party) run(c elector.TTLConfig) *guest {
	g := &guest{over: make(chan struct{})}
	var ctx context.Context
	ctx, g.cancel = context.WithCancel(p.t.Context())
	go func() {
		defer close(g.over)
		g.err = elector.RunTTL(ctx, c)
	}()
	synctest.Wait()
	return g
}

func TestTTLGracefulHandover(t *testing.T) {
	onParty(t, func(p *party) {
		lock := p.lock("a")
		lock.after = func(_ context.Context, verb string) error {
			if verb == "release" {
				time.Sleep(time.Second)
			}
			return nil
		}
		a := p.config(lock, time.Second)
		a.ReleaseOnCancel = true
		leader := p.run(a)
		follower := p.run(p.config(p.lock("b"), 0))
		time.Sleep(time.Minute)
		assert.Equal(t, "0s a elected 1", p.said())
		leader.leave()
		assert.NoError(t, leader.err)
		assert.Equal(t, "1m1s a stopped\n1m1s a defeated\n1m1s b elected 2", p.said(), "the work, the callback, the release, the watch")
		follower.leave()
		assert.Equal(t, "1m2s b stopped\n1m2s b defeated", p.said())
	})
}

// TestTTLCutOff: the entry counts from when the last refresh was sent, or from when it was answered.
func TestTTLCutOff(t *testing.T) {
	for profile, want := range map[elector.Profile]string{
		// Sent at 20 s, answered at 26 s.
		elector.Strict:   "30s a defeated\n31s a stopped\n35s b elected 2",
		elector.ClientGo: "35s b elected 2\n36s a defeated\n37s a stopped",
	} {
		onParty(t, func(p *party) {
			lock := p.lock("a")
			var slow, cut atomic.Bool
			lock.before = func(ctx context.Context, _ string) error {
				if cut.Load() {
					<-ctx.Done()
					return ctx.Err()
				}
				return nil
			}
			lock.after = func(context.Context, string) error {
				if slow.CompareAndSwap(true, false) {
					time.Sleep(6 * time.Second)
					cut.Store(true)
				}
				return nil
			}
			a := p.config(lock, time.Second)
			a.Profile = profile
			leader := p.run(a)
			follower := p.run(p.config(p.lock("b"), 0))
			time.Sleep(19 * time.Second)
			assert.Equal(t, "0s a elected 1", p.said())
			slow.Store(true)
			time.Sleep(time.Minute)
			assert.Equal(t, want, p.said(), profile)
			<-leader.over
			follower.leave()
		})
	}
}

// TestTTLErrorsAreNoAnswer: the service is away for less than RenewDeadline.
func TestTTLErrorsAreNoAnswer(t *testing.T) {
	onParty(t, func(p *party) {
		lock := p.lock("a")
		var away atomic.Bool
		lock.before = func(context.Context, string) error {
			if away.Load() {
				return errUnavailable
			}
			return nil
		}
		leader := p.run(p.config(lock, 0))
		time.Sleep(time.Second)
		away.Store(true)
		time.Sleep(6 * time.Second)
		away.Store(false)
		time.Sleep(time.Minute)
		assert.Equal(t, "0s a elected 1", p.said())
		leader.leave()
	})
}

// TestTTLAgain: a key that somebody deletes. The defeated waits for its work, and takes part again.
func TestTTLAgain(t *testing.T) {
	onParty(t, func(p *party) {
		lock := p.lock("a")
		lock.unwatchable = true
		a := p.config(lock, 3*time.Second)
		a.Again = true
		guest := p.run(a)
		time.Sleep(5 * time.Second)
		p.remove()
		time.Sleep(20 * time.Second)
		assert.Equal(t, "0s a elected 1\n6s a defeated\n9s a stopped\n9s a elected 2", p.said())
		guest.leave()
		assert.Equal(t, "28s a stopped\n28s a defeated", p.said())
		assert.NoError(t, guest.err)
	})
}

// TestTTLWorkThatDoesNotStop: the release is left out, and the next Run waits.
func TestTTLWorkThatDoesNotStop(t *testing.T) {
	onParty(t, func(p *party) {
		a := p.config(p.lock("a"), 20*time.Second)
		a.Again, a.ReleaseOnCancel = true, true
		guest := p.run(a)
		b := p.run(p.config(p.lock("b"), 0))
		time.Sleep(time.Second)
		p.remove()
		time.Sleep(time.Second) // b leads by now; a learns of it at 2 s
		b.leave()
		said := strings.Split(p.said(), "\n")
		assert.ElementsMatch(t, []string{
			"0s a elected 1", "1s b elected 2", "2s b stopped", "2s b defeated", "2s a defeated"}, said)
		time.Sleep(time.Minute)
		assert.Equal(t, "22s a stopped\n22s a elected 3", p.said())
		guest.leave()
		time.Sleep(time.Minute)
		assert.Contains(t, p.said(), "a stopped")
	})
}

func TestTTLPollsWhatCannotBeWatched(t *testing.T) {
	onParty(t, func(p *party) {
		asked := map[string]int{}
		lock := p.lock("b")
		lock.unwatchable = true
		lock.before = func(_ context.Context, verb string) error {
			p.told.Lock()
			defer p.told.Unlock()
			asked[verb]++
			return nil
		}
		leader := p.run(p.config(p.lock("a"), 0))
		follower := p.run(p.config(lock, 0))
		time.Sleep(31 * time.Second)
		assert.Equal(t, "0s a elected 1", p.said())
		assert.Equal(t, 1+31000/3200, asked["get"], "RetryPeriod and 0.5 * JitterFactor of it more")
		assert.Equal(t, 1, asked["watch"])
		leader.leave() // without a release
		time.Sleep(20 * time.Second)
		assert.Equal(t, "31s a stopped\n31s a defeated\n48s b elected 2", p.said(),
			"refreshed last at 30 s; a look each 3.2 s")
		follower.leave()
	})
}

// TestTTLDeafWatch: a look each TTL finds what a broken watch has not told of, and ends the watch.
func TestTTLDeafWatch(t *testing.T) {
	onParty(t, func(p *party) {
		lock := p.lock("b")
		lock.deaf = true
		var watch context.Context
		lock.before = func(ctx context.Context, verb string) error {
			if verb == "watch" {
				watch = ctx
			}
			return nil
		}
		leader := p.run(p.config(p.lock("a"), 0))
		follower := p.run(p.config(lock, 0))
		time.Sleep(5 * time.Second)
		leader.leave() // without a release
		assert.NoError(t, watch.Err())
		time.Sleep(time.Minute)
		assert.Equal(t, "0s a elected 1\n5s a stopped\n5s a defeated\n30s b elected 2", p.said())
		assert.Error(t, watch.Err())
		follower.leave()
	})
}

func TestTTLLeadersAreTold(t *testing.T) {
	onParty(t, func(p *party) {
		c := p.config(p.lock("b"), 0)
		var leaders []string
		c.Callbacks.OnNewLeader = func(who string) { leaders = append(leaders, who) }
		a := p.config(p.lock("a"), 0)
		a.ReleaseOnCancel = true
		leader := p.run(a)
		follower := p.run(c)
		leader.leave()
		synctest.Wait()
		follower.leave()
		assert.Equal(t, []string{"a", "b"}, leaders)
	})
}

// TestTTLPanics: whatever panics, the work ends, the defeat is told of, and the panic leaves RunTTL, or is swallowed.
func TestTTLPanics(t *testing.T) {
	defer func(really bool, handlers []func(context.Context, any)) {
		utilruntime.ReallyCrash, utilruntime.PanicHandlers = really, handlers
	}(utilruntime.ReallyCrash, utilruntime.PanicHandlers)
	utilruntime.PanicHandlers = nil
	for _, really := range []bool{true, false} {
		utilruntime.ReallyCrash = really
		for _, verb := range []string{"get", "create", "refresh", "release", "watch"} {
			onParty(t, func(p *party) {
				lock := p.lock("a")
				asked := 0
				lock.before = func(_ context.Context, v string) error {
					if v == verb {
						asked++
					}
					if v == verb && asked == 1 {
						panic("planned")
					}
					return nil
				}
				c := p.config(lock, 0)
				c.ReleaseOnCancel = true
				if verb == "watch" {
					_, err := p.lock("b").Create(p.t.Context())
					require.NoError(t, err)
				}
				ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
				defer cancel()
				ended := ""
				func() {
					defer func() {
						if v := recover(); v != nil {
							ended = fmt.Sprint(v)
						}
					}()
					assert.NoError(t, elector.RunTTL(ctx, c))
					ended = "returned"
				}()
				said := p.said()
				assert.Equal(t, strings.Count(said, "elected"), strings.Count(said, "stopped"), "%s\n%s", verb, said)
				assert.Equal(t, strings.Count(said, "elected"), strings.Count(said, "defeated"), "%s\n%s", verb, said)
				if really {
					assert.Equal(t, "planned", ended, verb)
				} else {
					assert.Equal(t, "returned", ended, verb)
				}
				if !really && verb != "release" {
					assert.Equal(t, time.Minute, time.Since(p.begin), "%s: the election goes on", verb)
					assert.Contains(t, said, "elected", verb)
				}
			})
		}
	}
}

func TestTTLValidation(t *testing.T) {
	refused := func(edit func(*elector.TTLConfig)) string {
		p := &party{t: t}
		c := p.config(p.lock("a"), 0)
		edit(&c)
		_, err := elector.NewTTLElector(c)
		require.Error(t, err)
		assert.Equal(t, err.Error(), elector.RunTTL(t.Context(), c).Error())
		return err.Error()
	}
	assert.Equal(t, "memory, by the bubble's clock, whose TTL of 15s is the leaseDuration: "+
		"retryPeriod must be greater than zero, is 0s\n"+
		"leaseDuration must be greater than renewDeadline, is 15s, not more than 15s",
		refused(func(c *elector.TTLConfig) { c.RenewDeadline, c.RetryPeriod = 15*time.Second, 0 }))
	assert.Equal(t, "memory, by the bubble's clock, whose TTL of 15s is the leaseDuration: "+
		"leaseDuration must be greater than renewDeadline",
		refused(func(c *elector.TTLConfig) { c.RenewDeadline, c.Profile = 15*time.Second, elector.ClientGo }))
	all := refused(func(c *elector.TTLConfig) { *c = elector.TTLConfig{Profile: "loose"} })
	for _, what := range []string{"OnElected", "Lock", `unknown profile "loose"`} {
		assert.Contains(t, all, what)
	}
	assert.NotContains(t, all, "retryPeriod", "of timings nothing is said without a lock")
	assert.Contains(t, refused(func(c *elector.TTLConfig) { c.Lock = (&party{}).lock("") }), "identity")
}

// TestTTLUntil: a term that fails, one that is lost, and one in which the work is done.
func TestTTLUntil(t *testing.T) {
	onParty(t, func(p *party) {
		c := p.config(p.lock("a"), 0)
		c.Callbacks.OnElected = nil
		c.OnWorkError = func(err error) { p.tell("%v", err) }
		term := 0
		err := elector.RunUntilTTL(p.t.Context(), c, func(ctx context.Context) error {
			term++
			token, _ := elector.FencingToken(ctx)
			p.tell("term %d, token %d", term, token)
			switch term {
			case 1:
				return errPlanned
			case 2:
				time.Sleep(time.Second)
				p.remove()
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, strings.Join([]string{
			"0s term 1, token 1", "0s a defeated", "0s planned",
			"3.2s term 2, token 2", "5.2s a defeated",
			"11.6s term 3, token 3", "11.6s a defeated",
		}, "\n"), p.said())
		_, err = p.lock("b").Get(p.t.Context())
		assert.ErrorIs(t, err, ttl.ErrAbsent, "given up")

		err = elector.RunUntilTTL(p.t.Context(), elector.TTLConfig{
			Profile: elector.ClientGo, Callbacks: elector.TTLCallbacks{OnElected: func(context.Context, uint64) {}},
		}, nil)
		for _, what := range []string{"work must not be nil", `profile must be "strict"`, "OnElected must be nil", "Lock"} {
			assert.ErrorContains(t, err, what)
		}
	})
}

// TestTTLOneToken: two terms in a row may have one token, as FencingToken's documentation says: refreshes are applied and not
// acknowledged, so that the leader gives up, and finds that the entry is still its own.
func TestTTLOneToken(t *testing.T) {
	onParty(t, func(p *party) {
		lock := p.lock("a")
		var lost atomic.Bool
		lock.after = func(context.Context, string) error {
			if lost.Load() {
				return errors.New("no answer")
			}
			return nil
		}
		first := p.run(p.config(lock, 0))
		time.Sleep(19 * time.Second)
		lost.Store(true)
		<-first.over
		lost.Store(false)
		second := p.run(p.config(lock, 0))
		time.Sleep(time.Second)
		assert.Regexp(t, `^0s a elected 1\n\S+ a (?s:.*)\n\S+ a elected 1$`, p.said())
		second.leave()
	})
}
