package explore

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/explore"
)

func TestTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var talk bytes.Buffer
		tell := progressOn(&talk)
		time.Sleep(terminal.TellEvery / 2)
		tell(explore.Progress{States: 1})
		require.Empty(t, talk.String())
		time.Sleep(terminal.TellEvery / 2)
		tell(explore.Progress{Faults: 2, States: 500, Frontier: 3, Next: 4})
		require.Equal(t, "2 faults: 500 states, 50/s, 3 to go on from, 4 with one more fault\n", talk.String())
	})
}
