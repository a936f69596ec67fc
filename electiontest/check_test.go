package electiontest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/scenariotest"
	"interregnum/simlock/fakekube"
)

// TestStrictHolds: what the kit draws at random does not break an elector that nothing of it can break.
func TestStrictHolds(t *testing.T) {
	Options{Clock: true}.Check(t, scenariotest.Environment{
		Profile: machine.Strict, Timings: usual, MaxDriftPPM: 1000,
	}, ours)
}

// TestCheckServers: the work needs a ConfigMap, which is in the server of each run. What one run has done is not in that of another.
func TestCheckServers(t *testing.T) {
	runs := 0
	kit := Options{Only: []string{check.SingleRecord}, NewServer: func() *fakekube.Server {
		runs++
		server := new(fakekube.Server)
		require.NoError(t, server.Add(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "todo"}}))
		return server
	}}
	var found, missing atomic.Int32
	kit.Check(t, scenariotest.Environment{Timings: usual}, func(ctx context.Context, c *Candidate) {
		working(func(ctx context.Context) {
			maps := c.Clientset().CoreV1().ConfigMaps("default")
			switch _, err := maps.Get(ctx, "todo", metav1.GetOptions{}); {
			case err == nil:
				found.Add(1)
				_ = maps.Delete(ctx, "todo", metav1.DeleteOptions{})
			case apierrors.IsNotFound(err):
				missing.Add(1)
			}
			<-ctx.Done()
		})(ctx, c)
	})
	assert.Greater(t, runs, 1)
	assert.Greater(t, int(found.Load()), runs/2)
	assert.Positive(t, missing.Load(), "a second leader in a run finds it deleted")
	kit.Server = new(fakekube.Server)
	assert.ErrorContains(t, kit.valid(), "want one of them")
}

// TestSameSeed: a seed decides a run, whatever order goroutines run in; another seed gives another run.
func TestSameSeed(t *testing.T) {
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	hashes := map[string]bool{}
	for _, seed := range []uint64{1, 1, 1, 1, 1, 2} {
		s.Seed = seed
		for i := range s.Candidates {
			s.Candidates[i].Jitter = nil
		}
		s.Network.Request.Max = 5 * time.Millisecond
		hashes[Options{}.play(t, s, library).Result.TraceHash] = true
	}
	assert.Len(t, hashes, 2)
}

// TestReports: what is left in files can be read again.
func TestReports(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	defer func() { *seed = "" }()
	*seed = "7"
	r := Options{Reports: dir}.RunFile(t, "h01-late-ack", library)
	assert.EqualValues(t, 7, r.Seed)
	s, err := scenarios.ReadFile(filepath.Join(dir, "h01-late-ack.yaml"))
	require.NoError(t, err)
	assert.EqualValues(t, 7, s.Seed)
	again := Options{Reports: dir}.RunFile(t, filepath.Join(dir, "h01-late-ack.yaml"), library)
	assert.Equal(t, r.TraceHash, again.TraceHash)
	text, err := os.ReadFile(filepath.Join(dir, "h01-late-ack.json"))
	require.NoError(t, err)
	var read scenarios.Result
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, r.Terms, read.Terms)
	file, err := os.Open(filepath.Join(dir, "h01-late-ack.jsonl"))
	require.NoError(t, err)
	defer file.Close()
	events, err := trace.NewReader(file)
	require.NoError(t, err)
	assert.Len(t, events.Header().Candidates, 2)
	page, err := os.ReadFile(filepath.Join(dir, "h01-late-ack.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "<svg")
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s is for its owner alone", path)
		return nil
	}))
	*seed = "-7"
	_, err = seeded(s)
	assert.ErrorContains(t, err, `-electiontest.seed: want a whole number`)
}

// failing are tests that are meant to fail: TestFailures runs each in a process of its own.
func failing(t *testing.T) {
	if os.Getenv("ELECTIONTEST_FAILING") == "" {
		t.Skip("run by TestFailures")
	}
}

func TestFailingRun(t *testing.T) {
	failing(t)
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	s.Expect = nil
	Run(t, s, library)
}

func TestFailingCheck(t *testing.T) {
	failing(t)
	Check(t, scenariotest.Environment{Timings: usual}, library)
}

func TestFailingUnguarded(t *testing.T) {
	failing(t)
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{})
		config.Callbacks = leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {}, OnStoppedLeading: func() {},
		}
		leaderelection.RunOrDie(ctx, config)
	})
}

func TestFailingNoLock(t *testing.T) {
	failing(t)
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		c.LockKey.Name = "another"
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {}, OnStoppedLeading: func() {},
		}))
	})
}

func TestFailingPause(t *testing.T) {
	failing(t)
	RunFile(t, "h10-frozen-process", library)
}

func TestFailingGate(t *testing.T) {
	failing(t)
	Gate(t, leaderelection.LeaderElectionConfig{
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}, Environment{MaxRoundTrip: 5 * time.Second})
}

// waiting is work that stops when it is told to.
func waiting(ctx context.Context) { <-ctx.Done() }

// working is the unmodified library with such work.
func working(work func(context.Context)) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: work, OnStoppedLeading: func() {}}))
	}
}

// configured is the unmodified library with a configuration that the code has changed.
func configured(change func(*leaderelection.LeaderElectionConfig)) func(context.Context, *Candidate) {
	return func(ctx context.Context, c *Candidate) {
		config := c.Config(leaderelection.LeaderCallbacks{OnStartedLeading: waiting, OnStoppedLeading: func() {}})
		change(&config)
		leaderelection.RunOrDie(ctx, config)
	}
}

func TestFailingPanic(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), working(func(context.Context) { panic("the work is broken") }))
}

func TestFailingPanicOfMain(t *testing.T) {
	failing(t)
	RunFile(t, "healthy-failover", func(context.Context, *Candidate) { panic("main is broken") })
}

func TestFailingEndless(t *testing.T) {
	failing(t)
	RunFile(t, "healthy-failover", func(ctx context.Context, c *Candidate) {
		working(waiting)(ctx, c)
		select {}
	})
}

// TestFailingOvertime: work that never ends overlaps, and that is what is told.
func TestFailingOvertime(t *testing.T) {
	failing(t)
	RunFile(t, "partitioned-leader", working(func(context.Context) { select {} }))
}

func TestFailingCoordinated(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), configured(func(c *leaderelection.LeaderElectionConfig) { c.Coordinated = true }))
}

func TestFailingTimings(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), configured(func(c *leaderelection.LeaderElectionConfig) { c.LeaseDuration = time.Minute }))
}

func TestFailingOneName(t *testing.T) {
	failing(t)
	Run(t, Scenario(2, time.Minute), configured(func(c *leaderelection.LeaderElectionConfig) {
		c.Lock.(*resourcelock.LeaseLock).LockConfig.Identity = "host"
	}))
}

func TestFailingNested(t *testing.T) {
	failing(t)
	RunFile(t, "healthy-failover", func(context.Context, *Candidate) { RunFile(t, "healthy-failover", library) })
}

func TestFailingNil(t *testing.T) {
	failing(t)
	t.Run("scenario", func(t *testing.T) { Run(t, nil, library) })
	t.Run("function", func(t *testing.T) { RunFile(t, "healthy-failover", nil) })
}

func TestFailingElections(t *testing.T) {
	failing(t)
	t.Run("unasked", func(t *testing.T) { Run(t, two(t), working(waiting)) })
	t.Run("unknown", func(t *testing.T) {
		Run(t, two(t), func(ctx context.Context, c *Candidate) { library(ctx, c.Election("shards")) })
	})
}

func TestFailingGateCoordinated(t *testing.T) {
	failing(t)
	Gate(t, leaderelection.LeaderElectionConfig{Coordinated: true}, Environment{})
}

// TestFailures: what is wrong fails, says so, and ends with the command that shows it again.
func TestFailures(t *testing.T) {
	fails(t, map[string]string{
		"TestFailingRun": `(?s)why a and b worked at once.*SPLIT BRAIN.*single-work is violated.*to show it again:\s+` +
			`go test -count=1 -run '\^TestFailingRun\$' interregnum/electiontest -electiontest.seed=1\n`,
		"TestFailingCheck": `(?s)is violated.*candidates:(\s+- [^\n]*){2,3}\s+(network: [^\n]*\s+)?faults:(\s+- [^\n]*){1,4}\s+reports.*` +
			`go test -count=1 -run '\^TestFailingCheck\$' interregnum/electiontest\n`,
		"TestFailingUnguarded": `somebody led, and no work was guarded`,
		"TestFailingNoLock":    `nobody asked for the lock default/lock`,
		"TestFailingPause":     `h10-frozen-process: faults\[0\]\.kind: electiontest cannot freeze`,
		"TestFailingGate":      `(?s)UNSAFE.*simulate run '.*\.yaml'\n`,
		"TestFailingPanic": `(?s)term  [^\n]*\n\s+1 +c1 [^\n]*\n\s+2 +c2 .*candidate c1: OnStartedLeading panicked at \d+ms: the work is broken\s+interregnum/electiontest\.` +
			`TestFailingPanic\.func1.*to show it again`,
		"TestFailingPanicOfMain":     `candidate a: its function panicked at 0s: main is broken`,
		"TestFailingEndless":         `(?s)TestFailingEndless\.func1.*the function of candidate a has not returned within 10m0s of virtual`,
		"TestFailingOvertime":        `(?s)had not ended.*TestFailingOvertime\.func1.*single-work is violated`,
		"TestFailingCoordinated":     `the lock default/lock was free, and nobody took it: want .*Coordinated unset`,
		"TestFailingTimings":         `candidate c1 takes the lock for 1m0s, and the scenario has a leaseDuration of 15s`,
		"TestFailingOneName":         `candidates c1 and c2 both hold the lock as "host"`,
		"TestFailingNested":          `a run inside of a bubble of testing/synctest`,
		"TestFailingNil":             `(?s)the scenario is nil.*the function to run is nil`,
		"TestFailingElections":       `(?s)nobody asked for the lock default/shard.*takes part in no election "shards"; .*\["main" "shard"\]`,
		"TestFailingGateCoordinated": `LeaderElectionConfig\.Coordinated: no bound is known`,
	})
}

// fails runs tests that are meant to fail, each in a process of its own, and compares what they say.
func fails(t *testing.T, wants map[string]string) {
	for test, want := range wants {
		t.Run(test, func(t *testing.T) {
			self, err := os.Executable()
			require.NoError(t, err)
			c := exec.CommandContext(t.Context(), self,
				"-test.v", "-test.run=^"+test+"$", "-rapid.seed=1", // how much is left of a scenario hangs on it
				"-rapid.nofailfile", "-rapid.shrinktime=50ms") // the kit makes it smaller
			c.Env = append(os.Environ(), "ELECTIONTEST_FAILING=1", "TMPDIR="+t.TempDir())
			out, err := c.CombinedOutput()
			assert.Error(t, err)
			assert.Regexp(t, regexp.MustCompile(want), string(out))
		})
	}
}

func TestGates(t *testing.T) {
	safe := Environment{MaxRoundTrip: 100 * time.Millisecond}
	lease := 15 * time.Second
	Gate(t, leaderelection.LeaderElectionConfig{
		LeaseDuration: lease, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}, safe)
	GateElector(t, elector.LeaderElectionConfig{
		LeaseDuration: lease, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	}, safe)
	GateManager(t, &options{LeaderElection: true, LeaseDuration: &lease, RenewDeadline: new(7 * time.Second)}, safe)
}

// TestGateClient: with the numbers of its client a configuration is judged by the waits that they let other traffic cause, and without
// a timeout by the connections that the client closes.
func TestGateClient(t *testing.T) {
	c := leaderelection.LeaderElectionConfig{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
	for want, e := range map[string]Environment{
		"SAFE: no two":                    {QPS: 5, Burst: 10, RequestTimeout: time.Second},
		"UNSAFE: two leaders":             {QPS: 5, Burst: 10, OtherBurst: 40, RequestTimeout: 2 * time.Second},
		"SAFE: no two leaders":            {QPS: -1, RequestTimeout: time.Second},
		"the client closes a\n":           {QPS: -1},
		"UNSAFE: two leaders can work":    {QPS: -1, MaxRetryAfter: time.Second},
		"other traffic may be 5 a second": {QPS: 5, Burst: 10, OtherQPS: 5},
		"counts for a client that":        {MaxRetryAfter: time.Second},
	} {
		e.MaxRoundTrip = 100 * time.Millisecond
		s := &said{TB: t}
		Gate(s, c, e)
		assert.Contains(t, s.text.String(), want)
		assert.Equal(t, !strings.HasPrefix(want, "SAFE"), s.failed, want)
	}
}

// options has the fields of controller-runtime's manager.Options that count; e2e/electiontest has the real one.
type options struct {
	LeaderElection, LeaderElectionReleaseOnCancel bool
	LeaderElectionResourceLock                    string
	LeaderElectionResourceLockInterface           resourcelock.Interface
	LeaseDuration, RenewDeadline, RetryPeriod     *time.Duration
}
