package elector_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/internal/few"
)

var (
	fleetRuns  = flag.Int("fleet.runs", few.Else(20, 40), "how many fleets TestFleet runs")
	fleetFirst = flag.Uint64("fleet.first", 1, "the seed of the first")
)

// stint is the work of one program, from the call of OnStartedLeading to its return or to the exit of the program.
type stint struct {
	who        string
	begun, end time.Duration
	// token is 0 where the lock tells none.
	token uint64
}

// judge knows nothing but when work was done.
type judge struct {
	mu     sync.Mutex
	stints []*stint
}

func (j *judge) begins(ctx context.Context, who string, at time.Duration) *stint {
	token, _ := elector.FencingToken(ctx)
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &stint{who: who, begun: at, end: -1, token: token}
	j.stints = append(j.stints, s)
	return s
}

func (j *judge) ends(s *stint, at time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s.end < 0 {
		s.end = at
	}
}

// callbacks are those of a program whose work ends with its context.
func (j *judge) callbacks(c *cluster, who string) elector.LeaderCallbacks {
	return elector.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) {
			s := j.begins(ctx, who, time.Since(c.begin))
			<-ctx.Done()
			j.ends(s, time.Since(c.begin))
		},
		OnStoppedLeading: func() {},
	}
}

// overlap is the longest time for which two worked at once.
func (j *judge) overlap() (longest time.Duration, who string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, a := range j.stints {
		for _, b := range j.stints[i+1:] {
			if both := min(a.end, b.end) - max(a.begun, b.begun); both > longest {
				longest, who = both, fmt.Sprintf("%+v %+v", *a, *b)
			}
		}
	}
	return longest, who
}

// stale is a pair of terms of which the later one has no greater token, "" for none.
func (j *judge) stale() string {
	for i, a := range j.stints {
		for _, b := range j.stints[i+1:] {
			if first, second := a, b; first.begun != second.begun && second.token != 0 {
				if second.begun < first.begun {
					first, second = second, first
				}
				if second.token <= first.token {
					return fmt.Sprintf("%+v %+v", *first, *second)
				}
			}
		}
	}
	return ""
}

// weather is what becomes of a member's requests: for a while each is lost on its way out, lost on its way back, slow, or
// answered by an error although it was applied.
type weather struct {
	rl.Interface
	*block
	draw *dice
	bad  atomic.Bool
}

// dice is what the goroutines of a member draw with, in turn.
type dice struct {
	mu   sync.Mutex
	rand *rand.Rand
}

// below is a number from 0 to n-1.
func (d *dice) below(n int64) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.Int64N(n)
}

// upTo is a time of 0 or more below d.
func (d *dice) upTo(limit time.Duration) time.Duration { return time.Duration(d.below(int64(limit))) }

func (w *weather) RecordEvent(string) { w.maybe() }

// ResourceVersion, TimeUnit and UID hand on what the locks of kubelock tell an elector.
func (w *weather) ResourceVersion() string {
	if lock, ok := w.Interface.(elector.ResourceVersioner); ok {
		return lock.ResourceVersion()
	}
	return ""
}

func (w *weather) TimeUnit() time.Duration {
	if lock, ok := w.Interface.(elector.TimeKeeper); ok {
		return lock.TimeUnit()
	}
	return 0
}

func (w *weather) UID() types.UID {
	if lock, ok := w.Interface.(interface{ UID() types.UID }); ok {
		return lock.UID()
	}
	return ""
}

// fleetLocks are what a fleet elects on, one after the other: client-go's own lock on a Lease, and those of kubelock on one object.
var fleetLocks = []string{
	"", kubelock.LeasesResourceLock, "", kubelock.ConfigMapsResourceLock, "", kubelock.EndpointsResourceLock,
}

func fleetLock(c *cluster, kind, id string) rl.Interface {
	if kind == "" {
		return c.lock(id)
	}
	client := c.server.Clientset()
	lock, err := kubelock.New(kind, "default", "lock", client.CoreV1(), client.CoordinationV1(), rl.ResourceLockConfig{Identity: id})
	require.NoError(c.t, err)
	return lock
}

func (w *weather) pass(ctx context.Context, apply func(context.Context) error) error {
	fate := 0
	if w.bad.Load() {
		fate = 1 + int(w.draw.below(4))
	}
	if fate == 1 {
		<-ctx.Done()
		return ctx.Err()
	}
	if fate == 2 {
		select {
		case <-time.After(w.draw.upTo(12 * time.Second)):
		case <-ctx.Done():
		}
	}
	err := apply(context.WithoutCancel(ctx)) // whoever gives up does not recall his request
	if fate == 3 {
		<-ctx.Done()
		return ctx.Err()
	}
	if fate == 4 && err == nil {
		return apierrors.NewInternalError(context.DeadlineExceeded)
	}
	return err
}

func (w *weather) Get(ctx context.Context) (r *rl.LeaderElectionRecord, raw []byte, err error) {
	err = w.pass(ctx, func(ctx context.Context) (err error) { r, raw, err = w.Interface.Get(ctx); return err })
	return r, raw, err
}

func (w *weather) Create(ctx context.Context, r rl.LeaderElectionRecord) error {
	return w.pass(ctx, func(ctx context.Context) error { return w.Interface.Create(ctx, r) })
}

func (w *weather) Update(ctx context.Context, r rl.LeaderElectionRecord) error {
	return w.pass(ctx, func(ctx context.Context) error { return w.Interface.Update(ctx, r) })
}

// fellow is a program of the fleet: it heeds its context after a while, or ignores it and exits a while after
// OnStoppedLeading; then, or where its Run has returned, it begins again. The OnStartedLeading of some that ignore it returns when
// the context ends, and leaves goroutines behind that work on.
type fellow struct {
	c       *cluster
	judge   *judge
	draw    *dice
	name    string
	config  elector.LeaderElectionConfig
	weather *weather
	drain   time.Duration
	ignores bool
	leaves  bool
	again   bool
}

func newFellow(c *cluster, j *judge, seed uint64, i int) *fellow {
	draw := &dice{rand: rand.New(rand.NewPCG(seed, uint64(i)))}
	m := &fellow{c: c, judge: j, draw: draw, name: fmt.Sprint("m", i)}
	id := m.name
	if i > 0 && draw.below(3) == 0 {
		id = "m0"
	}
	m.config = c.config(id)
	m.config.ReleaseOnCancel = draw.below(2) == 0
	kind := fleetLocks[seed%uint64(len(fleetLocks))]
	m.weather = &weather{Interface: fleetLock(c, kind, id), block: &block{release: make(chan struct{})}, draw: draw}
	m.config.Lock = m.weather
	m.drain = draw.upTo(4500 * time.Millisecond)
	m.ignores, m.leaves, m.again = draw.below(3) == 0, draw.below(2) == 0, draw.below(2) == 0
	return m
}

// live is the fellow's life: processes one after the other, or Runs of one elector.
func (m *fellow) live(ctx context.Context) {
	var le *elector.LeaderElector
	for ctx.Err() == nil {
		process, exit := context.WithCancel(klog.NewContext(ctx, logr.New(blockedSink{m.weather.block})))
		var work atomic.Pointer[stint]
		m.config.Callbacks.OnStartedLeading = func(lead context.Context) {
			work.Store(m.judge.begins(lead, m.name, time.Since(m.c.begin)))
			if m.ignores && !m.leaves {
				<-process.Done()
				return
			}
			<-lead.Done()
			if m.ignores {
				return
			}
			time.Sleep(m.drain)
			m.judge.ends(work.Load(), time.Since(m.c.begin))
		}
		m.config.Callbacks.OnStoppedLeading = func() {
			if m.ignores && work.Load() != nil {
				time.Sleep(m.drain)
				m.judge.ends(work.Load(), time.Since(m.c.begin))
				exit() // the process is gone; another one begins
			}
		}
		if le == nil || !m.again || m.ignores {
			var err error
			le, err = elector.NewLeaderElector(m.config)
			require.NoError(m.c.t, err)
		}
		part, leave := context.WithCancel(process)
		stop := time.AfterFunc(m.draw.upTo(3*time.Minute), func() {
			if !m.ignores || m.leaves {
				leave()
			}
		})
		le.Run(part)
		stop.Stop()
		leave()
		exit()
		time.Sleep(m.draw.upTo(3 * time.Second))
	}
}

// storm makes the weather bad for a while, and blocks the log, the events and whatever else is told.
func (m *fellow) storm(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(m.draw.upTo(40 * time.Second))
		m.weather.bad.Store(true)
		m.weather.on.Store(m.draw.below(2) == 0)
		time.Sleep(m.draw.upTo(25 * time.Second))
		m.weather.bad.Store(false)
		m.weather.on.Store(false)
	}
}

// TestFleet runs fleets of strict electors for ten minutes each, in storms: no two work at once. Logs block for ever, Runs
// follow each other on one elector, programs share an identity, and some ignore their contexts and exit when they are told
// that they have stopped leading. The lock is a Lease, a ConfigMap or Endpoints, and tokens grow from term to term.
func TestFleet(t *testing.T) {
	worked := 0
	for seed := *fleetFirst; seed < *fleetFirst+uint64(*fleetRuns); seed++ {
		synctest.Test(t, func(t *testing.T) {
			c, j := newCluster(t), &judge{}
			ctx, cancel := context.WithCancel(c.ctx)
			var lives sync.WaitGroup
			var all []*fellow
			for i := range 2 + int(seed%3) {
				m := newFellow(c, j, seed, i)
				all = append(all, m)
				lives.Go(func() { m.live(ctx) })
				lives.Go(func() { m.storm(ctx) })
			}
			time.Sleep(10 * time.Minute)
			cancel()
			for _, m := range all {
				close(m.weather.release)
			}
			lives.Wait()
			synctest.Wait()
			for _, s := range j.stints {
				j.ends(s, time.Since(c.begin))
			}
			// What ended with the test ended all at once.
			over := 10 * time.Minute
			j.stints = slices.DeleteFunc(j.stints, func(s *stint) bool { return s.begun >= over })
			for _, s := range j.stints {
				s.end = min(s.end, over)
			}
			longest, who := j.overlap()
			require.Zero(t, longest, "seed %d: %s", seed, who)
			require.Empty(t, j.stale(), "seed %d", seed)
			worked += len(j.stints)
		})
	}
	t.Logf("%d fleets, %d terms of work", *fleetRuns, worked)
	assert.Greater(t, worked, *fleetRuns, "hardly anybody ever led")
}
