package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLibrary(t *testing.T) {
	all, err := Library()
	require.NoError(t, err)
	names := libraryNames()
	require.Len(t, all, len(names))
	for i, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			assert.Equal(t, names[i], s.Name, "the file is named as the scenario")
			assert.NotEmpty(t, s.About)
			r, err := Run(s, Options{})
			require.NoError(t, err)
			assert.True(t, r.AsExpected, "%+v", r.Properties)
		})
	}
}

func TestNamed(t *testing.T) {
	s, err := Named("healthy-failover")
	require.NoError(t, err)
	assert.Equal(t, "healthy-failover", s.Name)

	for name, want := range map[string]string{
		"healthy-failovr":    `no scenario named "healthy-failovr" ships; did you mean healthy-failover`,
		"failover":           "did you mean healthy-failover",
		"qqqqqqqqqqqqqqqqqq": `no scenario named "qqqqqqqqqqqqqqqqqq" ships`,
		"":                   `no scenario named "" ships`,
		"../run":             "no scenario named",
	} {
		_, err := Named(name)
		assert.ErrorContains(t, err, want)
	}
}
