package reports_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports"
)

// TestWorstFirst: the table of locks begins with the worst, and how many stand how is said above it.
func TestWorstFirst(t *testing.T) {
	lockOf := func(name string, verdict investigate.Verdict, losses int) reports.LockStory {
		s := &investigate.Story{Lock: evidence.Lock{Resource: "leases", Namespace: "n", Name: name}, Terms: []investigate.Term{{Holder: "a"}, {Holder: "b"}}}
		s.Losses = make([]investigate.Loss, losses)
		if verdict != "" {
			s.Pairs = []investigate.Pair{{New: 1, Worked: investigate.Judgement{Verdict: verdict}}}
		}
		return reports.LockStory{Story: s, Figures: investigate.Figures{GapAfter: -1}}
	}
	v := &reports.Investigation{Evidence: &evidence.Evidence{}, Locks: []reports.LockStory{
		lockOf("a", investigate.Impossible, 1), lockOf("b", "", 0), lockOf("c", investigate.Possible, 1), lockOf("d", investigate.Possible, 4), lockOf("e", investigate.Certain, 1),
	}}
	var names []string
	for _, r := range v.Table().Rows {
		names = append(names, r[0]+" "+r[1])
	}
	assert.Equal(t, []string{"n/e CERTAIN at 1", "n/d not known at 1", "n/c not known at 1", "n/b no change logged", "n/a impossible at 1"}, names)
	assert.Equal(t, "5 locks. Two worked at once: CERTAIN for 1, not known for 2, no change logged for 1, impossible for 1", v.Standings())
}

// TestReleasedWithoutAWord: that a term ended by a release is told, also if nothing logged shows whose that was.
func TestReleasedWithoutAWord(t *testing.T) {
	p := partOf(0)
	record := *p.Evidence.Requests[10].Wrote
	record.Holder = ""
	p.Evidence.Requests[10].Wrote, p.Evidence.Requests[10].Saw = &record, &record
	x, err := reports.NewLockStory(p, &investigate.Options{})
	require.NoError(t, err)
	all := x.Endings(len(x.Terms))
	require.Len(t, all, 1)
	assert.Equal(t, investigate.Unknown, all[0].Cause)
	assert.Contains(t, all[0].Chain[1].Text, "released")
}
