package electiontest_test

import (
	"context"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/electiontest"
	"interregnum/scenarios"
)

// ourController stands for the controller of whoever reads README.md.
var ourController controller

type controller struct{}

func (controller) Run(ctx context.Context) { <-ctx.Done() }

// The test in README.md:

func TestCutOff(t *testing.T) {
	cut := scenarios.Fault{Kind: "partition", At: 20 * time.Second, On: []string{"leader"}}
	electiontest.Run(t, electiontest.Scenario(2, 90*time.Second, cut), func(ctx context.Context, c *electiontest.Candidate) {
		leaderelection.RunOrDie(ctx, c.Config(leaderelection.LeaderCallbacks{
			OnStartedLeading: ourController.Run, // the work: until it returns, it works
			OnStoppedLeading: func() {},
		}))
	})
}

// TestReadme: the test that README.md shows is TestCutOff.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, shown, 1)
	here, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	assert.Contains(t, string(here), "\n\n"+shown[0][1]+"\n")
}
