package text

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/reporttest"
	"interregnum/internal/trace"
)

func picturesOf(t *testing.T, name string, s *story) {
	r := s.run()
	for _, width := range []int{60, 100, 160} {
		var b strings.Builder
		require.NoError(t, Timeline(&b, s.timeline, r.Result, width))
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), width, line)
		}
		reporttest.Golden(t, fmt.Sprintf("%s-%d.txt", name, width), b.String())
	}
}

func TestPictures(t *testing.T) {
	picturesOf(t, "late-ack", lateAck("a", "b", "c"))
	picturesOf(t, "late-ack-pods", lateAck("manager-7f9c8d-x2x4q", "manager-7f9c8d-b8k2m", "manager-7f9c8d-zz9pl"))
}

func TestText(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Run(&b, lateAck("a", "b", "c").run(), 100))
	reporttest.Golden(t, "late-ack-result.txt", b.String())
}

// TestRichPicture has one of everything: faults of all kinds, drains, frozen processes, a released
// record, instants.
func TestRichPicture(t *testing.T) {
	picturesOf(t, "rich", rich())
}

func TestSharedIdentity(t *testing.T) {
	s := newStory(30*time.Second, nil, "one", "two")
	for c := range int32(2) {
		s.starts(0, c, "same")
		s.at(1, trace.BeliefBegan, c)
		s.at(1, trace.WorkStarted, c)
	}
	for k := range 15 {
		s.writes(time.Duration(k)*2*time.Second+1, int32(k%2), "same")
	}
	picturesOf(t, "shared", s)
}

// TestManyCandidates shows twelve of ten thousand: those who were part of a violation, then who led.
func TestManyCandidates(t *testing.T) {
	ids := make([]string, 10_000)
	for i := range ids {
		ids[i] = fmt.Sprintf("pod-%04d", i)
	}
	s := newStory(10*365*24*time.Hour, nil, ids...)
	for i := range ids {
		s.starts(0, int32(i), ids[i])
	}
	year := 365 * 24 * time.Hour
	for i, c := range []int32{7, 123, 9_000, 9_999} {
		at := time.Duration(i*2+1) * year
		s.writes(at, c, ids[c])
		s.at(at, trace.WorkStarted, c)
		if i > 0 {
			s.at(at+2*time.Hour, trace.WorkEnded, []int32{7, 123, 9_000}[i-1])
		}
	}
	picturesOf(t, "many", s)
}

// TestShortHorizon is a run of nanoseconds.
func TestShortHorizon(t *testing.T) {
	s := newStory(40, nil, "a", "b")
	s.starts(0, 0, "a")
	s.starts(3, 1, "b")
	s.writes(5, 0, "a")
	s.at(5, trace.WorkStarted, 0)
	s.at(6, trace.WorkEnded, 0)
	s.writes(17, 1, "b")
	s.at(18, trace.WorkStarted, 1)
	picturesOf(t, "nanoseconds", s)
}
