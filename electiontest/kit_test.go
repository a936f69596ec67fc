package electiontest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/electiontest/internal/counting"
	"interregnum/electiontest/internal/refusal"
	"interregnum/electiontest/internal/report"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
	"interregnum/simlock/fakekube"
)

// one is a scenario of a single candidate, with the faults given in YAML.
func one(t *testing.T, rest string) *scenarios.Scenario {
	s, err := scenarios.Read(strings.NewReader("name: one\nhorizon: 60s\ndefaults: {jitter: 0.5}\n"+
		"candidates: [{id: a}]\nexpect: {liveness: any, single-belief: any, safety-window: any}\n"+rest), "one")
	require.NoError(t, err)
	return s
}

// two is a scenario of two elections.
func two(t *testing.T) *scenarios.Scenario {
	s, err := scenarios.Read(strings.NewReader(`name: two
horizon: 60s
elections: [{name: main}, {name: shard, leaseDuration: 20s}]
candidates: [{id: a}, {id: b}]
`), "two")
	require.NoError(t, err)
	return s
}

func at(d time.Duration) *int64 { return new(int64(d)) }

// TestGuard: parts are part of the work, and done can be called twice.
func TestGuard(t *testing.T) {
	out := Options{}.play(t, one(t, ""), func(ctx context.Context, c *Candidate) {
		assert.NotPanics(t, Guard(context.Background()))
		work, done := GuardContext(ctx)
		go func() {
			defer Guard(work)()
			time.Sleep(5 * time.Second)
		}()
		time.Sleep(time.Second)
		done()
		done()
		time.Sleep(9 * time.Second)
		defer Guard(work)()
		defer c.Guard(context.Background())()
		<-ctx.Done()
	})
	require.Len(t, out.Result.Terms, 3)
	assert.Equal(t, scenarios.Term{
		Candidate: "a", Incarnation: 1, CancelledNs: at(5 * time.Second), EndedNs: at(5 * time.Second),
	}, out.Result.Terms[0])
	assert.Equal(t, scenarios.Term{Candidate: "a", Incarnation: 1, StartedNs: int64(10 * time.Second)}, out.Result.Terms[1])
}

// TestCrash: what a process that has crashed still does reaches nobody and counts as nothing, and a restart gives it a
// successor.
func TestCrash(t *testing.T) {
	var server fakekube.Server
	var runs, answered atomic.Int32
	out := Options{Server: &server}.play(t, one(t, `
faults:
  - {kind: crash, at: 20s, on: [a]}
  - {kind: restart, at: 30s, on: [a], identity: new}
`), func(ctx context.Context, c *Candidate) {
		runs.Add(1)
		defer Guard(ctx)()
		maps := c.Clientset().CoreV1().ConfigMaps("default")
		for range 55 {
			m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: c.Identity + "-"}}
			short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			if _, err := maps.Create(short, m, metav1.CreateOptions{}); err == nil {
				answered.Add(1)
			}
			cancel()
			time.Sleep(time.Second)
		}
		Guard(ctx)()
	})
	assert.EqualValues(t, 2, runs.Load())
	all, err := server.Clientset().CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	made := map[string]int{}
	for _, m := range all.Items {
		made[m.Name[:strings.LastIndex(m.Name, "-")]]++
	}
	assert.Equal(t, map[string]int{"a": 20, "a-2": 30}, made)
	assert.EqualValues(t, 50, answered.Load())
	assert.Equal(t, []scenarios.Term{
		{Candidate: "a", Incarnation: 1, CancelledNs: at(20 * time.Second), EndedNs: at(20 * time.Second)},
		{Candidate: "a", Incarnation: 2, StartedNs: int64(30 * time.Second)},
	}, out.Result.Terms)
}

// TestCrashAfterReturn: the function has returned, and its work goes on. A crash or a restart ends it.
func TestCrashAfterReturn(t *testing.T) {
	lasting := func(ctx context.Context) {
		<-ctx.Done()
		time.Sleep(20 * time.Second)
	}
	for _, kind := range []scenarios.FaultKind{"crash", "restart"} {
		s := handsOver()
		s.Faults = append(s.Faults, scenarios.Fault{Kind: kind, At: 20100 * time.Millisecond, On: []string{"c1"}})
		out := Options{}.play(t, s, working(lasting))
		assert.Equal(t, check.Held, check.Named(out.Result.Properties, check.SingleWork).Verdict, kind)
		assert.Equal(t, at(20100*time.Millisecond), out.Result.Terms[0].EndedNs, kind)
		assert.Empty(t, out.Result.Void, kind)
	}
}

// TestHandleError: work that hands its errors on and heeds its context ends in time, whatever the time of the run is, and handlers of the program's
// own are called.
func TestHandleError(t *testing.T) {
	before := counting.Errors.Load()
	out := Options{}.play(t, cutOff(), working(func(ctx context.Context) {
		for ctx.Err() == nil {
			utilruntime.HandleErrorWithContext(ctx, errors.New("bad object"), "cannot parse")
			time.Sleep(time.Second)
		}
	}))
	assert.True(t, out.Result.AsExpected, out.Problem())
	assert.Greater(t, counting.Errors.Load(), before)
}

// TestLabels: a follower that sets a label on the lock's Lease takes no lock, and holds none as somebody else.
func TestLabels(t *testing.T) {
	s := Scenario(2, time.Minute)
	out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		if c.ID == "c2" {
			time.AfterFunc(30*time.Second, func() {
				leases := c.Clientset().CoordinationV1().Leases(c.LockKey.Namespace)
				lease, err := leases.Get(ctx, c.LockKey.Name, metav1.GetOptions{})
				if assert.NoError(t, err) {
					metav1.SetMetaDataLabel(&lease.ObjectMeta, "app", "x")
					_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
					assert.NoError(t, err)
				}
			})
		}
		working(waiting)(ctx, c)
	})
	assert.True(t, out.Result.AsExpected, out.Problem())
	assert.Len(t, out.Result.Terms, 1)
}

// TestExit: the process is gone, and another one begins after Rejoin.
func TestExit(t *testing.T) {
	s := one(t, "")
	s.Candidates[0].Rejoin = new(7 * time.Second)
	out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		defer Guard(ctx)()
		time.Sleep(20 * time.Second)
		c.Exit()
		time.Sleep(time.Second)
	})
	require.Len(t, out.Result.Terms, 3)
	assert.Equal(t, scenarios.Term{
		Candidate: "a", Incarnation: 2, StartedNs: int64(27 * time.Second), CancelledNs: at(47 * time.Second),
		EndedNs: at(47 * time.Second),
	}, out.Result.Terms[1])
}

// TestExitAtOnce: work that was told to end before its process exits is told first, whatever goroutine notes it.
func TestExitAtOnce(t *testing.T) {
	for range 20 {
		out := Options{}.play(t, one(t, "faults: [{kind: cancel, at: 20s}]\n"), func(ctx context.Context, c *Candidate) {
			context.AfterFunc(ctx, c.Exit)
			defer Guard(ctx)()
			<-ctx.Done()
			time.Sleep(time.Second)
		})
		var kinds []trace.Kind
		for _, e := range out.Events {
			if e.At == int64(20*time.Second) && e.Kind != trace.FaultBegan {
				kinds = append(kinds, e.Kind)
			}
		}
		require.Equal(t, []trace.Kind{trace.CancelAsked, trace.WorkCancelled, trace.Crashed, trace.WorkEnded}, kinds)
	}
}

// TestWatch: a watch stands still while its candidate is cut off, and loses nothing.
func TestWatch(t *testing.T) {
	seen := watched(t, "faults: [{kind: partition, at: 10s, until: 30s, on: [a]}]\n")
	require.Len(t, seen, 3)
	assert.Less(t, seen[0], 9*time.Second)
	assert.Greater(t, seen[1], 30*time.Second)
}

// TestWatchUnderSeveral: of several faults that lose answers the last one counts, for a watch too.
func TestWatchUnderSeveral(t *testing.T) {
	seen := watched(t, `faults:
  - {kind: lose, at: 10s, until: 30s, on: [a]}
  - {kind: lose, at: 10s, until: 30s, on: [a], probability: 0}
`)
	require.Len(t, seen, 3)
	assert.Less(t, seen[1], 17*time.Second)
}

// watched returns when a candidate's watch shows each of three objects, which are made every 8 s.
func watched(t *testing.T, faults string) (seen []time.Duration) {
	t.Helper()
	var server fakekube.Server
	Options{Server: &server}.play(t, one(t, faults),
		func(ctx context.Context, c *Candidate) {
			start := time.Now()
			maps := server.Clientset().CoreV1().ConfigMaps("default")
			watch, err := c.Clientset().CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{})
			if !assert.NoError(t, err) {
				return
			}
			go func() {
				for range 3 {
					time.Sleep(8 * time.Second)
					m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "m-"}}
					_, err := maps.Create(ctx, m, metav1.CreateOptions{})
					assert.NoError(t, err)
				}
			}()
			for e := range watch.ResultChan() {
				if e.Type == apiwatch.Added {
					seen = append(seen, time.Since(start))
				}
			}
		})
	return seen
}

// TestErrors: an error can be one of what was applied, and has a real server's words.
func TestErrors(t *testing.T) {
	var server fakekube.Server
	Options{Server: &server}.play(t, one(t, `faults:
  - {kind: error, at: 0s, until: 5s, verb: create, status: 500, applied: true}
  - {kind: error, at: 5s, verb: get, status: 403}
`), func(ctx context.Context, c *Candidate) {
		maps := c.Clientset().CoreV1().ConfigMaps("default")
		m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}}
		_, err := maps.Create(ctx, m, metav1.CreateOptions{})
		assert.ErrorContains(t, err, "error on the server")
		_, err = maps.Get(ctx, "m", metav1.GetOptions{})
		assert.NoError(t, err)
		time.Sleep(5 * time.Second)
		_, err = c.Clientset().CoreV1().Nodes().Get(ctx, "n", metav1.GetOptions{})
		assert.ErrorContains(t, err, `nodes "n" is forbidden`)
		_, err = maps.Get(ctx, "m", metav1.GetOptions{})
		assert.ErrorContains(t, err, `configmaps "m" is forbidden: User "a" cannot get resource`)
		_, err = c.Clientset().CoreV1().Secrets("default").List(ctx, metav1.ListOptions{})
		assert.NoError(t, err)
	})
}

// TestClock: offset and drift are those of the scenario.
func TestClock(t *testing.T) {
	s := one(t, "")
	s.Candidates[0].Clock = scenarios.Clock{Offset: time.Hour, DriftPPM: 250_000}
	Options{Clock: true}.play(t, s, func(ctx context.Context, c *Candidate) {
		start, clock := time.Now(), c.Clock()
		assert.Equal(t, time.Hour, clock.Since(start))
		time.Sleep(8 * time.Second)
		assert.Equal(t, time.Hour+10*time.Second, clock.Since(start))
		timer := clock.NewTimer(5 * time.Second)
		<-timer.C()
		assert.Equal(t, 12*time.Second, time.Since(start))
		timer.Reset(10 * time.Second)
		<-timer.C()
		assert.Equal(t, 20*time.Second, time.Since(start))
	})
}

// TestStandstill: code that tries again without a pause ends, and is named.
func TestStandstill(t *testing.T) {
	s := one(t, "network: {request: 0s, response: 0s}\n")
	out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
		lock := c.Lock()
		for ctx.Err() == nil {
			_, _, _ = lock.Get(ctx)
		}
	})
	assert.Contains(t, out.Blind, "candidate a has sent 10000 requests at 0s")
	assert.False(t, out.Result.AsExpected)
}

// TestElections: each election has a lock of its own, with its timings.
func TestElections(t *testing.T) {
	out := Options{Lock: types.NamespacedName{Namespace: "ours", Name: "unused"}}.play(t, two(t),
		func(ctx context.Context, c *Candidate) {
			assert.Equal(t, []string{"main", "shard"}, c.Elections)
			assert.Equal(t, "main", c.Settings.Election)
			shard := c.Election("shard")
			assert.Equal(t, "ours/shard", shard.LockKey.String())
			assert.Equal(t, 20*time.Second, shard.Settings.LeaseDuration)
			library(ctx, c)
		})
	assert.Empty(t, out.Blind)
	assert.True(t, out.Result.AsExpected)
	require.Len(t, out.Result.Terms, 2)
	assert.Equal(t, "shard", out.Result.Terms[1].Election)
}

// TestObserved: single-belief is judged only if every candidate that has tried to take the lock is observed; c2 never does.
func TestObserved(t *testing.T) {
	for observed, want := range map[string]check.Verdict{"c1 c2": check.Held, "c1": check.Held, "c2": check.Inconclusive, "": check.Inconclusive} {
		out := Options{}.play(t, Scenario(2, time.Minute), func(ctx context.Context, c *Candidate) {
			le, err := leaderelection.NewLeaderElector(c.Config(leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) { <-ctx.Done() }, OnStoppedLeading: func() {},
			}))
			require.NoError(t, err)
			if strings.Contains(observed, c.Settings.ID) {
				c.Observe(le)
			}
			le.Run(ctx)
		})
		for _, p := range out.Result.Properties {
			if p.Name == check.SingleBelief {
				assert.Equal(t, want, p.Verdict, "observed: %q", observed)
			}
		}
	}
}

// TestEdit: somebody else is written down as the holder, from Go.
func TestEdit(t *testing.T) {
	out := Options{}.play(t, Scenario(1, time.Minute, scenarios.Fault{
		Kind: "edit", At: 20500 * time.Millisecond, Edit: scenarios.Edit{Holder: new("x")},
	}), library)
	require.Len(t, out.Result.Terms, 1)
	assert.Greater(t, *out.Result.Terms[0].CancelledNs, int64(30*time.Second), "it notices, and tries for RenewDeadline")
	assert.Less(t, *out.Result.Terms[0].CancelledNs, int64(33*time.Second))
}

// TestInherited: a Lease that the server had before is no violation, and is waited for.
func TestInherited(t *testing.T) {
	var server fakekube.Server
	leases := server.Clientset().CoordinationV1().Leases("default")
	_, err := leases.Create(t.Context(), &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "lock"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("other"), LeaseDurationSeconds: new(int32(30))},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	out := Options{Server: &server}.play(t, one(t, ""), library)
	assert.True(t, out.Result.AsExpected, out.Blind)
	require.Len(t, out.Result.Terms, 1)
	assert.Greater(t, time.Duration(out.Result.Terms[0].StartedNs), 30*time.Second)
	var text strings.Builder
	require.NoError(t, report.Trace(&text, out))
	events, err := trace.NewReader(strings.NewReader(text.String()))
	require.NoError(t, err)
	var first trace.Event
	require.NoError(t, events.Next(&first))
	assert.Equal(t, trace.Edited, first.Kind)
	maps := one(t, "")
	maps.Candidates[0].Lock = plan.ConfigMap
	_, err = server.Clientset().CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "lock"},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Contains(t, Options{Server: &server}.play(t, maps, library).Blind, "the server has a configmap default/lock already")
}

// TestLeft: goroutines that never end are no failure, and are told of; the next run is another one.
func TestLeft(t *testing.T) {
	for range 2 {
		out := Options{}.play(t, one(t, ""), func(ctx context.Context, c *Candidate) {
			go func() {
				for range time.Tick(time.Second) {
				}
			}()
			library(ctx, c)
		})
		assert.True(t, out.Result.AsExpected, out.Blind)
		assert.Equal(t, 1, strings.Count(out.Left, "TestLeft.func1.1()"), out.Left)
	}
}

// TestProtobuf: how a client encodes what it says changes nothing.
func TestProtobuf(t *testing.T) {
	var results []*scenarios.Result
	for _, encoding := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		s, err := scenarios.Named("partitioned-leader")
		require.NoError(t, err)
		out := Options{}.play(t, s, func(ctx context.Context, c *Candidate) {
			client := c.RESTConfig()
			client.ContentType = encoding
			configured(func(config *leaderelection.LeaderElectionConfig) {
				config.Lock.(*resourcelock.LeaseLock).Client = kubernetes.NewForConfigOrDie(client).CoordinationV1()
			})(ctx, c)
		})
		assert.True(t, out.Result.AsExpected, out.Blind)
		results = append(results, out.Result)
	}
	assert.Equal(t, results[0], results[1])
}

// TestOuterContext: the context of the test may be used in its run.
func TestOuterContext(t *testing.T) {
	out := Options{}.play(t, one(t, ""), func(_ context.Context, c *Candidate) { library(t.Context(), c) })
	assert.Empty(t, out.Blind)
}

// TestOver: what is asked when the scenario is over has an answer, and one that recorders of events take without a word.
func TestOver(t *testing.T) {
	ended := make(chan error, 2)
	Options{}.play(t, one(t, "faults: [{kind: partition, at: 50s, on: [a]}]\n"), func(ctx context.Context, c *Candidate) {
		write := func() {
			_, err := c.Clientset().CoreV1().Events("default").Create(context.WithoutCancel(ctx), &corev1.Event{}, metav1.CreateOptions{})
			ended <- err
		}
		time.Sleep(55 * time.Second)
		go write()
		<-ctx.Done()
		write()
	})
	for range cap(ended) {
		err := <-ended
		assert.EqualError(t, err, "the scenario is over")
		assert.True(t, apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause))
	}
}

// TestJitterBeside: what a test beside a run draws is not the scenario's.
func TestJitterBeside(t *testing.T) {
	in, drawn := make(chan struct{}), make(chan time.Duration)
	go func() {
		<-in
		drawn <- wait.Jitter(time.Hour, 1)
	}()
	s := one(t, "")
	s.Candidates[0].Jitter = new(0.25)
	Options{}.play(t, s, func(context.Context, *Candidate) {
		close(in)
		assert.NotEqual(t, time.Hour*5/4, <-drawn)
		assert.Equal(t, time.Hour*5/4, wait.Jitter(time.Hour, 1))
	})
}

// TestSameText: what is printed does not depend on the order of goroutines, even where much happens at one instant.
func TestSameText(t *testing.T) {
	for name, run := range map[string]func(context.Context, *Candidate){
		"two elections":      library,
		"one within another": nests(func(run func()) { run() }),
		"one beside another": nests(func(run func()) { go run() }),
		"many workers":       crowd(func(context.Context) func() { return func() {} }),
		"guarded workers":    crowd(Guard),
	} {
		t.Run(name, func(t *testing.T) {
			var first []string
			for range 6 {
				s := two(t)
				for i := range s.Candidates {
					s.Candidates[i].Rejoin = new(time.Second)
				}
				s.Faults = []scenarios.Fault{
					{Kind: plan.FaultPartition, At: 10 * time.Second, Until: new(25 * time.Second)}, {Kind: plan.FaultCancel, At: 40 * time.Second},
				}
				out := Options{}.play(t, s, run)
				require.NotEmpty(t, out.Result.Terms)
				var trace strings.Builder
				require.NoError(t, report.Trace(&trace, out))
				lines := strings.SplitAfter(report.Text(out, "")+trace.String(), "\n")
				if first == nil {
					first = lines
				}
				require.Len(t, lines, len(first))
				for i, line := range lines {
					require.Equal(t, first[i], line)
				}
			}
		})
	}
}

// nests is a program that stands for the second election while it leads in the first. begin says how it begins to stand.
func nests(begin func(run func())) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		stand := func(ctx context.Context, c *Candidate, lead func(context.Context)) {
			leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: lead, OnStoppedLeading: func() {}}))
		}
		stand(ctx, c.Election("main"), func(ctx context.Context) {
			begin(func() { stand(ctx, c.Election("shard"), func(ctx context.Context) { seconds(ctx, c) }) })
			<-ctx.Done()
		})
	}
}

// crowd is a program whose leader has five goroutines that write at the same instants. Each calls guard first, and what that returns last.
func crowd(guard func(context.Context) func()) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		working(func(ctx context.Context) {
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					defer guard(ctx)()
					seconds(ctx, c)
				})
			}
			all.Wait()
		})(ctx, c)
	}
}

// seconds writes each second, until ctx has ended.
func seconds(ctx context.Context, c *Candidate) {
	for ; ctx.Err() == nil; time.Sleep(time.Second) {
		write(ctx, c)
	}
}

// TestWindow: a window has its first instant, and not its last.
func TestWindow(t *testing.T) {
	var lost []int
	Options{}.play(t, one(t, "faults: [{kind: lose, leg: request, at: 3s, until: 6s, on: [leader, a]}]\n"),
		func(ctx context.Context, c *Candidate) {
			for second := range 9 {
				short, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
				if _, err := c.Clientset().CoreV1().Nodes().List(short, metav1.ListOptions{}); err != nil {
					lost = append(lost, second)
				}
				cancel()
				time.Sleep(time.Until(start.Add(time.Duration(second+1) * time.Second)))
			}
		})
	assert.Equal(t, []int{3, 4, 5}, lost)
}

// TestDeadline: an answer that comes when the deadline does is too late.
func TestDeadline(t *testing.T) {
	Options{}.play(t, one(t, ""), func(ctx context.Context, c *Candidate) {
		for i := range 200 {
			short, cancel := context.WithTimeout(ctx, 2*time.Millisecond+time.Duration(i%2))
			_, err := c.Clientset().CoreV1().Nodes().List(short, metav1.ListOptions{})
			assert.Equal(t, i%2 == 0, err != nil, i)
			cancel()
			time.Sleep(time.Millisecond)
		}
	})
}

// start is that of every bubble.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// TestScenarios: what Check draws can be applied, and nobody has another's name.
func TestScenarios(t *testing.T) {
	for _, o := range []Options{{}, {Clock: true}} {
		all := o.scenarios(scenariotest.Environment{Timings: usual, MaxDrain: time.Second})
		for i := range 300 {
			s := all.Example(i).scenario
			require.NoError(t, refusal.Of(s, o.Clock))
			for _, c := range s.Candidates {
				assert.Empty(t, c.Identity)
				assert.Equal(t, time.Second, c.Drain)
			}
		}
	}
}

// TestDottedElections: an election may be called what controller-runtime's managers call theirs.
func TestDottedElections(t *testing.T) {
	const dotted = "80807133.example.com"
	s, err := scenarios.Read(strings.NewReader(`name: dotted
horizon: 30s
elections: [{name: `+dotted+`}, {name: shard.b}]
candidates: [{id: a}, {id: b}]
`), "dotted")
	require.NoError(t, err)
	var server fakekube.Server
	out := Options{Server: &server}.play(t, s, library)
	assert.Empty(t, out.Blind)
	_, err = server.Clientset().CoordinationV1().Leases("default").Get(t.Context(), dotted, metav1.GetOptions{})
	require.NoError(t, err)
	for _, name := range []string{".a", "a.", "a..b"} {
		s.Elections[1], s.Candidates[1].Election, s.Candidates[3].Election = name, name, name
		assert.ErrorContains(t, s.Validate(), "elections[1].name")
	}
}
