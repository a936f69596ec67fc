package forecast_test

import (
	"math"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// messageCases are those in which messages go wrong for a while, for everybody.
func messageCases() []truthCase {
	on := func(kind behaviour.Kind, lasts time.Duration) behaviour.Behaviour {
		return episodes(behaviour.Episode{Kind: kind, Every: day, Lasts: behaviour.Constant(lasts), On: behaviour.Everybody})
	}
	// lastRefused is when the last request of a poll leaves, the read of its fifth attempt, if each is refused after a round trip.
	lastRefused := 8 + trip.Seconds()
	// oneIn is a case with one candidate, which loses the lock in that share of the episodes, and then leads again after gap.
	oneIn := func(name string, b behaviour.Behaviour, share, gap float64, runs int) truthCase {
		rate := share / day.Seconds()
		truths := []truth{{losses, rate, 5e-4}, {leaderless, rate * gap, 2e-3}}
		if share > 0 {
			truths = append(truths, truth{gapP50, gap, 0.01})
		}
		return truthCase{name: name, question: asked(1, b), truths: truths, runs: runs}
	}
	half := 1 / cycle.Seconds()
	// soon is for how long after the beginning of one of these episodes a second one may lose the lock together with it.
	const soon = 15 * sec
	// twice is a case in which a second episode may go on when the lock is lost.
	twice := func(c truthCase, last, lasts float64, more func(left float64) float64) truthCase {
		c.truths[1].is += again(last, lasts, more) / day.Seconds()
		c.second = soon
		return c
	}
	tries := func(timeout float64) func(float64) float64 {
		return func(left float64) float64 { return retriedIn(left, timeout) }
	}
	givenUp := func(float64) float64 { return plan.LongestStall.Seconds() + 2*(1+jitterFactor/2) }
	timed := oneIn("stall of 10 s, timeout", on(behaviour.Stall, 10*sec), half, 0.02, 10_000)
	timed.question.Candidate.RequestTimeout = 3 * sec
	slow := on(behaviour.Brownout, sec)
	slow.Episodes[0].Factor = 1500
	// One outage of 7 s never loses the lock. Two that begin 1 to 9 s apart do, as docs/method/forecast-truth.md says.
	twins := truthCase{name: "outage of 7 s", question: asked(1, on(behaviour.Outage, 7*sec)), runs: 5000, second: soon,
		truths: []truth{{losses, 5.975 / (day.Seconds() * day.Seconds()), 0.02}}}
	// All requests are refused in a brownout: that is an outage.
	refusing := on(behaviour.Brownout, 30*sec)
	refusing.Episodes[0].RoundTrip, refusing.Episodes[0].Errors = new(behaviour.Constant(trip)), []behaviour.Error{{Status: 503, Probability: 1}}
	refused := longOutage(refusing)
	refused.name = "brownout of 30 s, all refused"
	return []truthCase{
		twins, refused,
		twice(oneIn("outage of 9 s", on(behaviour.Outage, 9*sec), half-trip.Seconds()/cycle.Seconds(), 0.02, 10_000), lastRefused, 9, tries(0)),
		longOutage(on(behaviour.Outage, 30*sec)),
		oftenOutage(),
		twice(oneIn("stall of 1 s", on(behaviour.Stall, sec), half, 0.02, 10_000), 0, 1, givenUp),
		twice(oneIn("stall of 5 s", on(behaviour.Stall, 5*sec), 1, 0.02, 5000), 0, 5, givenUp),
		twice(timed, 9, 10, tries(3)),
		twice(oneIn("brownout of 1 s", slow, half, 0.02, 10_000), 0, 1, func(float64) float64 { return 15 }),
	}
}

// again returns by how much longer nobody leads on average after an episode of a day, since a second one, that long, may go on when the lock is
// lost, RenewDeadline after the poll has begun. The poll's last attempt begins last after the poll has. If the first episode has all attempts,
// what is left of the second one is even up to the whole; if it lacks the last attempt, which the second one has then, less is left. more
// is how much longer it takes with so much left. Times are in seconds.
func again(last, lasts float64, more func(left float64) float64) float64 {
	upTo := func(most float64) (sum float64) {
		const steps = 100
		for i := range steps {
			sum += more(most*(float64(i)+0.5)/steps) * max(0, most) / steps
		}
		return sum
	}
	alone := min(1, (lasts-last)/cycle.Seconds())
	return (alone*upTo(lasts) + (1-alone)*upTo(lasts-(10-last))) / day.Seconds()
}

// retriedIn returns when a candidate that begins to acquire now, in an episode of which so much is left, has its first attempt after it. One
// fails after timeout, and the next one comes RP (1 + 1.2 U) later. Times are in seconds.
func retriedIn(left, timeout float64) float64 {
	tries := firstFrom(time.Duration(max(0, left-timeout)*float64(sec)), 2*sec, time.Duration(timeout*float64(sec)))
	return timeout + tries.mean()
}

// retried returns the time from when a candidate begins to look in vain, at an instant that is even in [from - cycle, from) before
// the end of an outage, until it leads: the first look after the outage, and two round trips.
func retried(from time.Duration) (gap, excess chances) {
	const step = 10 * ms
	gap = make(chances, millis(from)+5000)
	excess = make(chances, 5000)
	share := float64(step) / float64(cycle)
	for begin := step / 2; begin < cycle; begin += step {
		first := firstFrom(from-begin, 2*sec, 0)
		for t, p := range first {
			gap[t] += p * share
			if late := t - millis(from-begin); late >= 0 {
				excess[late] += p * share
			}
		}
	}
	return gap.after(2 * trip), excess.after(2 * trip)
}

// longOutage: the leader gives up 10 s after its first poll in the outage has begun, and from then on looks in vain. What is left
// of the outage then is 20 s at most.
func longOutage(b behaviour.Behaviour) truthCase {
	gap, _ := retried(20 * sec)
	rate := 1 / day.Seconds()
	return truthCase{name: "outage of 30 s", question: asked(1, b), runs: 2000, truths: []truth{
		{losses, rate, 0.001}, {leaderless, rate * gap.mean(), 0.003}, {gapP50, gap.quantile(0.5), 0.003},
		{gapP99, gap.quantile(0.99), 0.005}}}
}

// oftenOutage: outages of 30 s begin every 5 minutes on average, and run into each other. The lock is lost once in each unbroken
// spell of outages, unless the leader of before has not come back since the last one.
func oftenOutage() truthCase {
	const every, lasts = 300.0, 30.0
	const rate = 1 / every
	_, excess := retried(20 * sec)
	back := excess.decayed(rate) // the probability that the lock is taken before the next outage begins
	losing := rate * math.Exp(-rate*lasts) * back
	leads := every + cycle.Seconds()/2 + 10 // from taking the lock until losing it
	b := episodes(behaviour.Episode{Kind: behaviour.Outage, Every: 300 * sec, Lasts: behaviour.Constant(30 * sec),
		On: behaviour.Everybody})
	return truthCase{name: "outages for a tenth of the time", question: asked(1, b), runs: 100, length: 20 * hour,
		truths: []truth{{losses, losing, 0.003}, {leaderless, 1 - leads*losing, 0.005}}}
}

// processCases are those in which the leader's process stands still or ends.
func processCases() []truthCase {
	leader := func(kind behaviour.Kind, lasts time.Duration) behaviour.Behaviour {
		return episodes(behaviour.Episode{Kind: kind, Every: day, Lasts: behaviour.Constant(lasts), On: behaviour.Leader})
	}
	rate := 1 / day.Seconds()
	// vacant is the time without a leader if the leader is gone from an instant on that is even between two of its writes.
	vacant := takeover(15*sec, 2*sec, trip).plus(evenly(cycle).back(cycle)).after(-cycle)
	nobody := func(name string, b behaviour.Behaviour, replicas int, gap chances, lost float64) truthCase {
		return truthCase{name: name, question: asked(replicas, b), runs: 2000, truths: []truth{
			{losses, lost, 0.001}, {leaderless, rate * gap.mean(), 0.003}, {gapP50, gap.quantile(0.5), 0.003},
			{gapP99, gap.quantile(0.99), 0.005}}}
	}
	three := takeover(15*sec, 2*sec, trip).least().plus(evenly(cycle).back(cycle)).after(-cycle)
	released := nobody("told to stop, releases", leader(behaviour.Shutdown, 60*sec), 2, nextLook(2*sec, trip).after(3*trip), 0)
	releasing(&released.question)
	// If the other one is told to stop too, before the first is back after 60 s, nobody leads for the rest of these.
	const away = 60.0
	released.truths[1].is += rate * rate * away * away / 2
	both := nobody("told to stop, releases, three replicas", leader(behaviour.Shutdown, 60*sec), 3,
		nextLook(2*sec, trip).least().after(3*trip), 0)
	releasing(&both.question)
	alone := nobody("crash, one replica", leader(behaviour.Crash, 10*sec), 1, renamed(10*sec), rate)
	one := leader(behaviour.Crash, 60*sec)
	one.Episodes[0].On = behaviour.One
	either := nobody("crash of either of two", one, 2, vacant, rate/2)
	either.truths[1].is /= 2
	for _, c := range []*truthCase{&alone, &either} {
		c.truths = append(c.truths, truth{restarts, rate, 0.001})
	}
	return []truthCase{
		alone, either, nobody("crash, two replicas", leader(behaviour.Crash, 60*sec), 2, vacant, rate),
		nobody("crash, three replicas", leader(behaviour.Crash, 60*sec), 3, three, rate),
		nobody("told to stop, no release", leader(behaviour.Shutdown, 60*sec), 2, vacant, 0),
		released, both,
		pauseCase(leader(behaviour.Pause, 17*sec), vacant),
	}
}

// pauseCase: the other candidate takes over in a pause that outlasts its wait. The old leader, once it wakes, tries for RenewDeadline
// to get the lock back.
func pauseCase(b behaviour.Behaviour, vacant chances) truthCase {
	const lasts = 17 * sec
	taken := vacant.below(lasts)
	length := 0.0
	for t, p := range vacant[:millis(lasts)] {
		length += p / taken * ((lasts + 10*sec).Seconds() - (float64(t)+0.5)/1000)
	}
	rate := taken / day.Seconds()
	return truthCase{name: "pause of 17 s", question: asked(2, b), runs: 2000, truths: []truth{
		{losses, rate, 0.01}, {overlaps, rate, 0.01}, {overlapLength, length, 0.005}, {leaderless, 0, 0}}}
}
