package bound

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// instant is two leaders that take blanks from each other where requests take no time, or are lost. It shares nothing with the bound:
// it tries all turns there are.
type instant struct {
	c *Config
	// second is when a second of the clock of each begins.
	second [2]time.Duration
	// seen is how many turns follow, and out of how many that were tried.
	seen map[taken][2]int
}

// taken is that a leader takes the lock, in the first attempt of its poll or in another, and when the other one has succeeded last.
type taken struct {
	who       int
	at, other time.Duration
	first     bool
}

func (g *instant) secondOf(who int, at time.Duration) time.Duration {
	return (at - g.second[who]) / time.Second
}

// attempts returns when a leader can succeed after it has succeeded at an instant, if nothing does between.
func (g *instant) attempts(last time.Duration) []time.Duration {
	c := g.c
	all := []time.Duration{last + c.RetryPeriod}
	for tick := c.RetryPeriod; tick < c.RenewDeadline; tick += c.RetryPeriod {
		all = append(all, last+c.RetryPeriod+tick)
		if later := c.RequestTimeout + tick; later < c.RenewDeadline { // its first Get is lost
			all = append(all, last+c.RetryPeriod+later)
		}
	}
	return all
}

// longest is how many turns follow at most, no more than so many.
func (g *instant) longest(s taken, most int) int {
	if most == 0 {
		return 0
	}
	if n, ok := g.seen[s]; ok && (n[0] < n[1] || n[1] >= most) {
		return min(n[0], most)
	}
	takes := g.attempts(s.other)
	latest, best := slices.Max(takes), 0
	// When it can succeed, and the first of its writes that looks the same then.
	succeeds, alike := []time.Duration{s.at}, map[time.Duration]time.Duration{s.at: s.at}
	for i := 0; i < len(succeeds); i++ {
		last := succeeds[i]
		for i, at := range takes {
			if at >= max(alike[last]+g.c.Lease(), last) {
				best = max(best, 1+g.longest(taken{1 - s.who, at, last, i == 0}, most-1))
			}
		}
		next := g.attempts(last)
		if s.first && i == 0 { // or the answer to what has taken the lock is lost
			for tick := g.c.RetryPeriod; g.c.RequestTimeout+tick < g.c.RenewDeadline; tick += g.c.RetryPeriod {
				next = append(next, last+g.c.RequestTimeout+tick)
			}
		}
		for _, at := range next {
			first := at
			if g.secondOf(s.who, at) == g.secondOf(s.who, last) {
				first = alike[last]
			}
			if before, ok := alike[at]; at <= latest && (!ok || first < before) {
				alike[at] = first
				succeeds = append(succeeds, at)
			}
		}
	}
	g.seen[s] = [2]int{best, most}
	return best
}

// TestInstantTurns: leaders that take blanks, and whose requests take no time or are lost, have no more turns than are counted.
func TestInstantTurns(t *testing.T) {
	share, cases, lossy, near, inPoll, exact := 0.0, 0, 0, 0, 0, 0
	for seed := range uint64(700) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := &Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: plan.ConfigMap}
		c.RetryPeriod = time.Duration(19+r.IntN(200)) * time.Millisecond
		switch {
		case seed >= 500: // a second is nearly a number of them
			c.RetryPeriod = s/time.Duration(8+r.IntN(45)) - time.Duration(r.IntN(3))
		case seed >= 400: // few renewals in a second
			c.RetryPeriod = time.Duration(200+r.IntN(700)) * time.Millisecond
		}
		c.RenewDeadline = c.RetryPeriod*12/10 + 1 + time.Duration(r.Int64N(int64(c.RetryPeriod*3)))
		c.LeaseDuration = c.RenewDeadline + 1 + time.Duration(r.Int64N(int64(c.RetryPeriod)))*time.Duration(r.IntN(2))
		c.RequestTimeout = c.LeaseDuration
		if r.IntN(2) == 0 {
			c.RequestTimeout = 1 + time.Duration(r.Int64N(int64(c.RenewDeadline)))/time.Duration(1+r.IntN(20))
		}
		require.NoError(t, Refused(c))
		m := newModel(c, &Environment{})
		n, known := m.rotating()
		if told, also := m.toldInPoll(); also && (!known || seed%2 == 1) {
			n, known = told, true
			inPoll++
		}
		if !known || n > 300 {
			continue
		}
		cases++
		if _, rounded := m.rotatingWithin(2); !rounded && m.rotates() {
			exact++
		}
		if m.lossy() {
			lossy++
		}
		most := 0
		for range 40 {
			g := &instant{c: c, seen: map[taken][2]int{}}
			at := 10*time.Second + time.Duration(r.Int64N(int64(c.RetryPeriod)))
			for i := range g.second {
				g.second[i] = time.Duration(r.Int64N(int64(time.Second)))
				if r.IntN(3) == 0 { // at the very edge
					g.second[i] = at % time.Second
				}
			}
			other := at - time.Duration(r.Int64N(int64(c.Lease()))) // its last success
			if r.IntN(2) == 0 {
				other = at - time.Duration(r.IntN(int(c.Lease()/c.RetryPeriod)+1))*c.RetryPeriod
			}
			most = max(most, g.longest(taken{0, at, other, r.IntN(2) == 0}, int(n)+4))
		}
		assert.LessOrEqual(t, most, int(n)+2, "seed %d: %+v", seed, *c)
		share = max(share, float64(most)/float64(n))
		if most > int(n)/2 {
			near++
		}
	}
	t.Logf("%d configurations, %d of them with lost answers: up to %.2f of the turns that are counted, more than half in %d; %d by exact ticks alone", cases, lossy, share, near, exact)
	assert.Greater(t, cases, 100)
	assert.Greater(t, lossy, 30)
	assert.Positive(t, inPoll)
	assert.Positive(t, exact)
}

// TestLostTaking: the answer to what takes the lock can be lost, in the first attempt of a poll, so that a leader loses an answer in two polls although it
// succeeds only once between: 60 ms and a RetryPeriod, another one, and 60 ms and a RetryPeriod again.
func TestLostTaking(t *testing.T) {
	c := &Config{
		Timings: machine.Timings{LeaseDuration: 200 * ms, RenewDeadline: 190 * ms, RetryPeriod: 100 * ms},
		Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: 60 * ms, Lock: plan.ConfigMap,
	}
	m := newModel(c, &Environment{})
	turn, _ := m.turn()
	assert.True(t, slices.ContainsFunc(m.allTurns(&turn, 0, s, 2), func(k turnKind) bool { return k.low <= 420*ms && k.high >= 420*ms }))
}

// rotates is whether turns are counted by their place in a second.
func (m *model) rotates() bool {
	_, known := m.rotating()
	return known && m.c.RetryPeriod < time.Second
}
