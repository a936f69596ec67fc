package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// suspendedName makes this test program a guard whose host is suspended twice: see suspended.
const suspendedName = "suspended"

// TestSuspended: time in which the host was suspended counts, although no timer has run. The command is told to end, and
// killed, long before the guard's timers would say so.
func TestSuspended(t *testing.T) {
	t.Parallel()
	p := spawn(t, nil, suspendedName)
	require.Zero(t, p.End(t))
	require.Equal(t, "runs\nruns, stopping\nsignal: killed\n", p.Out.String())
}

// suspended is in a process of its own: a guard reaps and kills all that its process has started.
func suspended() {
	cmd := exec.Command("/bin/sh", "-c", "trap '' TERM; echo; while :; do sleep 1; done")
	cmd.SysProcAttr = ownGroup()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1)) // The trap is set.
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var asleep atomic.Int64
	g := &warden{
		now:   func() int64 { return now() + asleep.Load() },
		renew: time.Hour, grace: time.Hour, renewals: make(chan int64), group: cmd.Process.Pid,
	}
	g.stopAt = g.now() + int64(g.renew)
	over := make(chan struct{})
	go func() {
		defer close(over)
		g.watch()
		_ = cmd.Wait()
	}()
	for _, state := range []string{"runs", "runs, stopping"} {
		select {
		case <-over:
			fmt.Println("ended too early")
		case <-time.After(5 * lookAtLeast):
			fmt.Println(state)
		}
		asleep.Add(int64(time.Hour))
	}
	<-over
	fmt.Println(cmd.ProcessState)
}

// TestNoLaterThanDue: the guard looks when the command is to be stopped or killed, and not later: all of the grace may be given to the
// command.
func TestNoLaterThanDue(t *testing.T) {
	t.Parallel()
	const due = int64(time.Hour)
	for left, want := range map[time.Duration]time.Duration{
		time.Second: lookAtLeast, 3 * time.Millisecond: 3 * time.Millisecond, 1: 1, 0: 0, -time.Second: 0,
	} {
		g := &warden{now: func() int64 { return due - int64(left) }, stopAt: due, killAt: 2 * due}
		require.Equal(t, want, g.pause(false))
		g.stopAt, g.killAt, g.stopping = 0, due, true
		require.Equal(t, want, g.pause(false))
		require.Equal(t, 10*time.Millisecond, g.pause(true))
	}
}
