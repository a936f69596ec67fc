package investigate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestUnsure: of a lock about which a log has requests whose times are not those of one clock nothing is certain or impossible, no cause is told that
// needs a time, and no time between two writes is a figure. What the versions show stays.
func TestUnsure(t *testing.T) {
	for name, c := range map[string]struct {
		l    *logs
		want Verdict
	}{
		"certain":    {frozen(40, deadline), Certain},
		"impossible": {frozen(20, canceled), Impossible},
	} {
		sure, err := Tell(&c.l.e, lock, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, sure.Pairs[0].Worked.Verdict, name)
		require.NotEqual(t, -1, Count(&c.l.e, sure).GapAfter, name)

		c.l.e.Sources[0].Unsure, c.l.e.Sources[0].OneTime = "The clock is not known.", true
		s, err := Tell(&c.l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, Possible, s.Pairs[0].Worked.Verdict, name)
		assert.Equal(t, Possible, s.Pairs[0].Believed.Verdict, name)
		assert.Equal(t, Unknown, s.Losses[0].Cause, name)
		assert.True(t, s.Several, name)
		assert.Contains(t, strings.Join(s.Notes, " "), "The clock is not known. Nothing is certain, and nothing impossible.", name)
		assert.Len(t, s.Terms, len(sure.Terms), name)
		f := Count(&c.l.e, s)
		assert.Equal(t, -1, f.GapAfter, name)
		assert.Nil(t, f.Slowest, name)
		for _, p := range s.Processes {
			assert.True(t, p.Untimed, name)
		}
	}
}

// TestUnsureReads: the same holds where only reads of the lock are of such a log. Trouble that such a log has about other locks is none of this one's.
func TestUnsureReads(t *testing.T) {
	l := frozen(40, deadline)
	l.e.Sources = append(l.e.Sources, evidence.Source{File: "gke", Kind: evidence.Audit, Unsure: "The clock is not known."})
	other := l.e.Requests[0]
	other.Source, other.Lock.Name, other.Status, other.Wrote, other.Saw = len(l.e.Sources)-1, "other", 500, nil, nil
	l.e.Requests = append(l.e.Requests, other)
	for _, p := range Parts(&l.e) {
		assert.Empty(t, p.Evidence.Elsewhere)
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Pairs[0].Worked.Verdict)

	read := other
	read.Lock, read.Verb, read.Status = lock, "get", 200
	l.e.Requests = append(l.e.Requests, read)
	s, err = Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Possible, s.Pairs[0].Worked.Verdict)
}
