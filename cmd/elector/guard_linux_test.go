package main

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// sleptVariable makes TestGuardClock the program in a time namespace that it starts.
const sleptVariable = "INTERREGNUM_TEST_SLEPT"

// TestGuardClock: the guard's clock has the time for which the host slept: CLOCK_BOOTTIME, which is ahead of CLOCK_MONOTONIC by
// 1000 s here, in a time namespace (time_namespaces(7)).
func TestGuardClock(t *testing.T) {
	if os.Getenv(sleptVariable) != "" {
		var awake unix.Timespec
		require.NoError(t, unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake))
		require.Greater(t, now()-awake.Nano(), int64(1000*time.Second))
		return
	}
	t.Parallel()
	namespace := []string{"--map-root-user", "--time", "--fork", "--boottime", "1000"}
	if err := exec.Command("unshare", append(namespace, "true")...).Run(); err != nil {
		t.Skip("no time namespaces here: ", err)
	}
	c := exec.Command("unshare", append(namespace, os.Args[0], "-test.run", "^TestGuardClock$")...)
	c.Env = append(os.Environ(), sleptVariable+"=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}
