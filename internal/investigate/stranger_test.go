package investigate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// strange makes all lines of the logs those of another client.
func (l *logs) strange() *logs {
	for i := range l.e.Sayings {
		l.e.Sayings[i].Client = "fabric8"
	}
	return l
}

// TestStrangers: from lines of other clients than client-go nothing follows where writes are logged. Where none is, they are told as what the log says.
func TestStrangers(t *testing.T) {
	for name, c := range map[string]struct {
		l    *logs
		want Verdict
	}{
		"certain":    {frozen(40, deadline), Certain},
		"impossible": {frozen(20, canceled), Impossible},
	} {
		s, err := Tell(&c.l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, s.Pairs[0].Worked.Verdict, name)
		bare := *c.l
		bare.e.Sayings = nil
		want, err := Tell(&bare.e, lock, nil)
		require.NoError(t, err)
		got, err := Tell(&c.l.strange().e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, Possible, got.Pairs[0].Worked.Verdict, name)
		assert.Equal(t, want.Pairs, got.Pairs, name)
		assert.Equal(t, want.Losses, got.Losses, name)
		assert.Empty(t, got.Offsets, name)

		c.l.e.Requests = nil
		got, err = Tell(&c.l.e, lock, nil)
		require.NoError(t, err)
		var signs []Sign
		for _, x := range got.Sightings {
			signs = append(signs, x.Sign)
		}
		assert.ElementsMatch(t, []Sign{Acquired, GaveUp, Acquired}, signs, name)
	}
}

// TestStrangersBeside: a line of another client in a log does not change what the others show.
func TestStrangersBeside(t *testing.T) {
	l := frozen(40, deadline)
	line := l.e.Sayings[0]
	line.Client, line.Step, line.Line = "Python", evidence.Failed, 1
	l.e.Sayings = append(l.e.Sayings, line)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Pairs[0].Worked.Verdict)
}

// TestStrangersObjects: an object shows the time of its stamp alone if a log has another client's words about its lock: that the record named nobody else since it
// was acquired is so for client-go.
func TestStrangersObjects(t *testing.T) {
	for client, want := range map[string]float64{"": 0, "Python": 600} {
		l := newLogs()
		l.say("a", 5, evidence.Acquired, acquires)
		l.e.Sayings[0].Client = client
		l.e.Snapshots = []evidence.Snapshot{{Lock: lock, Record: evidence.Record{Holder: "a", Acquire: after(0), Renew: after(600)}}}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		for _, x := range s.Sightings {
			if x.Sign == Held {
				assert.Equal(t, after(want), x.First.Low, client)
				assert.Equal(t, after(600), x.Last.Low, client)
			}
		}
	}
}
