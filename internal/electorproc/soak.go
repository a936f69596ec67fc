package electorproc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seat is the place of one of Soak's candidates. When the candidate has ended, another one takes the place.
type seat struct {
	*Process
	// thaw is when the elector is to be woken, if it is frozen. spare is when something may be done to it again.
	thaw, spare time.Time
}

// Soak does harm to three candidates at random, drawn from a seed, for as long as lasts says. They are killed, frozen for up to
// 9 s or told to end, and on Linux their guards are killed or frozen. The test fails in four cases: two commands run at once,
// tokens do not grow, no new leader comes when all is well again, or there was no more than one term in 20 s on average. Each
// command behaves in one of the ways, drawn at random.
func Soak(t *testing.T, e Elector, lasts time.Duration, seed uint64, ways ...string) {
	t.Logf("seed %d", seed)
	dir, random, started := t.TempDir(), rand.New(rand.NewPCG(seed, 0)), 0
	enter := func() *seat {
		started++
		how := ways[random.IntN(len(ways))]
		return &seat{Process: e.Start(t, append([]string{fmt.Sprintf("--id=%d-%s", started, how)}, Work(dir, how)...)...)}
	}
	seats := []*seat{enter(), enter(), enter()}
	counts := map[string]int{}
	for end := time.Now().Add(lasts); time.Now().Before(end); {
		time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
		require.NotContains(t, LogOf(dir), "OVERLAP")
		for i, s := range seats {
			if s.over() {
				seats[i] = enter()
			} else if !s.thaw.IsZero() && time.Now().After(s.thaw) {
				s.wake()
			}
		}
		s := seats[random.IntN(len(seats))]
		if leads := slices.IndexFunc(seats, (*seat).leads); leads >= 0 && random.IntN(2) == 0 {
			s = seats[leads]
		}
		if s.thaw.IsZero() && time.Now().After(s.spare) {
			counts[s.harm(random)]++
		}
	}
	for _, s := range seats {
		s.wake()
		_ = s.Process.Process.Signal(syscall.SIGTERM)
	}
	before := len(Tokens(t, dir))
	enter()
	Eventually(t, "a new leader", func() bool { return len(Tokens(t, dir)) > before })
	require.NotContains(t, LogOf(dir), "OVERLAP")
	tokens := Tokens(t, dir)
	for i := range tokens[1:] {
		require.Greater(t, tokens[i+1], tokens[i], "term %d", i+1)
	}
	t.Logf("%d electors, %d terms with a command, %v", started, len(tokens), counts)
	require.Greater(t, len(tokens), int(lasts/(20*time.Second)), "hardly anybody has led")
}

// leads tells whether the elector runs a command: whether it has child processes. Except on Linux, it is always false.
func (s *seat) leads() bool { return len(childrenOf(s.Process.Process.Pid)) > 0 }

// over tells whether the elector has ended.
func (s *seat) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// wake makes the elector go on if it is frozen, and clears s.thaw.
func (s *seat) wake() {
	s.thaw = time.Time{}
	_ = s.Process.Process.Signal(syscall.SIGCONT)
}

// harm kills, freezes or ends the elector, or kills or freezes its guard, at random. It returns what it has done, "nothing" if
// there is no guard to harm. It sets s.thaw, when a frozen elector is to be woken, and s.spare, until when nothing else may be
// done to it.
func (s *seat) harm(random *rand.Rand) string {
	send := func(to int, signal syscall.Signal) { _ = syscall.Kill(to, signal) }
	pid := s.Process.Process.Pid
	switch random.IntN(6) {
	case 0:
		send(pid, syscall.SIGKILL)
		return "killed"
	case 1:
		send(pid, syscall.SIGTERM)
		return "told to end"
	case 2, 3:
		s.thaw = time.Now().Add(time.Duration(random.Int64N(int64(9 * time.Second))))
		send(pid, syscall.SIGSTOP)
		return "frozen"
	}
	guards := childrenOf(pid)
	if len(guards) == 0 {
		return "nothing"
	}
	// Until the elector has noticed, nothing may happen to it too: otherwise nobody is left to stop the command.
	if random.IntN(2) == 0 {
		s.spare = time.Now().Add(8 * time.Second)
		send(guards[0], syscall.SIGKILL)
		return "guard killed"
	}
	s.spare = time.Now().Add(time.Second)
	send(guards[0], syscall.SIGSTOP)
	return "guard frozen"
}

// childrenOf returns the IDs of a process's child processes on Linux, and nil elsewhere.
func childrenOf(pid int) (children []int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for field := range strings.FieldsSeq(string(text)) {
			child, _ := strconv.Atoi(field)
			children = append(children, child)
		}
	}
	slices.Sort(children)
	return children
}
