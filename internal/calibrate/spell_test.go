package calibrate

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/internal/few"
)

// recorded are requests of two electors in two days: 20 ms on average, one in a hundred fails. In calm times nothing else happens; else there are
// outages of 20 s, stalls of 30 s, and brownouts of two minutes in which answers take twenty times as long.
func recorded(seed uint64, calm bool) (all []Request) {
	r := rand.New(rand.NewPCG(seed, 1))
	for at := 0.0; at < 2*86400; at += 0.5 + r.Float64() {
		q := Request{Verb: "update", Received: time.Unix(1.7e9, int64(at*1e9)), Status: 200}
		took := 20 * time.Millisecond.Seconds() * r.ExpFloat64()
		if r.Float64() < 0.01 {
			q.Status = 503
		}
		in := int(at) % 43200
		switch {
		case calm:
		case in >= 10000 && in < 10020:
			q.Status, took = 503, 0.001
		case in >= 20000 && in < 20030:
			q.Status, took = 504, 3
		case in >= 30000 && in < 30120:
			took *= 20
		}
		q.Answered = q.Received.Add(time.Duration(took * 1e9))
		all = append(all, q)
	}
	return all
}

// TestEpisodesAreFound: those that were planted, of about their length and at their rate, and what is usual without them.
func TestEpisodesAreFound(t *testing.T) {
	for seed := range uint64(3) {
		text, err := BehaviourOf(recorded(seed, false))
		require.NoError(t, err)
		b, warnings, err := behaviour.Read("test.yaml", strings.NewReader(text))
		require.NoError(t, err, text)
		require.Empty(t, warnings)
		require.Len(t, b.Episodes, 3, text)
		for i, want := range []struct {
			kind  behaviour.Kind
			lasts float64
		}{{behaviour.Outage, 20}, {behaviour.Stall, 32}, {behaviour.Brownout, 120}} {
			e := &b.Episodes[i]
			assert.Equal(t, want.kind, e.Kind)
			assert.InDelta(t, 43200, e.Every.Seconds(), 100, text)
			assert.InDelta(t, want.lasts, e.Lasts.Mean().Seconds(), 5, text)
		}
		assert.InDelta(t, 0.4, b.Episodes[2].RoundTrip.Mean().Seconds(), 0.06)
		assert.InDelta(t, 0.02, b.RoundTrip.Mean().Seconds(), 0.001)
		require.Len(t, b.Errors, 1, text)
		assert.InDelta(t, 0.01, b.Errors[0].Probability, 0.001)
	}
}

// TestSilence: of a log and another one of a year later episodes come as often as in one, and none lasts from one to the other.
func TestSilence(t *testing.T) {
	all := recorded(1, false)
	for _, q := range recorded(2, false) {
		q.Received, q.Answered = q.Received.AddDate(1, 0, 0), q.Answered.AddDate(1, 0, 0)
		all = append(all, q)
	}
	n := len(all) / 2
	for i := n - 10; i < n+10; i++ { // both sides of the silence fail
		all[i].Status = 503
	}
	text, err := BehaviourOf(all)
	require.NoError(t, err)
	assert.Contains(t, text, "# Times of more than 1h0m0s in which nothing is logged, 8736h0m0s in all, do not count.")
	b, _, err := behaviour.Read("test.yaml", strings.NewReader(text))
	require.NoError(t, err, text)
	outages := &b.Episodes[0]
	assert.InDelta(t, 38400, outages.Every.Seconds(), 100, "nine in four days")
	assert.Less(t, outages.Lasts.Mean(), time.Minute)
}

// TestRefusedWithin: requests that are refused while answers are slow stay where they were, beside the slow answers: they are no errors
// of usual times, in which one in a hundred fails.
func TestRefusedWithin(t *testing.T) {
	for _, refused := range []float64{0.1, 0.3, 0.6} {
		r := rand.New(rand.NewPCG(2, 2))
		var all []Request
		for _, q := range recorded(4, true) {
			if in := q.Received.Unix() % 43200; in >= 30000 && in < 30600 {
				q.Answered, q.Status = q.Received.Add(time.Duration(2e8+4e8*r.ExpFloat64())), 200
				if r.Float64() < refused {
					q.Status = 429
				}
			}
			all = append(all, q)
		}
		text, err := BehaviourOf(all)
		require.NoError(t, err)
		b, _, err := behaviour.Read("test.yaml", strings.NewReader(text))
		require.NoError(t, err, text)
		require.Len(t, b.Errors, 1, text)
		assert.Equal(t, 503, b.Errors[0].Status)
		require.Len(t, b.Episodes, 1, text)
		e := &b.Episodes[0]
		assert.Equal(t, behaviour.Brownout, e.Kind)
		assert.InDelta(t, 600, e.Lasts.Mean().Seconds(), 15)
		assert.InDelta(t, 0.6, e.RoundTrip.Mean().Seconds(), 0.05)
		require.NotEmpty(t, e.Errors, text)
		assert.Equal(t, 429, e.Errors[0].Status)
		assert.InDelta(t, refused, e.Errors[0].Probability, 0.04)
	}
}

// TestGivenUpSoon: where clients give up after half a second, requests that hang are a stall, and those that are refused at once, or
// after a wait in a queue, an outage.
func TestGivenUpSoon(t *testing.T) {
	for _, c := range []struct {
		status int
		took   time.Duration
		kind   behaviour.Kind
	}{
		{504, 500 * time.Millisecond, behaviour.Stall}, {0, 500 * time.Millisecond, behaviour.Stall}, {0, time.Millisecond, behaviour.Outage},
		{503, time.Millisecond, behaviour.Outage}, {429, 500 * time.Millisecond, behaviour.Outage}, {503, 3 * time.Second, behaviour.Stall},
	} {
		var all []Request
		for _, q := range recorded(5, true) {
			if in := q.Received.Unix() % 43200; in >= 20000 && in < 20030 {
				q.Answered, q.Status = q.Received.Add(c.took), c.status
			}
			all = append(all, q)
		}
		text, err := BehaviourOf(all)
		require.NoError(t, err)
		b, _, err := behaviour.Read("test.yaml", strings.NewReader(text))
		require.NoError(t, err, text)
		require.Len(t, b.Episodes, 1, text)
		assert.Equal(t, c.kind, b.Episodes[0].Kind, "%d after %v", c.status, c.took)
	}
}

// TestNoEpisodes: where requests fail and are slow independently of each other, an episode is found once in a hundred recordings.
func TestNoEpisodes(t *testing.T) {
	found := 0
	for seed := range few.Else[uint64](6, 12) {
		text, err := BehaviourOf(recorded(seed, true))
		require.NoError(t, err)
		if strings.Contains(text, "episodes:") {
			found++
		}
	}
	assert.LessOrEqual(t, found, 1)
}

// TestManyMoments: the memory is bounded, and that no episode was looked for is said.
func TestManyMoments(t *testing.T) {
	var m Measurement
	for i := range mostMoments + 1 {
		at := time.Unix(int64(i), 0)
		m.keep(&Request{Received: at, Answered: at.Add(time.Millisecond), Status: 200})
	}
	m.answer("get", 200, time.Millisecond)
	assert.Empty(t, m.moments.list)
	text, err := m.Behaviour()
	require.NoError(t, err)
	assert.Contains(t, text, "# More than 2000000 requests: episodes were not looked for.")
}

// TestAutocorrelationIsSaid: slow answers that come together, and are no episode.
func TestAutocorrelationIsSaid(t *testing.T) {
	var all []Request
	for i := range 2000 {
		at := time.Unix(int64(2*i), 0)
		all = append(all, Request{Verb: "get", Received: at, Answered: at.Add(time.Duration(10+i/20%3*10) * time.Millisecond), Status: 200})
	}
	text, err := BehaviourOf(all)
	require.NoError(t, err)
	assert.Contains(t, text, "autocorrelation 0.9")
	_, _, err = behaviour.Read("test.yaml", strings.NewReader(text))
	require.NoError(t, err, text)
}

// TestMostlyEpisodes: a log that is mostly an outage is told to be none of which a forecast can be made.
func TestMostlyEpisodes(t *testing.T) {
	var all []Request
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 1000 {
		q := Request{Verb: "update", Received: at, Answered: at.Add(10 * time.Millisecond), Status: 200}
		at = at.Add(time.Second)
		if i >= 800 {
			q.Status = 503
			at = at.Add(9 * time.Second)
		}
		all = append(all, q)
	}
	_, err := BehaviourOf(all)
	assert.ErrorContains(t, err, "no forecast can be made of it: what the log shows:")
}
