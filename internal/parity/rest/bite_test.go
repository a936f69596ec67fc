package rest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/plan"
)

// least is what a client must have done at least so often in the pinned plans. A comparison of runs in which no client ever waited
// proves nothing.
var least = map[string]int{
	waits: 100, waitsAgain: 20, sentAgain: 100, sentLast: 3, refusedAtOnce: 20, refusedAgain: 3, endedWaiting: 3, endedResting: 10,
	"a Retry-After of 403": 3, "a Retry-After of 409": 3, "a Retry-After of 429": 20, "a Retry-After of 503": 3,
	"applied, and a Retry-After": 5,
}

// What is counted.
const (
	waits         = "waits for a token"
	waitsAgain    = "waits for a token, to be sent again"
	sentAgain     = "sent again"
	sentLast      = "sent again, the last time"
	refusedAtOnce = "refused at once"
	refusedAgain  = "refused at once, sent before"
	endedWaiting  = "ended as it waits for a token"
	endedResting  = "ended before the Retry-After"
)

func assertBites(t *testing.T, seen map[string]int) {
	for what, n := range least {
		assert.GreaterOrEqual(t, seen[what], n, what)
	}
}

// count counts something that the process does, unless the world is over.
func (p *process) count(what string) {
	p.world.mu.Lock()
	defer p.world.mu.Unlock()
	select {
	case <-p.world.over:
	default:
		p.world.seen[what]++
	}
}

// countSent counts a request of the present call that is sent now.
func (p *process) countSent() {
	waited := time.Now().After(p.call.ready)
	switch {
	case waited && p.call.tries == 1:
		p.count(waits)
	case waited:
		p.count(waitsAgain)
	}
	if p.call.tries > 1 {
		p.count(sentAgain)
	}
	if p.call.tries == plan.MaxRetries+1 {
		p.count(sentLast)
	}
}

// countUnsent counts a request of the present call that is not sent, for that reason.
func (p *process) countUnsent(why string) {
	now := time.Now()
	switch {
	case why == throttled && p.call.tries == 0:
		p.count(refusedAtOnce)
	case why == throttled:
		p.count(refusedAgain)
	case why == ended && now.Before(p.call.ready):
		p.count(endedResting)
	case why == ended && now.After(p.call.ready):
		p.count(endedWaiting)
	}
}
