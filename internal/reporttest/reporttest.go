// Package reporttest has helpers for the tests of all forms of output.
package reporttest

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/search"
	"interregnum/reports"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden fails the test if got differs from the file called name under testdata; the test goes on. It ends the test if the file
// cannot be read or written. With the flag -update it first rewrites the file.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// Schema returns the JSON schema in the file called name under testdata, with checks of formats. It ends the test if the file has
// no such schema.
func Schema(t *testing.T, name string) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return schema
}

// Full is a writer whose Write always fails.
type Full struct{}

// Write returns an error.
func (Full) Write([]byte) (int, error) { return 0, errors.New("full") }

// Campaign returns a campaign of one block of runs with that profile. A test may change its numbers.
func Campaign(profile machine.Profile) *reports.Campaign {
	t := &search.Target{Profile: profile, Limits: draw.Limits{MaxRoundTrip: 3 * time.Second}}
	s := search.NewSummary()
	s.Add(t.Run(0))
	return &reports.Campaign{Target: t, Summary: s}
}
