package forecast

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// TestEpisodesAtOnce: what a request meets in several episodes. docs/forecast.md says it.
func TestEpisodesAtOnce(t *testing.T) {
	const ms = time.Millisecond
	slow, slower := behaviour.Constant(200*ms), behaviour.Constant(300*ms)
	few, many := []behaviour.Error{{Status: 500, Probability: 0.1}}, []behaviour.Error{{Status: 503, Probability: 0.2}, {Probability: 0.3}}
	episode := func(kind behaviour.Kind, from time.Duration, changes ...func(*behaviour.Episode)) happening {
		e := &behaviour.Episode{Kind: kind, On: behaviour.Everybody}
		for _, change := range changes {
			change(e)
		}
		return happening{Episode: e, from: from, until: time.Minute}
	}
	times := func(n float64) func(*behaviour.Episode) { return func(e *behaviour.Episode) { e.Factor = n } }
	takes := func(d *behaviour.Distribution) func(*behaviour.Episode) {
		return func(e *behaviour.Episode) { e.RoundTrip = d }
	}
	fails := func(all []behaviour.Error) func(*behaviour.Episode) {
		return func(e *behaviour.Episode) { e.Errors = all }
	}
	brownout := func(from time.Duration, changes ...func(*behaviour.Episode)) happening {
		return episode(behaviour.Brownout, from, changes...)
	}
	q := rareQuestion()
	for name, c := range map[string]struct {
		episodes []happening
		answered time.Duration // the round trip
		fails    float64
		loses    float64
		failed   bool
		stalled  bool
	}{
		"none":                                  {answered: 10 * ms, fails: rareError},
		"the larger factor":                     {[]happening{brownout(1, times(5)), brownout(2, times(3))}, 50 * ms, rareError, 0, false, false},
		"the later round trip":                  {[]happening{brownout(1, takes(&slower)), brownout(2, takes(&slow))}, 200 * ms, rareError, 0, false, false},
		"the factor times the other round trip": {[]happening{brownout(1, times(5)), brownout(2, takes(&slow))}, time.Second, rareError, 0, false, false},
		"the later errors":                      {[]happening{brownout(1, times(2), fails(many)), brownout(2, times(3), fails(few))}, 30 * ms, 0.1, 0, false, false},
		"the only errors":                       {[]happening{brownout(1, times(2), fails(many)), brownout(2, times(3))}, 30 * ms, 0.2, 0.3, false, false},
		"none fails":                            {[]happening{brownout(1, times(2), fails(many)), brownout(2, times(3), fails([]behaviour.Error{}))}, 30 * ms, 0, 0, false, false},
		"an outage is as slow as a brownout":    {[]happening{episode(behaviour.Outage, 1), brownout(2, times(5))}, 50 * ms, rareError, 0, true, false},
		"a stall before an outage":              {[]happening{episode(behaviour.Stall, 1), episode(behaviour.Outage, 2)}, 10 * ms, rareError, 0, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := newSetting(q)
			require.NoError(t, err)
			p := newPlay(set)
			p.w = &window{episodes: c.episodes}
			o := p.odds(0, time.Second)
			assert.Equal(t, c.answered, o.roundTrip(0))
			assert.Equal(t, []any{c.fails, c.loses, c.failed, c.stalled}, []any{o.fails, o.loses, o.failed, o.stalled})
			if c.stalled {
				assert.Equal(t, unanswered, o.draw(func() float64 { return 0 }))
			}
		})
	}
}

// TestRecordedAtOnce: what fails in a recording fails in a brownout too, and the brownout's errors come besides. Its round trip replaces the recorded one, and
// its factor multiplies that.
func TestRecordedAtOnce(t *testing.T) {
	usual := behaviour.Constant(time.Second)
	errors := failuresOf([]behaviour.Error{{Status: 500, Probability: 0.1}})
	for _, c := range []struct {
		met    behaviour.Recorded
		timed  bool
		failed bool
		takes  time.Duration
	}{
		{behaviour.Recorded{Took: 2 * time.Second, Status: 503}, true, true, 6 * time.Second},
		{behaviour.Recorded{Took: 2 * time.Second, Status: 200}, true, false, 6 * time.Second},
		{behaviour.Recorded{Took: 2 * time.Second, Status: 200}, false, false, 3 * time.Second},
	} {
		o := odds{takes: &usual, factor: 3, failures: errors}
		o.replay(&c.met, c.timed)
		assert.Equal(t, []any{c.failed, c.takes, 0.1}, []any{o.failed, o.roundTrip(0), o.fails})
	}
}

// TestSlowTail: an upper bound of how many answers are slow counts that a factor and another round trip come at once.
func TestSlowTail(t *testing.T) {
	q, b := *rareQuestion(), *rareQuestion().Behaviour
	slow := behaviour.Constant(time.Second)
	b.Episodes = []behaviour.Episode{
		{Kind: behaviour.Brownout, Every: 24 * time.Hour, Lasts: slow, On: behaviour.Everybody, Factor: 3},
		{Kind: behaviour.Brownout, Every: 24 * time.Hour, Lasts: slow, On: behaviour.Everybody, RoundTrip: &slow},
	}
	q.Behaviour = &b
	set, err := newSetting(&q)
	require.NoError(t, err)
	assert.InDelta(t, 1, set.above(2900*time.Millisecond), 1e-9)
	assert.InDelta(t, 0, set.above(3100*time.Millisecond), 1e-9)
}

// TestLongestRoundTrip: no round trip is so long that it counts as none.
func TestLongestRoundTrip(t *testing.T) {
	long := behaviour.Constant(300 * 24 * time.Hour)
	assert.Equal(t, plan.MaxDuration, (&odds{takes: &long, factor: 1e6}).roundTrip(0))
	assert.Equal(t, plan.MaxDuration, (&odds{exact: time.Hour, factor: 1e9}).roundTrip(0))
	q, b := *rareQuestion(), *rareQuestion().Behaviour
	b.RoundTrip, q.Behaviour = long, &b
	_, err := newSetting(&q)
	require.EqualError(t, err, "one answer in a hundred takes longer than 7200h0m0s: want 24h0m0s at most")
}
