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

func TestMatching(t *testing.T) {
	found, err := Matching("migrate-*-to-leases")
	require.NoError(t, err)
	require.Len(t, found, 2)
	assert.Equal(t, "migrate-configmaps-to-leases", found[0].Name)
	_, err = Matching("x*")
	assert.ErrorContains(t, err, `no scenario that ships matches "x*"`)
	_, err = Matching("migrate-[")
	assert.ErrorContains(t, err, "is not a pattern")
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
