package electiontest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A run is given up once it can be seen never to go on, not once it has taken long. The runtime stops the program for a look
// at all goroutines. Where none of the whole program runs or could run, and one of the bubble waits for what is no rest to
// testing/synctest, neither time nor a goroutine of the bubble can change anything any more. On a busy machine a goroutine
// that waits for a processor could run, and whatever takes long does so. What remains is what comes from elsewhere: a
// goroutine outside of the bubble that sleeps, or a client of a socket that is listened on. So the same has to be seen in ten
// looks, with nothing else in between; the run may not wait for such things, as its documentation says.
const looksTold, looksStuck = 5, 2 * looksTold

// watch tells, in real time, what keeps virtual time from going on, and ends the run where nothing will.
func (b *bubble) watch(over <-chan struct{}, stuck chan<- string) {
	before, silent := b.sent.Load(), 0
	last, same := "", 0
	for {
		select {
		case <-over:
			return
		case <-time.After(b.silent / looksTold):
		}
		if now := b.sent.Load(); now != before {
			before, silent, last = now, 0, ""
			continue
		}
		all := stacks()
		if silent++; silent == looksTold {
			suspects := b.keepers(all)
			fmt.Fprintf(b.talk, "electiontest: scenario %s has stood still for %v of real time: %s. Those that could be it:\n%s\n",
				b.scenario, b.silent, diagnosis(suspects), print(suspects))
		}
		now := b.rest(all)
		if now == "" || now != last {
			last, same = now, 0
			continue
		}
		if same++; same == looksStuck {
			keepers := b.keepers(all)
			stuck <- fmt.Sprintf("virtual time stands still for ever: %s. Who waits:\n%s%s", diagnosis(keepers), print(keepers),
				holders(b.among(all, (*stack).durable), keepers))
			return
		}
	}
}

// keepers are the goroutines of the bubble that keep virtual time from going on.
func (b *bubble) keepers(all []stack) []stack {
	return b.among(all, func(s *stack) bool { return !s.durable() })
}

// suspects are the stacks of the goroutines that keep virtual time from going on.
func (b *bubble) suspects() string { return print(b.keepers(stacks())) }

// rest lists the goroutines of bubbles and what each waits for, where no goroutine of the program runs or could run and
// some keep virtual time from going on; else it is "".
func (b *bubble) rest(all []stack) string {
	keepers := b.keepers(all)
	if len(keepers) == 0 {
		return ""
	}
	var states []string
	for i := range all {
		s := &all[i]
		switch {
		case strings.Contains(s.text, "electiontest.(*bubble).watch("): // this one
		case !waits(s):
			return ""
		case s.bubble != "":
			states = append(states, s.id+" "+s.state)
		}
	}
	slices.Sort(states)
	return strings.Join(states, "\n")
}

// waits tells whether a goroutine waits for another one. Outside of a bubble it may wait for time or the network as well.
func waits(s *stack) bool {
	state := strings.TrimSuffix(s.state, " (durable)")
	switch state {
	case "chan receive", "chan send", "select", "select (no cases)", "chan receive (nil chan)", "chan send (nil chan)",
		"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait", "semacquire",
		"sleep", "synctest.Wait", "synctest.Run", "finalizer wait", "cleanup wait":
		return true
	case "IO wait":
		return s.bubble == "" || listens.MatchString(s.text)
	case "syscall":
		return s.bubble == "" && strings.Contains(s.text, "os/signal.signal_recv(")
	}
	return false
}

var (
	waitsForMutex = regexp.MustCompile(`^sync\.(Mutex|RWMutex)\.`)
	listens       = regexp.MustCompile(`(?m)^net\.\(\*(netFD|TCPListener|UnixListener)\)\.[aA]ccept`)
)

// diagnosis is what the goroutines that keep virtual time from going on do.
func diagnosis(keepers []stack) string {
	doing := func(what func(*stack) bool) bool {
		return slices.ContainsFunc(keepers, func(s stack) bool { return what(&s) })
	}
	switch {
	case doing(func(s *stack) bool { return waitsForMutex.MatchString(s.state) }):
		return "a goroutine waits for a mutex, and virtual time does not go on for its holder meanwhile, which may sleep or " +
			"wait for an answer: want the mutex let go before that, or in its place a channel of size one, made in the run"
	case doing(func(s *stack) bool { return listens.MatchString(s.text) }):
		return "a goroutine listens on a socket, and nobody of the run can connect to it: want the servers of the program, for " +
			"metrics, probes and webhooks, off in the run; Candidate.Manager turns a manager's own off"
	}
	return "a goroutine computes, or waits for what is not of the run: a socket, a process, a channel, lock or WaitGroup " +
		"from outside"
}

// method is a call of one, and of which type it is. The address of the object is not always known there.
var method = regexp.MustCompile(`(?m)^(\S+\(\*\w+)[^)\n]*\)\.\w+`)

// holders shows which of the resting goroutines may hold a mutex that one of the waiters waits for: those in a method
// of the same type as the waiter. It is "" for none.
func holders(resting, waiters []stack) string {
	wanted := map[string]bool{}
	for i := range waiters {
		if !waitsForMutex.MatchString(waiters[i].state) {
			continue
		}
		for _, m := range method.FindAllStringSubmatch(waiters[i].text, -1) {
			if !strings.HasPrefix(m[1], "sync.") && !strings.HasPrefix(m[1], "internal/") {
				wanted[m[1]] = true
				break
			}
		}
	}
	var found []stack
	for i := range resting {
		for _, m := range method.FindAllStringSubmatch(resting[i].text, -1) {
			if wanted[m[1]] {
				found = append(found, resting[i])
				break
			}
		}
	}
	if found == nil {
		return ""
	}
	return "\n\nWho may hold it:\n" + print(found)
}
