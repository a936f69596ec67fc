package electiontest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/scenarios"
)

// TestReleaseSeen: of a release that has not got as far as its update the kit has seen the get, and says as much as a simulated
// run does.
func TestReleaseSeen(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader(`name: release
horizon: 60s
defaults: {jitter: 0.5, releaseOnCancel: true}
candidates: [{id: a}, {id: b, startAt: 700ms}]
faults: [{kind: partition, at: 20s, on: [leader]}]
`), "release")
	require.NoError(t, err)
	want, err := scenarios.Run(s, scenarios.Options{Explain: true})
	require.NoError(t, err)
	got := Options{}.play(t, s, library)
	said := 0
	for i := range want.Properties {
		for k, v := range want.Properties[i].Violations {
			for n, e := range v.Explanations {
				if strings.Contains(e.Summary, "gave up renewing at") {
					said++
				}
				assert.Equal(t, e.Summary, got.Result.Properties[i].Violations[k].Explanations[n].Summary)
			}
		}
	}
	assert.Positive(t, said)
}

// TestReleaseSeenInEachTerm: a program that gives the lock up after each job releases it many times in one process, and the release that overlaps is
// not its first.
func TestReleaseSeenInEachTerm(t *testing.T) {
	got := Options{}.play(t, Scenario(3, time.Minute, scenarios.Fault{Kind: "partition", At: 22 * time.Second, On: []string{"leader"}}), jobs)
	var said []string
	for _, p := range got.Result.Properties {
		for _, v := range p.Violations {
			for _, e := range v.Explanations {
				said = append(said, e.Summary)
			}
		}
	}
	require.NotEmpty(t, said)
	assert.Contains(t, said[0], "gave up renewing at")
}

// jobs leads for a job of five seconds, gives the lock up, and stands for election again ten seconds later.
func jobs(ctx context.Context, c *Candidate) {
	for ctx.Err() == nil {
		one, done := context.WithCancel(ctx)
		config := c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: func(work context.Context) {
				for range 5 {
					_, _ = c.Clientset().CoreV1().ConfigMaps("default").Get(work, "job", metav1.GetOptions{}) // its answer is waited for
					time.Sleep(time.Second)
				}
				done()
			},
			OnStoppedLeading: func() {},
		})
		config.ReleaseOnCancel = true
		leaderelection.RunOrDie(one, config)
		done()
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
	}
}
