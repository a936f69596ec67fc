package scenarios

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// burst is a leader whose client 200 requests of others have emptied.
const burst = `
name: burst
horizon: 60s
candidates: [{id: a, rejoin: 1s, client: {kind: client-go, other: [{at: 20s, count: 200}]}}]
network: {request: 1ms, response: 1ms}
`

// throttled is a candidate that is asked to come again after a minute, and later after an hour.
const throttled = `
name: throttled
horizon: 300s
defaults: {client: client-go}
candidates: [{id: a}, {id: b, startAt: 100ms}]
network: {request: 1ms, response: 1ms}
faults:
  - {kind: throttle, at: 10s, until: 13s, on: [b], retryAfter: 60s}
  - {kind: throttle, at: 100s, until: 110s, on: [b], retryAfter: 1h}
`

// heldOf runs a scenario and returns what its result says of requests that were kept back.
func heldOf(t *testing.T, text string) []HeldRequest {
	s, err := Read(strings.NewReader(text), "s.yaml")
	require.NoError(t, err)
	r, err := Run(s, Options{})
	require.NoError(t, err)
	return r.Held
}

// TestHeld: a result has the requests that their client has kept back for long or has not sent, and those that it still keeps back.
func TestHeld(t *testing.T) {
	refused := heldOf(t, burst)
	require.NotEmpty(t, refused)
	first := HeldRequest{AtNs: 20_024e6, Candidate: "a", Verb: "update", Cause: HeldRefused}
	assert.Equal(t, first, refused[0], "the renewal at 20 s, which ends RenewDeadline before its token comes")
	last := refused[len(refused)-1]
	assert.Equal(t, HeldByLimiter, last.Cause, "an attempt to acquire waits")
	assert.Greater(t, last.ForNs, int64(time.Second))

	asked := heldOf(t, throttled)
	require.Len(t, asked, 2)
	assert.Equal(t, []HeldCause{HeldByRetryAfter, HeldByRetryAfter}, []HeldCause{asked[0].Cause, asked[1].Cause})
	assert.Equal(t, []int64{60e9, 3600e9}, []int64{asked[0].ForNs, asked[1].ForNs})
	assert.Equal(t, "b", asked[1].Candidate)
}

// TestHeldIsNotHashed: a request that is kept back is an event of its own, which pinned hashes, being older, do not cover.
func TestHeldIsNotHashed(t *testing.T) {
	s, err := Read(strings.NewReader(burst), "s.yaml")
	require.NoError(t, err)
	r, err := Run(s, Options{})
	require.NoError(t, err)
	assert.Equal(t, "6b3dd2dc58c46a41", r.TraceHash)
}
