package draw

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	_ "interregnum/internal/few/garbage"
	"interregnum/plan"
)

// tally counts what plans have that is about clients.
type tally struct {
	kinds                                                  map[plan.FaultKind]int
	clients, none, halves, others, retryAfter, seats, slow int
}

func (n *tally) add(p *plan.Plan) {
	for i := range p.Candidates {
		switch c := &p.Candidates[i]; {
		case c.Client == nil:
			n.none++
		default:
			n.clients++
			n.others += len(c.Client.Other)
			if c.RequestTimeout == plan.HalfOf(c.RenewDeadline) {
				n.halves++
			}
		}
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		n.kinds[f.Kind]++
		if f.Kind == plan.FaultError && f.RetryAfter != nil {
			n.retryAfter++
		}
		if f.Seats > 0 {
			n.seats++
		}
		if f.Factor != nil {
			n.slow++
		}
	}
}

// drawn returns what the valid plans of 2000 seeds have.
func drawn(t *testing.T, s *Space) *tally {
	n := &tally{kinds: map[plan.FaultKind]int{}}
	for seed := range uint64(2000) {
		p := s.Plan(rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, p.Validate(), "seed %d", seed)
		n.add(p)
	}
	return n
}

// clientKinds are the faults that are drawn only where there are clients.
var clientKinds = []plan.FaultKind{plan.FaultThrottle, plan.FaultBrownout, plan.FaultReset, plan.FaultStall}

// TestClients: with Clients plans have clients of all sorts and the faults about them, otherwise none of that.
func TestClients(t *testing.T) {
	for name, s := range map[string]*Space{
		"fixed":     {Profile: machine.Strict, Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}},
		"any":       {Profile: machine.ClientGo},
		"restless":  {Profile: machine.ClientGo, Restless: true, Locks: []plan.Lock{plan.Lease, plan.ConfigMapsLeases}},
		"elections": {Profile: machine.Strict, Locking: Locking{Elections: 3}},
	} {
		plain := drawn(t, s)
		assert.Zero(t, plain.clients+plain.retryAfter, name)
		s.Limits.Clients = true
		n := drawn(t, s)
		for _, kind := range clientKinds {
			assert.Zero(t, plain.kinds[kind], "%s: %s", name, kind)
			assert.Positive(t, n.kinds[kind], "%s: %s", name, kind)
		}
		for what, count := range map[string]int{
			"clients": n.clients, "none": n.none, "halves": n.halves, "others": n.others, "retryAfter": n.retryAfter, "seats": n.seats, "factor": n.slow,
		} {
			assert.Greater(t, count, 100, "%s: %s", name, what)
		}
	}
}

// TestClientsWhereTheyCanBe: a candidate that can have no client has none. Where round trips are bounded, nothing makes requests wait
// without a bound.
func TestClientsWhereTheyCanBe(t *testing.T) {
	for _, s := range []*Space{{Profile: machine.ClientGoV024}, {Profile: machine.Strict, Locking: Locking{Lock: plan.KVTTL}}} {
		s.Limits.Clients = true
		n := drawn(t, s)
		assert.Zero(t, n.clients)
		for _, kind := range clientKinds {
			assert.Zero(t, n.kinds[kind], kind)
		}
	}
	n := drawn(t, &Space{Profile: machine.Strict, Limits: Limits{Clients: true, MaxRoundTrip: 3 * time.Second}})
	assert.Zero(t, n.kinds[plan.FaultStall]+n.kinds[plan.FaultBrownout])
	assert.Positive(t, n.kinds[plan.FaultThrottle])
	assert.Positive(t, n.kinds[plan.FaultReset])
}

// TestMutateKeepsClients: a mutation of a plan with clients has them, and may have faults about them, whatever the limits are.
func TestMutateKeepsClients(t *testing.T) {
	s := &Space{Profile: machine.Strict}
	of := s.Plan(rand.New(rand.NewPCG(1, 1)))
	of.Faults = nil
	other := *of
	other.Candidates = append([]plan.Candidate{}, of.Candidates...)
	for i := range other.Candidates {
		other.Candidates[i].Client = &plan.Client{QPS: 5, Burst: 10, Retries: true}
	}
	with, without := tally{kinds: map[plan.FaultKind]int{}}, tally{kinds: map[plan.FaultKind]int{}}
	var sheet Sheet
	for seed := range uint64(1000) {
		sheet.Mutate(s, of, rand.New(rand.NewPCG(seed, 2)))
		without.add(&sheet.Plan)
		sheet.Mutate(s, &other, rand.New(rand.NewPCG(seed, 2)))
		require.NoError(t, sheet.Plan.Validate())
		with.add(&sheet.Plan)
	}
	assert.Zero(t, with.none+without.clients)
	for _, kind := range clientKinds {
		assert.Positive(t, with.kinds[kind], kind)
		assert.Zero(t, without.kinds[kind], kind)
	}
}
