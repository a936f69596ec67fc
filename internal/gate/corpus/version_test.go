package corpus

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// TestVersions: words of a version give what its newest version does, and whether all of the range do the same, without a release and with one.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		words           string
		profile         machine.Profile
		minor           int
		alike, released bool
	}{
		{"", machine.ClientGo, 0, false, false},
		{"v0.37.2", machine.ClientGo, 0, true, true},
		{"v0.36.3", machine.ClientGo, 36, true, true},
		{"from v0.33", machine.ClientGo, 0, true, false},
		{"from v0.32", machine.ClientGo, 0, false, false},
		{"v0.34 to v0.36", machine.ClientGo, 36, true, true},
		{"v0.31.3", machine.ClientGo, 31, true, true},
		{"v0.29.11", machine.ClientGoV024, 29, true, true},
		{"v0.23 to v0.27", machine.ClientGoV024, 27, true, false},
		{"v0.18 to v0.25", machine.ClientGoV024, 0, true, true},
		{"a copy of v0.21 to v0.23", machine.ClientGoV024, 0, false, false},
		{"about v0.36.2", machine.ClientGo, 36, false, false},
		{"before v0.24", machine.ClientGoV024, 0, false, false},
		{"before v0.18", machine.ClientGoV017, 0, true, true},
	} {
		v, err := readVersion(c.words)
		require.NoError(t, err, c.words)
		set := bound.Config{Timings: machine.Timings{LeaseDuration: 15 * time.Second}}
		v.set(&set)
		assert.Equal(t, c.profile, set.Profile, c.words)
		assert.Equal(t, c.minor, set.Minor, c.words)
		assert.Equal(t, c.alike, v.alike(15*time.Second, false), c.words)
		assert.Equal(t, c.released, v.alike(15*time.Second, true), c.words)
	}
	v, err := readVersion("v0.26 to v0.27")
	require.NoError(t, err)
	assert.False(t, v.alike(1500*time.Millisecond, false), "the record has a second")
	for _, words := range []string{"0.37", "v1.2", "before", "v0.27 to v0.23", "from v0.38", "v0.38.0"} {
		_, err := readVersion(words)
		assert.Error(t, err, words)
	}
}
