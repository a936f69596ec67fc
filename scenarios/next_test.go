package scenarios

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
)

// TestNext: how long guarded work overlaps in the scenarios of client-go-next, and in the same of client-go. 0: not at all.
func TestNext(t *testing.T) {
	for name, want := range map[string]map[string]time.Duration{
		"next-slow-drain":       {"client-go-next": 0, "client-go": 7596 * time.Millisecond},
		"next-callback-returns": {"client-go-next": 5412 * time.Millisecond, "client-go": 0, "strict": 0},
		"next-wipes-successor":  {"client-go-next": 8710 * time.Millisecond, "strict": 0},
	} {
		for profile, overlap := range want {
			t.Run(name+" "+profile, func(t *testing.T) {
				s, err := Named(name)
				require.NoError(t, err)
				for i := range s.Candidates {
					known := false
					s.Candidates[i].Profile, known = machine.ProfileNamed(profile)
					require.True(t, known)
				}
				r, err := Run(s, Options{})
				require.NoError(t, err)
				assert.EqualValues(t, overlap, property(t, r, check.SingleWork).OverlapNs)
				assert.Equal(t, check.Held, property(t, r, check.SingleRecord).Verdict)
			})
		}
	}
}

// TestNextWipesTheSuccessor: b and c work at once, and neither was touched by a fault.
func TestNextWipesTheSuccessor(t *testing.T) {
	work := property(t, runNamed(t, "next-wipes-successor"), check.SingleWork)
	require.Len(t, work.Violations, 2)
	assert.Equal(t, []string{"b", "c"}, work.Violations[1].Candidates)
}
