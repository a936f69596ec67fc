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

// hangs is the time after which a test that has not ended hangs, on any machine.
const hangs = 30 * time.Minute

var (
	timeoutFlag = regexp.MustCompile(`-timeout[ =]([^\s);]+)`)
	mutantsRule = regexp.MustCompile(`(?m)^mutants:.*\n(?:\t.*\n)+`)
)

// TestNoTargetIsBoundByTime: a target is bounded by its number of runs. Its -timeout is only for tests that hang: a
// shorter one would fail a run that is merely slow, on a busy machine.
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
