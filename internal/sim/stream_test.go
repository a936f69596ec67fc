package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// TestStreamIsPinned: the generator's output is part of what a seed means. If this fails, the generator has
// changed, and every run with anything random in it is another one.
func TestStreamIsPinned(t *testing.T) {
	for _, c := range []struct {
		seed      uint64
		name      string
		candidate int
		want      string
	}{
		{0, "jitter", 0, "667cac61b3e257e1 eaa2566b28300cf7 0.92789108651109575 568618"},
		{1, "jitter", 0, "b4bf0758b6fc51e6 14fdbcfbfe890ff3 0.76177672380451433 267493"},
		{1, "jitter", 1, "342f7c9d459a5952 4ce7bb12e7093f72 0.99361740492690842 869189"},
		{1, "network", 0, "80e2a1f5df42a97b 02b3fdb770101f66 0.22706135355343415 302881"},
		{1, "loss", 0, "f4fd41138c2a8e8c f185a5fab7e1f619 0.0045220192670594184 294180"},
		{1<<64 - 1, "jitter", 99_999, "9423b82dfdc590cc cf90741c04a206a4 0.11299834916259111 93141"},
	} {
		r := newStream(c.seed, c.name, c.candidate)
		got := fmt.Sprintf("%016x %016x %.17g %d", r.Uint64(), r.Uint64(), r.Float64(), r.Int64N(1_000_001))
		assert.Equal(t, c.want, got, "seed %d, %s of candidate %d", c.seed, c.name, c.candidate)
	}
}

// TestStreamsDiffer by seed, name and candidate, from the first draw on.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for _, name := range []string{"jitter", "network", "loss"} {
			for candidate := range 50 {
				id := fmt.Sprint(seed, name, candidate)
				first := newStream(seed, name, candidate).Uint64()
				assert.Empty(t, seen[first], id)
				seen[first] = id
			}
		}
	}
}

// randomPlan has three candidates that draw their jitter, and messages that draw their delays.
func randomPlan() *plan.Plan {
	random := func(c *plan.Candidate) { c.Jitter = nil }
	p := aPlan(10*time.Minute, who("a", 0, random), who("b", sec, random), who("c", 1500*ms, random))
	p.Network = plan.Network{Request: plan.Delay{Min: ms, Max: 5 * ms}, Response: plan.Delay{Min: ms, Max: 5 * ms}}
	return p
}

// polls is when a candidate begins its attempts.
func polls(t *testing.T, p *plan.Plan, id string) []time.Duration {
	return play(t, p).at(id, trace.RequestSent, get)
}

// TestStreamsAreIndependent: what is new in one part of a run does not shift the draws of another.
func TestStreamsAreIndependent(t *testing.T) {
	b := polls(t, randomPlan(), "b")
	assert.Greater(t, len(b), 100)

	more := randomPlan()
	more.Candidates = append(more.Candidates, who("d", 2*sec, func(c *plan.Candidate) { c.Jitter = nil }))
	assert.Equal(t, b, polls(t, more, "b"), "another candidate")

	lossy := with(randomPlan(), but(window(plan.FaultLose, sec, 9*time.Minute, "c"), withChance(0.2)))
	lossy.Candidates[2].RequestTimeout = sec
	assert.NotEqual(t, polls(t, randomPlan(), "c"), polls(t, lossy, "c"))
	assert.Equal(t, b, polls(t, lossy, "b"), "another's losses")

	slow := with(randomPlan(), but(fault(plan.FaultDelay, sec, "c"), requestIn(0, sec)))
	assert.Equal(t, b, polls(t, slow, "b"), "another's delays")

	fixedOther := randomPlan()
	fixedOther.Candidates[2].Jitter = new(0.25)
	assert.Equal(t, b, polls(t, fixedOther, "b"), "another's jitter")

	// Its own jitter does not move when its own messages draw more: waits between an answer and the next poll.
	waits := func(p *plan.Plan) []time.Duration {
		tape := play(t, p)
		answers, polls := tape.at("b", trace.ResponseHandled, get), tape.at("b", trace.RequestSent, get)
		var out []time.Duration
		for i := range 50 {
			out = append(out, polls[i+1]-answers[i])
		}
		return out
	}
	chatty := with(randomPlan(), but(fault(plan.FaultLose, 0, "b"), withChance(0)))
	chatty.Network.Request.Max = 50 * ms
	assert.Equal(t, waits(randomPlan()), waits(chatty), "its own delays")
}

// TestSeedMatters where something is random, and only there.
func TestSeedMatters(t *testing.T) {
	hash := func(seed uint64, change func(*plan.Plan)) string {
		p := randomPlan()
		for i := range p.Candidates {
			p.Candidates[i].Jitter = new(0.5)
			p.Candidates[i].RequestTimeout = sec
		}
		round(p, ms)
		change(p)
		p.Seed = seed
		return play(t, p).stats.TraceHash
	}
	for name, c := range map[string]struct {
		change func(*plan.Plan)
		random bool
	}{
		"nothing": {func(*plan.Plan) {}, false},
		"jitter":  {func(p *plan.Plan) { p.Candidates[1].Jitter = nil }, true},
		"network": {func(p *plan.Plan) { p.Network.Response.Max++ }, true},
		"delay":   {func(p *plan.Plan) { with(p, but(fault(plan.FaultDelay, sec, "b"), requestIn(ms, 2*ms))) }, true},
		"delay of nobody": {func(p *plan.Plan) {
			with(p, but(fault(plan.FaultDelay, 10*time.Minute, "b"), requestIn(ms, 2*ms)))
		}, false},
		"loss":             {func(p *plan.Plan) { with(p, but(fault(plan.FaultLose, sec, "b"), withChance(0.5))) }, true},
		"loss, certain":    {func(p *plan.Plan) { with(p, but(fault(plan.FaultLose, sec, "b"), withChance(1))) }, false},
		"loss, impossible": {func(p *plan.Plan) { with(p, but(fault(plan.FaultLose, sec, "b"), withChance(0))) }, false},
	} {
		assert.Equal(t, c.random, hash(0, c.change) != hash(1, c.change), name)
		assert.Equal(t, hash(0, c.change), hash(0, c.change), name)
	}
}
