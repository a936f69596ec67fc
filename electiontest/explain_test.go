package electiontest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
