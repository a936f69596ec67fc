package bubble

import (
	"regexp"
	"slices"
	"strings"

	"interregnum/electiontest/internal/goroutines"
)

// rest returns a list of the goroutines in bubbles and what each waits for. It is "" if a goroutine of the program runs
// or could run, or if none keeps virtual time from going on.
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
		case !waits(s):
			return ""
		case s.Bubble != "":
			states = append(states, s.ID+" "+s.State)
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

// listens matches a goroutine that waits for somebody to connect to it.
var listens = regexp.MustCompile(`(?m)^net\.\(\*(netFD|TCPListener|UnixListener)\)\.[aA]ccept`)
