package kubernetes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/electorproc"
	"interregnum/scenarios"
)

// scenarioCase is a scenario that is played with real electors, in both profiles.
type scenarioCase struct {
	// file is its name in testdata/scenarios, and shown what the table calls it.
	file, shown string
	// renewal is when, in the file, the renewal comes that its faults count from; 0: they count from none.
	renewal time.Duration
	// other: the prediction for the other profile must fail. biased: how long a lease lasts decides the failover, see checkBias.
	other, biased bool
}

// electorCases are played side by side. Those that take long begin first.
var electorCases = []scenarioCase{
	{file: "held-back-slow", shown: "answer held back 4.5 s, then cut off", renewal: 11500 * time.Millisecond, other: true},
	{file: "frozen-slow", shown: "SIGSTOP 20 s", renewal: 9500 * time.Millisecond, other: true},
	{file: "killed-slow", shown: "kill -9", renewal: 9500 * time.Millisecond},
	{file: "frozen", shown: "SIGSTOP 6 s", renewal: 6 * time.Second, biased: true, other: true},
	{file: "held-back", shown: "answer held back 1.2 s, then cut off", renewal: 6 * time.Second, biased: true, other: true},
	{file: "partitioned", shown: "cut off", renewal: 6 * time.Second, biased: true, other: true},
	{file: "deleted", shown: "Lease deleted", renewal: 6 * time.Second},
	{file: "killed", shown: "kill -9", renewal: 6 * time.Second, biased: true},
	{file: "terminated", shown: "SIGTERM", renewal: 6 * time.Second},
}

// restartCases are played with a server that is restarted, for so long that it is not there at all.
var restartCases = []struct {
	down  time.Duration
	cases []scenarioCase
}{
	{4 * time.Second, []scenarioCase{
		{file: "server-down", shown: "server down 4 s, and its start"},
		{file: "server-restarted-slow", shown: "server down 4 s, and its start"},
	}},
	{13 * time.Second, []scenarioCase{{file: "server-down-slow", shown: "server down 13 s, and its start"}}},
}

// profiles are those that elector offers.
var profiles = []string{"client-go", "strict"}

// TestElectors has three real electors do what scenarios say, on a real server, and the simulation predict it.
func TestElectors(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute and a half, and three processors")
	}
	var rows []row
	b := newBench(t, theServer(t))
	rows = append(rows, b.play(t, electorCases, nil)...)
	note := machineNote(b)
	b = newBench(t, cluster.Start(t))
	for _, r := range restartCases {
		rows = append(rows, b.play(t, r.cases, b.restart(t, r.down))...)
	}
	if t.Failed() {
		return
	}
	checkBias(t, rows)
	checkTable(t, rows, note)
}

// checkBias has the failovers of several trials together tell what one cannot, since the followers' jitter is more than a second:
// that a lease lasts as long as predicted, and not a second longer.
func checkBias(t *testing.T, rows []row) {
	var n, right, wrong time.Duration
	for i := range rows {
		if r := &rows[i]; r.c.biased {
			n++
			right += r.seen.failover - r.predicted.failover.median
			wrong += r.seen.failover - r.longer.failover.median
		}
	}
	t.Logf("failovers are off the median by %v on the average of %d, and with a lease a second longer by %v", right/n, n, wrong/n)
	require.Less(t, (right / n).Abs(), time.Second/2)
	require.Greater(t, (wrong / n).Abs(), time.Second/2)
}

// bench is a server, with what trials on it share.
type bench struct {
	server *cluster.Cluster
	// leases are for single requests, watched for watches, which a timeout would end.
	leases, watched coordinationclient.LeaseInterface
	meter           *meter
	program         string
}

func newBench(t *testing.T, server *cluster.Cluster) *bench {
	b := &bench{
		server: server, leases: leasesOf(t, server, time.Second), watched: leasesOf(t, server, 0),
		program: electorproc.Build(t, filepath.Join("..", "..", "cmd", "elector")),
	}
	var err error
	b.meter, err = newMeter(t.Context(), b.leases)
	require.NoError(t, err)
	t.Cleanup(func() {
		b.meter.stop()
		<-b.meter.over
	})
	return b
}

func leasesOf(t *testing.T, server *cluster.Cluster, timeout time.Duration) coordinationclient.LeaseInterface {
	config := server.Config("admin")
	config.Timeout = timeout
	client, err := coordinationclient.NewForConfig(config)
	require.NoError(t, err)
	return client.Leases("default")
}

// stagger is what lies between the starts of two trials: a whole second, as true time begins with one in simulations, and
// client-go compares records in whole seconds.
const stagger = time.Second

// play plays cases in each profile, all of them side by side.
func (b *bench) play(t *testing.T, cases []scenarioCase, restart func() outage) (rows []row) {
	var trials []*trial
	for _, c := range cases {
		for _, profile := range profiles {
			trials = append(trials, b.prepare(t, c, profile))
		}
	}
	began := time.Now().Round(0).Truncate(time.Second).Add(time.Second)
	for i, one := range trials {
		one.restart, one.epoch = restart, began
		if restart == nil {
			one.epoch = began.Add(time.Duration(i) * stagger)
		}
	}
	terms, errs := make([][]term, len(trials)), make([]error, len(trials))
	var all sync.WaitGroup
	for i, one := range trials {
		all.Go(func() { terms[i], errs[i] = one.run(t.Context()) })
	}
	all.Wait()
	for i, one := range trials {
		c := cases[i/len(profiles)]
		t.Run(c.file+"/"+one.profile, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(one.logs())
				}
			})
			require.NoError(t, errs[i])
			rows = append(rows, b.judge(t, c, one, terms[i]))
		})
	}
	return rows
}

// prepare makes a trial of a case.
func (b *bench) prepare(t *testing.T, c scenarioCase, profile string) *trial {
	file, err := scenarios.ReadFile(filepath.Join("testdata", "scenarios", c.file+".yaml"))
	require.NoError(t, err)
	one := &trial{
		name: fmt.Sprintf("%s-%s-%d", c.file, profile, time.Now().UnixNano()), profile: profile,
		scenario: withProfile(*file, profile), renewal: c.renewal,
		program: b.program, dir: t.TempDir(), leases: b.leases, watched: b.watched,
		ways: map[string]*proxy{}, kubeconfigs: map[string]string{},
	}
	for _, f := range one.scenario.Faults {
		// A refused connection is one only without a proxy in between.
		if f.Kind == "error" {
			for _, candidate := range file.Candidates {
				one.kubeconfigs[candidate.ID] = b.server.Kubeconfig(t, "admin", "")
			}
			return one
		}
	}
	for _, candidate := range file.Candidates {
		way, err := newProxy(strings.TrimPrefix(b.server.URL(), "https://"))
		require.NoError(t, err)
		one.ways[candidate.ID] = way
		one.kubeconfigs[candidate.ID] = b.server.Kubeconfig(t, "admin", way.url())
	}
	return one
}

// judge holds what was seen against what the simulation predicts of the same instants, and what must not be predicted.
func (b *bench) judge(t *testing.T, c scenarioCase, one *trial, terms []term) row {
	s := &one.scenario
	seen, err := outcomeOf(terms, fault(s).At)
	require.NoError(t, err)
	require.NoError(t, one.replay(b.meter))
	predicted, err := predict(*s)
	require.NoError(t, err)
	r := row{c: c, trial: one, predicted: predicted, seen: seen}
	t.Log(r.text())
	require.Empty(t, predicted.refutes(seen), "%v", terms)
	if c.other {
		other := profiles[(slices.Index(profiles, one.profile)+1)%2]
		wrong, err := predict(withProfile(*s, other))
		require.NoError(t, err)
		require.NotEmpty(t, wrong.refutes(seen), "what was seen agrees with the prediction for %s too", other)
	}
	if c.biased {
		r.longer, err = predict(longerLease(*s))
		require.NoError(t, err)
	}
	if one.profile == "strict" {
		one.checkCommands(t)
	}
	return r
}

// TestScenarioFiles: each file shows, simulated, what it expects.
func TestScenarioFiles(t *testing.T) {
	files, err := os.ReadDir(filepath.Join("testdata", "scenarios"))
	require.NoError(t, err)
	for _, file := range files {
		s, err := scenarios.ReadFile(filepath.Join("testdata", "scenarios", file.Name()))
		require.NoError(t, err)
		require.Equal(t, file.Name(), s.Name+".yaml")
		r, err := scenarios.Run(s, scenarios.Options{Brief: true})
		require.NoError(t, err)
		require.True(t, r.AsExpected, "%s: %v", s.Name, r.Properties)
	}
}
