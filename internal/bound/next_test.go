package bound

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// TestNext: client-go-next has the bound of client-go where it does the same, and no bound where it does not.
func TestNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		next := *c
		c.Profile, next.Profile = machine.ClientGo, machine.ClientGoNext
		if Refused(c) != nil {
			return
		}
		want, err := Of(c, e)
		require.NoError(t, err)
		got, err := Of(&next, e)
		if c.ReleaseOnCancel && !c.Lock.Expires() {
			require.ErrorIs(t, err, ErrNoBound)
			return
		}
		require.NoError(t, err)
		assert.Equal(t, want, got)
	})
}
