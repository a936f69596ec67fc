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
