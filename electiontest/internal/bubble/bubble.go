// Package bubble runs a function in a bubble of testing/synctest, and says in words what goes wrong with one.
package bubble

import (
	"io"
	"os"
	"regexp"
	"sync/atomic"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// Bubble is one run of a function on virtual time.
type Bubble struct {
	// Left are the goroutines that were left when the run was over, as text, "" for none.
	Left string
	// Stuck says why the run was given up, "" where it was not.
	Stuck string

	scenario string
	// id is what the runtime calls the bubble, a string.
	id atomic.Value
	// requests counts what Sent was told, for the watch from outside.
	requests atomic.Uint64
	// patience is how long, in real time, nothing may be sent until talk is told what the run waits for.
	patience time.Duration
	talk     io.Writer
}

// New returns a bubble for a run of the scenario of that name. If the run sends no request for the time patience, which is real
// time, the bubble says on standard error what the run waits for.
func New(scenario string, patience time.Duration) *Bubble {
	return &Bubble{scenario: scenario, patience: patience, talk: os.Stderr}
}

// Sent tells the bubble that a request was sent, which shows that virtual time goes on.
func (b *Bubble) Sent() { b.requests.Add(1) }

// Caller returns the id of the calling goroutine; in is true if that goroutine is in b's bubble.
func (b *Bubble) Caller() (id string, in bool) {
	id, bubble := goroutines.Current()
	return id, bubble != "" && bubble == b.id.Load()
}

// among returns those of the stacks that are in b's bubble and for which in returns true. It leaves out the goroutines that the
// kit has begun for itself (kitsOwn).
func (b *Bubble) among(all []goroutines.Stack, in func(*goroutines.Stack) bool) (found []goroutines.Stack) {
	id, _ := b.id.Load().(string)
	for i := range all {
		if s := &all[i]; s.Bubble != "" && s.Bubble == id && in(s) && !kitsOwn.MatchString(s.Text) {
			found = append(found, *s)
		}
	}
	return found
}

// keepers returns those of the goroutines in the bubble that keep virtual time from going on: they are not durably blocked. Like
// among, it leaves out the goroutines that the kit has begun for itself.
func (b *Bubble) keepers(all []goroutines.Stack) []goroutines.Stack {
	return b.among(all, func(s *goroutines.Stack) bool { return !s.Durable() })
}

// kitsOwn matches goroutines that the kit has begun for itself: not those of candidates.
var kitsOwn = regexp.MustCompile(`(?m)^(internal/synctest\.Run\(|created by (testing/synctest|internal/synctest|` +
	`interregnum/electiontest/internal/world\.\(\*world\)))`)
