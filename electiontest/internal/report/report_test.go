package report

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTemporary: two packages never leave files of one name, a package main neither.
func TestTemporary(t *testing.T) {
	for path, want := range map[string]string{
		"example.com/ours.test": "example.com/ours", "example.com/ours/cmd/program": "example.com/ours/cmd/program",
		"command-line-arguments.test": ".", "": ".",
	} {
		assert.Equal(t, want, pathOf(&debug.BuildInfo{Path: path}))
	}
	assert.Equal(t, ".", pathOf(nil))
	here := Temporary("TestX/y")
	assert.Regexp(t, `^electiontest-interregnum_electiontest_internal_report-[0-9a-f]{8}-TestX_y$`, here)
	assert.Equal(t, here, Temporary("TestX/y"))
	t.Chdir(t.TempDir())
	assert.NotEqual(t, here, Temporary("TestX/y"))
}
