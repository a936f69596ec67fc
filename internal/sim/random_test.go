package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// randomPlan has three candidates that draw their jitter, and messages that draw their delays.
func randomPlan() *plan.Plan {
	random := func(c *plan.Candidate) { c.Jitter = nil }
	p := aPlan(10*time.Minute, who("a", 0, random), who("b", sec, random), who("c", 1500*ms, random))
	p.Network = plan.Network{Request: plan.Delay{Min: ms, Max: 5 * ms}, Response: plan.Delay{Min: ms, Max: 5 * ms}}
	return p
}

// polls returns when a candidate begins its attempts.
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
	hash := func(seed uint64, change func(*plan.Plan)) trace.Sum {
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

// TestFirstJitters: the plan's first draws count in turn, and the one for all others after them, in a second Run too.
func TestFirstJitters(t *testing.T) {
	p := randomPlan()
	p.Candidates[1].FirstJitters, p.Candidates[1].Jitter = []float64{0, 0.5, 0.25}, new(0.75)
	all := polls(t, p, "b")
	for i, jitter := range []float64{0, 0.5, 0.25, 0.75, 0.75} {
		wait := all[i+1] - all[i]
		assert.InDelta(t, machine.Jittered(p.Candidates[1].RetryPeriod, jitter), wait, float64(p.Network.Request.Max+p.Network.Response.Max), "wait %d", i)
	}
}
