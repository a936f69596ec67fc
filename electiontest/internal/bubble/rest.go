package bubble

import (
	"regexp"
	"slices"
	"strings"

	"interregnum/electiontest/internal/goroutines"
)

// rest returns a list of the goroutines in bubbles and what each waits for. It is "" if a goroutine of the program runs
// or could run, other than one that never pauses (computes), or if none keeps virtual time from going on.
func (b *Bubble) rest(all []goroutines.Stack) string {
	keepers := b.keepers(all)
	if len(keepers) == 0 {
		return ""
	}
	var states []string
	for i := range all {
		s := &all[i]
		switch {
		case strings.Contains(s.Text, "internal/bubble.(*Bubble).watch("): // this one
		case !waits(s) && !computes(s):
			return ""
		case s.Bubble != "":
			states = append(states, s.ID+" "+stateOf(s))
		}
	}
	slices.Sort(states)
	return strings.Join(states, "\n")
}

// waits tells whether the goroutine only waits: for another goroutine of the program, or for time, by sleep. A wait for a
// connection to a listener counts as well. Outside of a bubble, so does any wait for the network or for a signal.
func waits(s *goroutines.Stack) bool {
	state := strings.TrimSuffix(s.State, " (durable)")
	switch state {
	case "chan receive", "chan send", "select", "select (no cases)", "chan receive (nil chan)", "chan send (nil chan)",
		"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait", "semacquire",
		"sleep", "synctest.Wait", "synctest.Run", "finalizer wait", "cleanup wait":
		return true
	case "IO wait":
		return s.Bubble == "" || listens.MatchString(s.Text)
	case "syscall":
		return s.Bubble == "" && strings.Contains(s.Text, "os/signal.signal_recv(")
	}
	return false
}

// stateOf returns the goroutine's state, which is always the same for one that computes.
func stateOf(s *goroutines.Stack) string {
	if computes(s) {
		return "computes"
	}
	return s.State
}

// computes tells whether the goroutine is that of a manager of controller-runtime whose context has ended before its caches were there: it
// computes, without a pause, until they are.
func computes(s *goroutines.Stack) bool {
	return s.Bubble != "" && strings.Contains(s.Text, "sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).Start.func1(") &&
		!s.Durable()
}

// listens matches a goroutine that waits for somebody to connect to it.
var listens = regexp.MustCompile(`(?m)^net\.\(\*(netFD|TCPListener|UnixListener)\)\.[aA]ccept`)
