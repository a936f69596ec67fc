package adversary

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/fate"
)

// TestFollows: a candidate that follows another starts just after that one's request has arrived, wherever the plan runs, and a
// scenario file says when that was.
func TestFollows(t *testing.T) {
	c := plain(timings(15, 10, 2), 0, time.Second)
	g := &Genome{Horizon: time.Minute, Parts: []Part{
		{Start: 3 * time.Second, Base: Fate{Out: fate.Way{Delay: 20 * time.Millisecond}}, Segments: []Segment{{1, 3, most, AllVerbs, Fate{Out: lost}}}},
		{Follows: &Event{0, Anchor{Step{1, 2}, 5}}},
		{Follows: &Event{1, Anchor{Step{1, 1}, 0}}},
		{Follows: &Event{0, Anchor{Step{7, 1}, 0}}},
	}}
	for _, w := range []world{Simulated{}, libraryWorld{t}} {
		o := w.run(&c, g)
		require.NoError(t, o.Err)
		arrived := map[Step]time.Duration{}
		for _, q := range o.Sent {
			if q.Candidate < 2 && q.Phase == 1 {
				arrived[Step{q.Candidate, q.Number}] = q.Arrived
			}
		}
		assert.Equal(t, []time.Duration{3 * time.Second, arrived[Step{0, 2}] + 5, arrived[Step{1, 1}] + 1, never}, o.Starts)
	}
	_, err := Scenario(&c, g, "follows")
	assert.NoError(t, err)
}

// TestWhoFollows: whoever comes, goes or changes places, the others follow whom they followed.
func TestWhoFollows(t *testing.T) {
	parts := func(follows ...int) *Genome {
		g := &Genome{}
		for _, of := range follows {
			p := Part{}
			if of >= 0 {
				p.Follows = &Event{Of: of}
			}
			g.Parts = append(g.Parts, p)
		}
		return g
	}
	for name, row := range map[string]struct {
		from, want *Genome
		change     func(*Genome)
	}{
		"drop":  {parts(-1, 0, 1, 2), parts(-1, -1, 1), func(g *Genome) { g.drop(1, newOutcome(g)) }},
		"swap":  {parts(-1, 0, 1, 2), parts(-1, 2, 0, 1), func(g *Genome) { g.swap(1, 2) }},
		"relay": {parts(-1, 0, 1, 2), parts(-1, 0, 1, 2, 3, 4), func(g *Genome) { g.relay(1, 2, 0) }},
		"full":  {parts(-1, 0, 1, 2), parts(-1, 0, 1, 2), func(g *Genome) { g.relay(0, mostParts, 0) }},
	} {
		row.change(row.from)
		assert.Equal(t, row.want, row.from, name)
	}
}

// TestTogether: for how long so many work at once, or what is missing.
func TestTogether(t *testing.T) {
	const horizon = 100
	o := &Outcome{Starts: make([]time.Duration, 4), Works: []Work{{0, 1, 0, 10}, {1, 1, 4, 30}, {0, 2, 20, 28}, {2, 1, 25, 60}}}
	assert.EqualValues(t, 8, o.together(2, horizon))
	assert.EqualValues(t, 3, o.together(3, horizon))
	assert.Less(t, o.together(4, horizon), time.Duration(-horizon))
	o.Sent = []Request{{Candidate: 1, Wrote: true, Arrived: 26}}
	assert.EqualValues(t, 34, o.wiped(1, horizon))
	assert.EqualValues(t, 2, o.wiped(2, horizon))
	assert.Negative(t, o.wiped(3, horizon))
}
