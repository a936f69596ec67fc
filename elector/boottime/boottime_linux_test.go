package boottime_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/boottime"
)

// sleptVariable makes TestSlept the program in a time namespace that it starts.
const sleptVariable = "INTERREGNUM_TEST_SLEPT"

// TestSlept: where CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, as after a sleep, Asleep tells by how much. A time namespace
// (time_namespaces(7)) puts it there.
func TestSlept(t *testing.T) {
	if os.Getenv(sleptVariable) != "" {
		slept, known := boottime.Asleep()
		require.True(t, known)
		assert.Greater(t, slept, 999*time.Second, "the clocks are not read at one instant")
		return
	}
	namespace := []string{"--map-root-user", "--time", "--fork", "--boottime", "1000"}
	if err := exec.Command("unshare", append(namespace, "true")...).Run(); err != nil {
		t.Skip("no time namespaces here: ", err)
	}
	slept, known := boottime.Asleep()
	require.True(t, known)
	require.Less(t, slept, 999*time.Second, "want a host that has not slept for so long")
	c := exec.Command("unshare", append(namespace, os.Args[0], "-test.run", "^TestSlept$")...)
	c.Env = append(os.Environ(), sleptVariable+"=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}
