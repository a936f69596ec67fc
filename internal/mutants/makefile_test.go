package mutants

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hangs is from when on a test that has not ended hangs, on whatever machine.
const hangs = 30 * time.Minute

var (
	timeoutFlag = regexp.MustCompile(`-timeout[ =]([^\s);]+)`)
	mutantsRule = regexp.MustCompile(`(?m)^mutants:.*\n(?:\t.*\n)+`)
)

// TestNoTargetIsBoundByTime: what a target does is bound by runs. Its -timeout is there for tests that hang; one that a busy
// machine misses makes a slow run a failed one.
func TestNoTargetIsBoundByTime(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	require.NoError(t, err)
	assert.Regexp(t, timeoutFlag, string(mutantsRule.Find(makefile)), "go's own is 10m")
	for _, found := range timeoutFlag.FindAllStringSubmatch(string(makefile), -1) {
		timeout, err := time.ParseDuration(found[1])
		require.NoError(t, err)
		assert.GreaterOrEqual(t, timeout, hangs, found[0])
	}
}
