package forecast

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// window is a stretch of time that is simulated. Either it has some usual time, one or more episodes, and usual time until all
// has settled; or it has usual time alone.
type window struct {
	// from and to bound the measured time: what begins at from or later, and before to, counts.
	from, to time.Duration
	episodes []happening
	// blocks is the recording as the window meets it; nil if there is no recording.
	blocks *blocks
	seed   uint64
	lull   lull
}

// happening is one episode of a window.
type happening struct {
	*behaviour.Episode
	from, until time.Duration
	// takes is how long the episode lasts or, for a rollout, how long a new process takes to start.
	takes time.Duration
	// whom is the index of the replica that is affected, if the episode is on one replica.
	whom int
	// earlier is by how much longer ago the episode was than the window has it, since the window leaves out the calm after it; see
	// past. It is 0 in the measured time.
	earlier time.Duration
}

// stratum is a part of all windows. It has windows of usual times; or windows that begin with one sort of episode, of a length
// between two quantiles, and that have a further episode early, or none. All windows of a stratum together weigh as much as they
// come in reality.
type stratum struct {
	// episode is an index into Behaviour.Episodes, -1 for usual times.
	episode int
	// above and below are quantiles of the episode's length.
	above, below float64
	// further: another episode comes within the time of the stratum's shortest window. Two episodes at once are rare, and can do
	// what one alone does not.
	further bool
	// rate is how many such windows begin per second of usual time; for usual times themselves, how many fit into a second.
	rate float64
	// length is for how long such a window is measured on average, in seconds. It is 0 for usual times.
	length float64
	// region and cells belong to usual times that replay a recording. region says which windows they are, and cells are where in
	// the recording these begin.
	region region
	cells  []int32
}

// never is longer than any window. It stands for an episode that does not come.
const never = 100 * 365 * 24 * time.Hour

// usualPolls is for how many RetryPeriods one window of usual time is measured.
const usualPolls = 4

// edges are the quantiles that divide the lengths of episodes: long ones are rare and do most harm.
var edges = []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1}

// strata returns the strata of a setting, those of usual times first. Each sort of episode has two for each range of its length:
// without a further episode, and with one.
func (s *setting) strata() []stratum {
	all := []stratum{{episode: -1, rate: 1 / (usualPolls * s.Candidate.RetryPeriod.Seconds())}}
	if s.replay != nil {
		all = s.replay.strata()
	}
	for i := range s.Behaviour.Episodes {
		e := &s.Behaviour.Episodes[i]
		of := edges
		if e.Lasts.At(0) == e.Lasts.At(math.Nextafter(1, 0)) {
			of = []float64{0, 1}
		}
		for k := range len(of) - 1 {
			x := stratum{episode: i, above: of[k], below: of[k+1]}
			rate, share := e.Rate()*(x.below-x.above), s.followed(&x)
			x.rate = rate * (1 - share)
			all = append(all, x)
			x.further, x.rate = true, rate*share
			all = append(all, x)
		}
	}
	return all
}

// seed returns a number that no other stratum of the setting has, and that does not depend on the timings.
func (x *stratum) seed() uint64 {
	place := uint64(x.above * 1e6)
	if x.further {
		place += 1e7
	}
	return mix(uint64(x.episode+1), place)
}

// shortest returns the length of the shortest window that begins with an episode of the stratum.
func (s *setting) shortest(x *stratum) time.Duration {
	e := &s.Behaviour.Episodes[x.episode]
	return s.goesOn(e, e.Lasts.At(x.above)) + s.settle
}

// followed returns the probability that a further episode begins within the length of the stratum's shortest window.
func (s *setting) followed(x *stratum) float64 { return -math.Expm1(-s.rate * s.shortest(x).Seconds()) }

// next draws after how long, from the beginning of the window's episode, the first further episode comes: within the shortest
// window if x.further is true, and after it otherwise.
func (s *setting) next(x *stratum, r *rand.Rand) time.Duration {
	if x.further {
		return time.Duration(-math.Log1p(-r.Float64()*s.followed(x)) / s.rate * 1e9)
	}
	return s.shortest(x) + s.wait(r)
}

// wait draws the time from one episode to the next, which is at most never.
func (s *setting) wait(r *rand.Rand) time.Duration {
	return time.Duration(min(r.ExpFloat64()/s.rate, never.Seconds()) * 1e9)
}

// window returns a random window of the stratum. The same seed gives the same window. If its first episode is a rollout, what
// happened since the one before comes first. Of further episodes it leaves out a rollout that begins while another is under way.
func (s *setting) window(x *stratum, seed uint64) *window {
	r := rand.New(rand.NewPCG(seed, 2))
	w := &window{seed: seed}
	// The sum of three even draws lets all phases of a poll be met alike, whatever its length.
	w.from = s.warm + time.Duration(2*float64(s.Candidate.RetryPeriod+s.long)*(r.Float64()+r.Float64()+r.Float64()))
	for range 3 {
		w.from += time.Duration(r.Float64()*float64(s.spread)) * s.Candidate.RetryPeriod
	}
	if x.region != noRegion {
		s.replay.lay(x, w, r)
		return w
	}
	if x.episode < 0 {
		w.to = w.from + usualPolls*s.Candidate.RetryPeriod
		return w
	}
	if e := &s.Behaviour.Episodes[x.episode]; e.Kind == behaviour.Rollout && !e.Rolling.Leading {
		s.past(w)
	}
	if s.replay != nil {
		s.replay.anywhere(w, r)
	}
	first := s.happens(x.episode, w.from, x.above+(x.below-x.above)*r.Float64(), r)
	w.episodes = append(w.episodes, first)
	w.to = first.until + s.settle
	for at := w.from + s.next(x, r); at < w.to; at += s.wait(r) {
		h := s.happens(s.sort(r.Float64()), at, r.Float64(), r)
		if h.Kind == behaviour.Rollout {
			if last := w.begun(at, behaviour.Rollout); last != nil && at < s.over(last) {
				continue
			}
		}
		w.episodes = append(w.episodes, h)
		w.to = max(w.to, h.until+s.settle)
	}
	s.shorten(w)
	return w
}

// sort returns the index of the episode that the draw p, in [0,1), chooses by the episodes' rates.
func (s *setting) sort(p float64) int {
	p *= s.rate
	for i := range s.Behaviour.Episodes {
		if p -= s.Behaviour.Episodes[i].Rate(); p < 0 {
			return i
		}
	}
	return len(s.Behaviour.Episodes) - 1
}

// happens returns the i-th episode of the behaviour, beginning at from, with that quantile of its length. It draws from r which
// replica is affected.
func (s *setting) happens(i int, from time.Duration, quantile float64, r *rand.Rand) happening {
	e := &s.Behaviour.Episodes[i]
	h := happening{Episode: e, from: from, takes: e.Lasts.At(quantile), whom: r.IntN(s.Replicas)}
	h.until = from + s.goesOn(e, h.takes)
	return h
}

// goesOn returns for how long an episode goes on. For a rollout this is how long the rollout takes at least, where the parameter
// takes is the time in which a new process starts. For all other episodes it is the parameter itself.
func (s *setting) goesOn(e *behaviour.Episode, takes time.Duration) time.Duration {
	if e.Kind == behaviour.Rollout {
		return s.rolls(e, takes)
	}
	return takes
}

// faults returns the window's episodes on processes as faults: pauses, crashes, shutdowns, node drains and rollouts. Episodes on
// messages are left out; see odds.
func (s *setting) faults(w *window) (all []plan.Fault) {
	generation := 0
	for i := range w.episodes {
		h := &w.episodes[i]
		f := plan.Fault{At: h.from, On: h.on(generation * s.Replicas)}
		switch h.Kind {
		case behaviour.Pause:
			if h.until == h.from {
				continue
			}
			f.Kind, f.Until = plan.FaultPause, &h.until
		case behaviour.Crash:
			f.Kind = plan.FaultCrash
		case behaviour.Shutdown, behaviour.NodeDrain:
			f.Kind = plan.FaultCancel
		case behaviour.Rollout:
			s.roll(h, generation, &f)
			generation++
		default:
			continue
		}
		all = append(all, f)
	}
	return all
}

// on returns the candidates that an episode on processes affects, as faults name them; nil stands for all. The parameter replaced
// is how many processes earlier rollouts of the window have replaced: the names of the present ones begin after these.
func (h *happening) on(replaced int) []string {
	switch h.On {
	case behaviour.Everybody:
		return nil
	case behaviour.Leader:
		return []string{plan.RoleLeader}
	}
	return []string{name(replaced + h.whom)}
}

// length sets the length of each stratum that begins with an episode, which must be 0 before, and returns for how long windows of
// such strata are measured on average, in seconds. It draws many windows to find out. It returns an error if ctx ends.
func (s *setting) length(ctx context.Context, all []stratum, seed uint64) (float64, error) {
	const draws = 4096
	sum := 0.0
	for i := range all {
		x := &all[i]
		if x.episode < 0 {
			continue
		}
		for k := range draws {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			w := s.window(x, seed+uint64(k))
			x.length += (w.to - w.from + w.lull.lasts).Seconds() / draws
		}
		sum += x.length * x.rate / s.rate
	}
	return sum, nil
}

// usual returns the share of all time that is in no window of an episode, as found by drawing windows with seed. It also sets the
// length of each stratum. It returns an error if ctx ends.
func (s *setting) usual(ctx context.Context, all []stratum, seed uint64) (float64, error) {
	length, err := s.length(ctx, all, seed)
	return 1 / (1 + length*s.rate), err
}

// in tells whether the window measures what begins at the time at.
func (w *window) in(at time.Duration) bool { return w.from <= at && at < w.to }

// begun returns the last episode of these kinds that has begun by the time at; nil if there is none.
func (w *window) begun(at time.Duration, kinds ...behaviour.Kind) (last *happening) {
	for i := range w.episodes {
		if h := &w.episodes[i]; slices.Contains(kinds, h.Kind) && h.from <= at && (last == nil || h.from >= last.from) {
			last = h
		}
	}
	return last
}
