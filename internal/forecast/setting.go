package forecast

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// MaxReplicas is how many candidates a forecast simulates at most.
const MaxReplicas = 20

// setting is a question, and what follows from it for all its windows.
type setting struct {
	*Question
	// warm is how long a window runs before it is measured. settle is how long it is measured after its last episode. runOut is
	// how long it goes on at most after that until somebody leads again.
	warm, settle, runOut time.Duration
	// spread is a number of RetryPeriods over which the beginnings of windows are spread further, by three draws; it is 0 if
	// losses are rare. If losses are not rare and little is left to chance, they come at nearly equal intervals, which no warm-up
	// would end.
	spread int
	// long is the median round trip if it is no shorter than RetryPeriod, so that polls are farther apart; otherwise 0.
	long time.Duration
	// settled: losses are rare, so that somebody leads when a window begins.
	settled bool
	// lasts is how long a leader goes on whose requests get no more answers, from its last success to the end of its term; 0 if
	// nobody led when this was learned. endless: its term never ends then, as with profiles that lead until they read another's
	// record. lasts is then the time until others have taken the lock and two more attempts were made.
	lasts   time.Duration
	endless bool
	// rate is how many episodes begin per second, of all sorts.
	rate float64
	// single are the errors of single requests outside of brownouts.
	single failures
	// slow is the 99th percentile of usual round trips.
	slow time.Duration
	// late has the chances of what an overlap needs, and usualLate the same in usual times.
	late, usualLate slowAttempts
	// soonest is how long after the beginning of a leader's last successful attempt another candidate can take the lock, at the
	// soonest. If leases are so short that usual answers are later than that, it is LeaseDuration, and overtaken is the chance, in
	// usual times, of an attempt so slow that the lock may be taken before. Otherwise overtaken is 0, as it is without a second
	// replica.
	soonest   time.Duration
	overtaken float64
	// replay is what is known of the behaviour's recording, nil without one.
	replay *replay
}

// mostOften bounds how many episodes there are on average that have not settled. A window goes on until there are none, which
// takes exp(mostOften) times as long as from one episode to the next (Takács: Introduction to the Theory of Queues, 1962, of a
// busy period with any number of servers).
const mostOften = 7

// mostPolls bounds how many polls an episode lasts: a window of that many takes seconds to simulate, and there are hundreds of
// windows.
const mostPolls = 1_000_000

// newSetting returns the setting of a question. It runs one window to learn from, and prepares the replay of a recording if the
// behaviour has one. It returns an error that says what in the question cannot be simulated.
func newSetting(q *Question) (*setting, error) {
	s := &setting{Question: q, single: failuresOf(q.Behaviour.Errors), slow: q.Behaviour.RoundTrip.At(0.99)}
	if q.Replicas < 1 || q.Replicas > MaxReplicas {
		return nil, fmt.Errorf("%d replicas: want 1 to %d", q.Replicas, MaxReplicas)
	}
	if err := q.beyond(); err != nil {
		return nil, err
	}
	if s.slow > behaviour.LongestTrip {
		return nil, fmt.Errorf("one answer in a hundred takes longer than %v: want %v at most", s.slow.Round(time.Second), behaviour.LongestTrip)
	}
	filled := 0.0
	for i := range q.Behaviour.Episodes {
		e := &q.Behaviour.Episodes[i]
		if polls := e.Lasts.At(0.9999) / max(1, q.Candidate.RetryPeriod); polls > mostPolls {
			return nil, fmt.Errorf("an episode (%s) that lasts %v takes %d polls of %v, in each of many windows: want %v at most", e.Kind, e.Lasts.At(0.9999).Round(time.Second),
				polls, q.Candidate.RetryPeriod, mostPolls*q.Candidate.RetryPeriod)
		}
		s.rate += e.Rate()
		filled += e.Rate() * e.Lasts.Mean().Seconds()
	}
	if filled > behaviour.Fullest {
		return nil, fmt.Errorf("episodes fill %.0f %% of all time: want %.0f %% at most, since nothing would be usual then",
			100*filled, 100*behaviour.Fullest)
	}
	c := &q.Candidate
	// Whole retry periods, so that windows of several timings meet like phases of a poll where they are compared.
	s.warm = 24*c.RetryPeriod + roundUp(3*c.LeaseDuration+4*s.slow, c.RetryPeriod)
	s.settle = 2*c.LeaseDuration + 2*c.RenewDeadline + 4*c.RetryPeriod + c.Drain
	if q.Restart != nil {
		s.settle += q.Restart.At(0.99)
	}
	if trip := q.Behaviour.RoundTrip.At(0.5); trip >= c.RetryPeriod {
		s.long = trip
	}
	if often := s.rate*s.settle.Seconds() + filled; often > mostOften {
		return nil, fmt.Errorf("episodes come every %v on average, and after one it takes %v until all has settled: want one in %v at most, since no time is usual otherwise",
			time.Duration(1e9/s.rate).Truncate(time.Millisecond), s.settle, time.Duration(float64(s.settle)/(mostOften-filled)).Round(100*time.Millisecond))
	}
	s.runOut = 20*s.settle + 100*s.slow
	if q.Restart != nil {
		s.runOut += 2 * q.Restart.At(longest)
	}
	if err := s.learn(); err != nil || q.Behaviour.Recorded == nil {
		return s, err
	}
	var err error
	s.replay, err = newReplay(s)
	return s, err
}

// beyond returns an error if something in the question would end a candidate's Run by an exception of its client, which is not
// simulated; otherwise nil. In C# this is an error of the connection (LeaderElector.cs). In Python it is an error of the
// connection too, or an answer that is no JSON (leaderelection.py).
func (q *Question) beyond() error {
	client := q.Candidate.Profile.Client
	if client != machine.OfPython && client != machine.OfCSharp {
		return nil
	}
	no := func(what string) error {
		return fmt.Errorf("%s cannot be counted with profile %s: its client then throws an exception, which ends its run", what, q.Candidate.Profile.Name)
	}
	plain := func(all []behaviour.Error) error {
		for _, e := range all {
			if client == machine.OfPython && (e.Status == 429 || e.Status == 502) {
				return no(fmt.Sprintf("an error with status %d", e.Status))
			}
		}
		return nil
	}
	if err := plain(q.Behaviour.Errors); err != nil {
		return err
	}
	for i := range q.Behaviour.Episodes {
		e := &q.Behaviour.Episodes[i]
		if e.Kind == behaviour.Outage {
			return no("an outage")
		}
		if err := plain(e.Errors); err != nil {
			return err
		}
	}
	return nil
}

// longest is the quantile that stands for the longest value of a distribution, since a distribution need not have a longest one.
const longest = 1 - 1e-6

// roundUp returns the smallest multiple of step that is not below d.
func roundUp(d, step time.Duration) time.Duration { return (d + step - 1) / step * step }

// learn runs one window, and sets from it how long a leader goes on whose requests are no longer answered, and whether losses are
// rare. If losses are not rare, it makes the warm-up longer. Then it sets the chances of what an overlap needs. It returns an
// error if the window cannot be run.
func (s *setting) learn() error {
	begins := 2 * s.warm
	w := &window{from: begins, to: begins + s.settle, seed: 1, episodes: []happening{{
		Episode: &behaviour.Episode{Kind: behaviour.Stall, On: behaviour.Everybody}, from: begins, until: begins + 10*s.settle,
	}}}
	p := newPlay(s)
	if err := p.run(w, nil); err != nil {
		return err
	}
	if s.lasts = p.silence; s.lasts == 0 && p.leader >= 0 {
		s.lasts, s.endless = s.Candidate.LeaseDuration+2*s.Candidate.RetryPeriod, true
	}
	if s.settled = p.early == 0 && p.leader >= 0; !s.settled {
		s.spread = int(s.warm / s.Candidate.RetryPeriod)
		s.warm *= 8 // gaps may be many times as long as a lease
	}
	s.late = s.overlapping()
	calm := s.withoutEpisodes()
	s.usualLate = calm.overlapping()
	trips := &s.Behaviour.RoundTrip
	s.soonest = s.counted()
	if left := s.soonest - s.Candidate.RetryPeriod - s.slow; left <= 0 || trips.Above(2*left) > 0.01 {
		s.soonest = s.Candidate.LeaseDuration
		if s.Replicas > 1 {
			s.overtaken = calm.slowerThan((s.counted() - s.Candidate.RetryPeriod) / 2).renewal
		}
	}
	return nil
}

// plan returns the plan of a window's runs: the replicas, the processes that rollouts start, and the faults on processes. It has no
// horizon. When the replicas start depends on the window's seed. A replica that has lost the lock exits or, if nothing restarts it,
// stands again at once.
func (s *setting) plan(w *window) *plan.Plan {
	p := &plan.Plan{Seed: w.seed, Faults: s.faults(w)}
	r := rand.New(rand.NewPCG(w.seed, 1))
	for i := range s.Replicas {
		c := s.Candidate
		c.ID, c.Identity, c.Client = name(i), "", nil
		c.StartAt = time.Duration(r.Float64() * 2.2 * float64(c.RetryPeriod))
		c.OnLoss, c.Rejoin = plan.LossExit, nil
		if s.Restart == nil {
			c.OnLoss, c.Rejoin = plan.LossRejoin, new(time.Duration)
		}
		p.Candidates = append(p.Candidates, c)
	}
	for i := range p.Faults {
		for _, id := range p.Faults[i].To {
			c := p.Candidates[0]
			c.ID, c.StartAt = id, 0
			p.Candidates = append(p.Candidates, c)
		}
	}
	return p
}

// name returns the ID of the i-th replica, from 0: replica-1 and so on.
func name(i int) string { return "replica-" + strconv.Itoa(i+1) }
