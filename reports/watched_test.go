package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/investigate"
)

// TestWatched: what a watch cannot know is open, and it is said which logs would show more, of the last changes of the holder.
func TestWatched(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := &investigate.Story{Processes: []investigate.Process{{Name: "a"}}}
	for i := range 8 {
		s.Writes = append(s.Writes, investigate.Write{Received: noon.Add(time.Duration(i) * time.Hour)})
		s.Terms = append(s.Terms, investigate.Term{Holder: string(rune('a' + i)), First: i, Last: i, Worked: investigate.Span{Start: investigate.Instant{High: noon}}})
		if i > 0 {
			s.Pairs = append(s.Pairs, investigate.Pair{Old: i - 1, New: i, Worked: investigate.Judgement{Verdict: investigate.Certain}})
		}
	}
	x := LockStory{Story: s}
	x.Watched()
	assert.Equal(t, investigate.Possible, s.Pairs[0].Worked.Verdict)
	assert.Zero(t, s.Terms[0].Worked.Start)
	assert.Empty(t, s.Processes)
	assert.Len(t, s.Notes, 1+mostWanted)
	assert.Equal(t, "Whether g and h worked at once, and why the former led no longer, is in the logs of both pods and the audit log (level RequestResponse) "+
		"from 2026-03-01 17:59:00.000 to 2026-03-01 19:01:00.000, if anywhere.", s.Notes[mostWanted])
}

// TestReleasedAndHeldAgain: a holder that releases the lock and holds it again is no change of the holder, in the story and in its outline.
func TestReleasedAndHeldAgain(t *testing.T) {
	possible := investigate.Judgement{Verdict: investigate.Possible}
	x := LockStory{Story: &investigate.Story{
		Terms: []investigate.Term{{Holder: "a"}, {Holder: "a"}, {Holder: "b"}},
		Pairs: []investigate.Pair{{Old: 0, New: 1, Worked: possible}, {Old: 1, New: 2, Worked: possible}},
	}}
	all, left := x.Open(5)
	assert.Len(t, all, 1)
	assert.Zero(t, left)
	assert.Equal(t, "not known at 1 change of the holder", x.Outcome())
	x.Outline()
	assert.Equal(t, "not known at 1 change of the holder", x.Outcome())
}

// TestNoOtherHolder: where the record's count says that the holder changed, and one holder alone is logged, the head does not say that none changed.
func TestNoOtherHolder(t *testing.T) {
	x := LockStory{Story: &investigate.Story{Terms: []investigate.Term{{Holder: "a"}}}}
	assert.Equal(t, "no change of the holder is logged", x.Outcome())
	x.Transitions.Least = 1
	assert.Equal(t, "no other holder is logged", x.Outcome())
}
