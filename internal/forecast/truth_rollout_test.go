package forecast_test

import (
	"math"
	"time"

	"interregnum/internal/behaviour"
)

// rolloutCases are rollouts of one process, once a day, and drains of its node. A new process starts in 5 s. docs/method/forecast-truth.md derives
// the gaps.
func rolloutCases() []truthCase {
	const start = 5 * sec
	rate := 1 / day.Seconds()
	of := func(name string, e behaviour.Episode, replicas int, gap chances) truthCase {
		e.Every, e.Lasts, e.Rolling.Grace = day, behaviour.Constant(start), 30*sec
		return truthCase{name: name, question: asked(replicas, episodes(e)), truths: []truth{
			{losses, 0, 0}, {restarts, 0, 0}, {leaderless, rate * gap.mean(), 0.003}, {gapP50, gap.quantile(0.5), 0.003},
			{gapP99, gap.quantile(0.99), 0.005}}}
	}
	before := behaviour.Episode{Kind: behaviour.Rollout, On: behaviour.Everybody} // one may be more, none may be missing
	after := before
	after.Rolling.Surge, after.Rolling.Unavailable = new(0), new(1)
	drain := behaviour.Episode{Kind: behaviour.NodeDrain, On: behaviour.Leader}
	// The next look of a process comes a jittered retry after the one that found the lock held.
	look := evenly(time.Duration(math.Round(jitterFactor * float64(2*sec)))).after(2 * sec)
	cases := []truthCase{
		of("rollout, the new one first", before, 1, renamed(0)),
		of("rollout, the old one first", after, 1, renamed(start)),
		of("rollout, the new one first, releases", before, 1, look.after(3*trip)),
		of("rollout, the old one first, releases", after, 1, chances{1}.after(start+2*trip)),
		of("node drained, one replica", drain, 1, renamed(start)),
		// The drained process is back before the other one leads, and now and then it leads sooner.
		of("node drained, two replicas", drain, 2, takeover(15*sec, 2*sec, trip).plus(evenly(cycle).back(cycle)).after(-cycle).sooner(renamed(start))),
	}
	releasing(&cases[2].question)
	releasing(&cases[3].question)
	return cases
}
