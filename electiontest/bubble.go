package electiontest

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs a function in a bubble of testing/synctest, and says in words what goes wrong with one.
type bubble struct {
	scenario string
	// id is the runtime's, a string.
	id atomic.Value
	// sent counts requests, for who watches from outside.
	sent atomic.Uint64
	// left are the goroutines that were left when the run was over, "" for none.
	left string
	// silent is how long, in real time, nothing may be sent before talk is told what the run waits for.
	silent time.Duration
	talk   io.Writer
}

func newBubble(scenario string) *bubble {
	return &bubble{scenario: scenario, silent: 5 * time.Second, talk: os.Stderr}
}

// run runs f. Goroutines that have not ended once it has returned never go on: a program that ends would not have waited
// for them either.
func (b *bubble) run(t *testing.T, f func()) {
	over := make(chan struct{})
	defer close(over)
	go b.watch(over)
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if err, ok := p.(error); !ok || !strings.HasPrefix(err.Error(), "deadlock: main bubble goroutine has exited") {
			panic(p)
		}
		b.left = b.goroutines(func(string) bool { return true })
	}()
	synctest.Test(t, func(*testing.T) {
		_, id := goroutine()
		b.id.Store(id)
		f()
	})
}

// watch tells, in real time and of no consequence to the test, what keeps virtual time from going on.
func (b *bubble) watch(over <-chan struct{}) {
	const looks = 5
	for before, same := b.sent.Load(), 0; ; {
		select {
		case <-over:
			return
		case <-time.After(b.silent / looks):
		}
		if now := b.sent.Load(); now != before {
			before, same = now, 0
			continue
		}
		if same++; same == looks {
			suspects := b.suspects()
			fmt.Fprintf(b.talk, "electiontest: scenario %s has stood still for %v of real time, and may until the -timeout of "+
				"go test: %s. Those that could be it:\n%s\n", b.scenario, b.silent, diagnosis(suspects), suspects)
		}
	}
}

var waitsForMutex = regexp.MustCompile(`(?m)^goroutine \d+ \[sync\.(Mutex|RWMutex)\.`)

// diagnosis is what the goroutines that keep virtual time from going on do.
func diagnosis(suspects string) string {
	if waitsForMutex.MatchString(suspects) {
		return "a goroutine waits for a mutex, and virtual time does not go on for its holder meanwhile, which may sleep or " +
			"wait for an answer: want the mutex let go before that, or in its place a channel of size one, made in the run"
	}
	return "a goroutine computes, or waits for what is not of the run: a socket, a process, a channel, lock or WaitGroup " +
		"from outside"
}

// suspects are the goroutines that keep virtual time from going on.
func (b *bubble) suspects() string {
	return b.goroutines(func(state string) bool { return !strings.Contains(state, "(durable)") })
}

var bubbleOf = regexp.MustCompile(`^goroutine (\d+) \[(.*), synctest bubble (\d+)`)

// goroutine is which this one is, and in which bubble.
func goroutine() (id, bubble string) {
	text := make([]byte, 100)
	if m := bubbleOf.FindSubmatch(text[:runtime.Stack(text, false)]); m != nil {
		return string(m[1]), string(m[3])
	}
	return "", ""
}

// shown is how many goroutines are shown.
const shown = 4

// goroutines are the stacks of those of the bubble, in such a state, but the kit's own.
func (b *bubble) goroutines(in func(state string) bool) string {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	id, _ := b.id.Load().(string)
	var found []string
	for _, g := range strings.Split(string(text), "\n\n") {
		m := bubbleOf.FindStringSubmatch(g)
		if m == nil || m[3] != id || !in(m[2]) || kitsOwn.MatchString(g) {
			continue
		}
		found = append(found, g)
	}
	if more := len(found) - shown; more > 0 {
		found = append(found[:shown], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(found, "\n\n")
}

// kitsOwn are goroutines that the kit has begun for itself: not those of candidates.
var kitsOwn = regexp.MustCompile(`(?m)^(internal/synctest\.Run\(|created by (testing/synctest|internal/synctest|` +
	`interregnum/electiontest\.\(\*(world|transport|stalled)\)))`)
