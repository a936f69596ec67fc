package bubble

import (
	"regexp"
	"slices"
	"strings"

	"interregnum/electiontest/internal/goroutines"
)

// waitsForMutex matches the state of a goroutine that waits for a mutex.
var waitsForMutex = regexp.MustCompile(`^sync\.(Mutex|RWMutex)\.`)

// diagnosis returns a text for a failed test that says what the keepers do, which are the goroutines that keep virtual time from
// going on, and what to do about it. It always returns a text; if no keeper waits for a mutex or listens, that text is a general
// one.
func diagnosis(keepers []goroutines.Stack) string {
	doing := func(what func(*goroutines.Stack) bool) bool {
		return slices.ContainsFunc(keepers, func(s goroutines.Stack) bool { return what(&s) })
	}
	switch {
	case doing(func(s *goroutines.Stack) bool { return waitsForMutex.MatchString(s.State) }):
		return "a goroutine waits for a mutex, and virtual time does not go on for its holder meanwhile, which may sleep or " +
			"wait for an answer: want the mutex let go before that, or in its place a channel of size one, made in the run"
	case doing(func(s *goroutines.Stack) bool { return listens.MatchString(s.Text) }):
		return "a goroutine listens on a socket, and nobody of the run can connect to it: want the servers of the program, for " +
			"metrics, probes and webhooks, off in the run; Candidate.Manager turns a manager's own off"
	case doing(computes):
		return "the context of a manager of controller-runtime ended before its caches were there, and it computes until they are, without a " +
			"pause, in which no answer can come: want Start called with a context that has not ended"
	}
	return "a goroutine computes, or waits for what is not of the run: a socket, a process, a channel, lock or WaitGroup " +
		"from outside"
}

// method matches each line of a stack that calls a method on a pointer. Its group is the method's type, with the package. The
// stack need not tell which object of that type it is.
var method = regexp.MustCompile(`(?m)^(\S+\(\*\w+)[^)\n]*\)\.\w+`)

// holders returns a text with the goroutines among resting that perhaps hold a mutex for which one of the waiters waits: they
// are in a method of the same type as that waiter's. It returns "" if there are none.
func holders(resting, waiters []goroutines.Stack) string {
	wanted := map[string]bool{}
	for i := range waiters {
		if !waitsForMutex.MatchString(waiters[i].State) {
			continue
		}
		for _, m := range method.FindAllStringSubmatch(waiters[i].Text, -1) {
			if !strings.HasPrefix(m[1], "sync.") && !strings.HasPrefix(m[1], "internal/") {
				wanted[m[1]] = true
				break
			}
		}
	}
	var found []goroutines.Stack
	for i := range resting {
		for _, m := range method.FindAllStringSubmatch(resting[i].Text, -1) {
			if wanted[m[1]] {
				found = append(found, resting[i])
				break
			}
		}
	}
	if found == nil {
		return ""
	}
	return "\n\nWho may hold it:\n" + goroutines.Text(found)
}
