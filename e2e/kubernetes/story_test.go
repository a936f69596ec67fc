package kubernetes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"interregnum/e2e/kubernetes/cluster"
	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
	again "interregnum/internal/investigate/replay"
	"interregnum/scenarios"
)

// namespaceOf is the namespace whose Leases the server logs at that level.
func namespaceOf(level string) string {
	if level == "RequestResponse" {
		return cluster.Recorded
	}
	return "default"
}

// TestStories: what simulate investigate concludes from the logs of a leader that was killed, frozen or cut off is held against what
// the processes noted themselves.
func TestStories(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute, and two processors")
	}
	c := theServer(t)
	namespace(t, c)
	for try := range 3 {
		all, still := play(t, c)
		if still > incidentPeriod {
			t.Logf("attempt %d is void: this machine stood still for %v", try+1, still)
			continue
		}
		judgeAll(t, c, all, still)
		return
	}
	t.Skip("this machine stands still so often that nothing can be judged on it")
}

// namespace makes the namespace of which all is logged, if it is not there.
func namespace(t *testing.T, c *cluster.Cluster) {
	recorded := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: cluster.Recorded}}
	_, err := kubernetes.NewForConfigOrDie(c.Config("admin")).CoreV1().Namespaces().Create(t.Context(), recorded, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		require.NoError(t, err)
	}
}

// play has all incidents happen, beside one another, and returns for how long the test itself stood still meanwhile.
func play(t *testing.T, c *cluster.Cluster) (all []*incident, still time.Duration) {
	for _, level := range []string{"RequestResponse", "Metadata"} {
		for _, kind := range kinds {
			for _, what := range []string{"killed", "frozen", "partitioned"} {
				if level == "RequestResponse" || kind == "library" {
					all = append(all, prepare(t, c, &incident{what: what, kind: kind, level: level}))
				}
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	watched, enough := context.WithCancel(ctx)
	var meter sync.WaitGroup
	meter.Go(func() { pauses(watched, func(from, until time.Time) { still = max(still, until.Sub(from)) }) })
	errs := make([]error, len(all))
	var running sync.WaitGroup
	for i := range all {
		time.Sleep(300 * time.Millisecond)
		running.Go(func() { errs[i] = all[i].run(ctx) })
	}
	running.Wait()
	enough()
	meter.Wait()
	for i, err := range errs {
		require.NoError(t, err, all[i].name)
	}
	return all, still
}

// prepare gives an incident its names and its ways to the server.
func prepare(t *testing.T, c *cluster.Cluster, one *incident) *incident {
	one.dir = t.TempDir()
	one.name = strings.ToLower(fmt.Sprintf("%s-%s-%d", one.what, one.kind, time.Now().UnixNano()%1e9))
	var err error
	one.way, err = newProxy(strings.TrimPrefix(c.URL(), "https://"))
	require.NoError(t, err)
	one.kubeconfigs = [2]string{c.Kubeconfig(t, "admin", one.way.url()), c.Kubeconfig(t, "admin", "")}
	return one
}

// logged is what is read of all incidents: the server's audit log, and the events as kubectl prints them in JSON.
type logged struct{ audit, events []byte }

// collect reads the audit log, and lists the events.
func collect(t *testing.T, c *cluster.Cluster) (l logged) {
	var err error
	l.audit, err = os.ReadFile(c.AuditLog())
	require.NoError(t, err)
	list, err := kubernetes.NewForConfigOrDie(c.Config("admin")).CoreV1().Events("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for i := range list.Items {
		list.Items[i].TypeMeta = metav1.TypeMeta{Kind: "Event", APIVersion: "v1"}
	}
	l.events, err = json.MarshalIndent(map[string]any{
		"apiVersion": "v1", "kind": "List", "items": list.Items, "metadata": map[string]any{"resourceVersion": ""},
	}, "", "    ")
	require.NoError(t, err)
	return l
}

// judgeAll judges all incidents by what was logged.
func judgeAll(t *testing.T, c *cluster.Cluster, all []*incident, still time.Duration) {
	l := collect(t, c)
	claims := map[investigate.Verdict]int{}
	causes := map[string]int{}
	for _, one := range all {
		t.Run(strings.Join([]string{one.what, one.kind, one.level}, "/"), func(t *testing.T) {
			s, p := one.story(t, l)
			assert.NotEmpty(t, p.Evidence.Notices, "its leaders' events are read")
			j := newJudge(t, one, still)
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("%s", one.all(t))
				}
			})
			for i := range s.Pairs {
				claims[s.Pairs[i].Worked.Verdict]++
				both, _ := j.both(s, &s.Pairs[i])
				t.Logf("two at once: %s; really for %v", s.Pairs[i].Worked.Verdict, both)
			}
			for i := range s.Losses {
				causes[one.what+": "+string(s.Losses[i].Cause)]++
			}
			assert.Empty(t, j.story(s))
			j.canFail(s)
			j.right(s)
			j.replay(s, p)
		})
	}
	t.Run("large", func(t *testing.T) { judgeLarge(t, all, l.audit) })
	t.Logf("of pairs of terms %v; losses %v; the test stood still for %v at most", claims, causes, still)
}

// story is what follows from the audit log, the events and the processes' logs, as simulate investigate reads them.
func (c *incident) story(t *testing.T, l logged) (*investigate.Story, *investigate.Part) {
	r := read.New(read.Options{})
	require.NoError(t, r.Read(read.File{Name: "audit.log", Reader: bytes.NewReader(l.audit), Modified: time.Now()}))
	require.NoError(t, r.Read(read.File{Name: "events.json", Reader: bytes.NewReader(l.events), Modified: time.Now()}))
	for _, l := range c.leaders {
		text, err := os.ReadFile(l.log)
		require.NoError(t, err)
		require.NoError(t, r.Read(read.File{Name: filepath.Base(l.log), Reader: strings.NewReader(string(text)), Modified: time.Now()}))
	}
	parts := investigate.Parts(r.Evidence())
	i := slices.IndexFunc(parts, func(p investigate.Part) bool { return p.Lock.Name == c.name })
	require.GreaterOrEqual(t, i, 0, "the lock is not found in the logs")
	s, err := investigate.Tell(parts[i].Evidence, parts[i].Lock, c.timings())
	require.NoError(t, err)
	return s, &parts[i]
}

func (c *incident) timings() *investigate.Options {
	return &investigate.Options{LeaseDuration: incidentLease, RenewDeadline: incidentDeadline, RetryPeriod: incidentPeriod}
}

// all is what the processes logged, and what they did, for a failure.
func (c *incident) all(t *testing.T) string {
	var b strings.Builder
	for _, l := range c.leaders {
		for _, name := range []string{l.log, l.Truth} {
			text, err := os.ReadFile(name)
			fmt.Fprintln(&b, filepath.Base(name), err)
			b.Write(text)
		}
	}
	return b.String()
}

// right: whoever logs all in client-go's words is told the right story. A leader that was frozen worked beside its successor for as long as it
// tried to renew; nobody else did. The words of this module's elector bound no clock, so that less follows from them.
func (j *judge) right(s *investigate.Story) {
	if j.level != "RequestResponse" {
		for i := range s.Pairs {
			assert.NotEqual(j.t, investigate.Certain, s.Pairs[i].Worked.Verdict, "without records nothing is certain")
		}
		return
	}
	require.NotEmpty(j.t, s.Pairs, "%v", s.Notes)
	require.NotEmpty(j.t, s.Losses)
	verdict, cause := investigate.Impossible, investigate.Ended
	switch j.what {
	case "frozen":
		verdict, cause = investigate.Certain, investigate.StoodStill
	case "partitioned":
		cause = investigate.Unreachable
	}
	if j.kind == "library" {
		assert.Equal(j.t, verdict, s.Pairs[0].Worked.Verdict)
		assert.Equal(j.t, cause, s.Losses[0].Cause, "%+v", s.Losses[0].Chain)
		return
	}
	causes := []investigate.Cause{cause, investigate.Unknown}
	if j.what != "partitioned" {
		causes = append(causes, investigate.Silent)
	}
	assert.Contains(j.t, causes, s.Losses[0].Cause, "%+v", s.Losses[0].Chain)
}

// replay: a scenario with the same writes has each within MaxError of when the process sent it and had the answer.
func (j *judge) replay(s *investigate.Story, p *investigate.Part) {
	if j.level != "RequestResponse" {
		return
	}
	x, err := again.Make(p.Evidence, s, j.timings())
	require.NoError(j.t, err)
	result, err := scenarios.Run(x.Scenario, scenarios.Options{})
	require.NoError(j.t, err)
	require.True(j.t, result.AsExpected)
	require.Len(j.t, result.Writes, x.Writes)
	require.Zero(j.t, x.Left, "all writes are replayed")
	off, known := time.Duration(math.MinInt64), 0
	for i := range result.Writes {
		at := x.Start.Add(time.Duration(result.Writes[i].AtNs))
		k := slices.IndexFunc(j.wrote, func(w wrote) bool { return w.renew.Equal(s.Writes[i].Record.Renew) })
		if k < 0 {
			continue // its answer never came
		}
		known++
		off = max(off, j.wrote[k].from.Sub(at), at.Sub(j.wrote[k].until))
	}
	assert.LessOrEqual(j.t, off, again.MaxError)
	assert.GreaterOrEqual(j.t, known, x.Writes-2)
	j.t.Logf("%d writes are replayed, %d of them were answered, %v at most before they were sent or after their answer", x.Writes, known, off)
}
