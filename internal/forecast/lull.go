package forecast

import (
	"time"

	"interregnum/internal/behaviour"
)

// lull is the middle of a long outage, which is not simulated, since nothing changes in it: nobody leads, or one leads whose term
// never ends, and all go on asking. A gap goes on in it, and so do requests.
type lull struct {
	// at is when the lull comes, in the time of the window, in which it takes no time. It is longer by lasts. If lasts is 0, there
	// is no lull.
	at, lasts time.Duration
	// like is for how long before at all is as it is in the lull.
	like time.Duration
}

// shorten gives the window w, which must have an episode, a lull if its only episode is a long outage that is on everybody,
// and it replays no recording: it ends the episode, and the window, by so much sooner. What the outage does has come to rest
// by then. A stall is left as it is: where clients have no timeout they ask so seldom that it matters when in the stall they
// do.
func (s *setting) shorten(w *window) {
	h := &w.episodes[0]
	rests, like := s.settle, s.settle
	if s.Restart != nil {
		rests += s.Restart.At(longest)
	}
	lasts := h.until - h.from - rests - 2*like
	if len(w.episodes) > 1 || w.blocks != nil || h.Kind != behaviour.Outage || h.On != behaviour.Everybody || lasts <= 0 {
		return
	}
	w.lull = lull{at: h.from + rests + like, lasts: lasts, like: like}
	h.until -= lasts
	w.to -= lasts
}

// passes returns how much time passes from one time of the window to another: a lull that lies between them counts.
func (l *lull) passes(from, to time.Duration) time.Duration {
	if from < l.at && l.at <= to {
		return to - from + l.lasts
	}
	return to - from
}

// times returns for how many requests one counts that is sent at the time at: in the time that is like the lull it stands for those of
// the lull too.
func (l *lull) times(at time.Duration) float64 {
	if l.lasts > 0 && l.at-l.like <= at && at < l.at {
		return 1 + l.lasts.Seconds()/l.like.Seconds()
	}
	return 1
}
