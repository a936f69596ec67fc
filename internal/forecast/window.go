package forecast

import (
	"math"
	"math/rand/v2"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// window is a stretch of time that is simulated: some usual time before, episodes, and usual time until all has settled; or usual
// time alone.
type window struct {
	// What begins between from and to is measured.
	from, to time.Duration
	episodes []happening
	// blocks is the recording as the window meets it, nil without one.
	blocks *blocks
	seed   uint64
}

// happening is one episode.
type happening struct {
	*behaviour.Episode
	from, until time.Duration
	// whom is the replica that it is on if it is on one, as an index.
	whom int
}

// stratum is a part of all windows: those of usual times, or those that begin with one sort of episode, of a length between two
// quantiles. All windows of a stratum together weigh as much as they come in reality.
type stratum struct {
	// episode is an index into Behaviour.Episodes, -1 for usual times.
	episode int
	// above and below are quantiles of the episode's length.
	above, below float64
	// rate is how many such windows begin a second while times are usual; of usual times, how many fit into a second.
	rate float64
	// length is how long such a window measures on average, in seconds.
	length float64
	// region and cells belong to usual times that replay a recording: which windows they are, and where in the recording these begin.
	region region
	cells  []int32
}

// usualPolls is how many retry periods of usual time one window measures.
const usualPolls = 4

// edges are the quantiles that divide the lengths of episodes: long ones are rare and do most harm.
var edges = []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1}

// strata returns the strata of a setting, usual times first.
func (s *setting) strata() []stratum {
	all := []stratum{{episode: -1, rate: 1 / (usualPolls * s.Candidate.RetryPeriod.Seconds())}}
	if s.replay != nil {
		all = s.replay.strata()
	}
	for i := range s.Behaviour.Episodes {
		e := &s.Behaviour.Episodes[i]
		if e.Lasts.At(0) == e.Lasts.At(math.Nextafter(1, 0)) {
			all = append(all, stratum{episode: i, below: 1, rate: e.Rate()})
			continue
		}
		for k := range len(edges) - 1 {
			share := edges[k+1] - edges[k]
			all = append(all, stratum{episode: i, above: edges[k], below: edges[k+1], rate: e.Rate() * share})
		}
	}
	return all
}

// window draws a window of the stratum.
func (s *setting) window(x *stratum, seed uint64) *window {
	r := rand.New(rand.NewPCG(seed, 2))
	w := &window{seed: seed}
	// The sum of three even draws lets all phases of a poll be met alike, whatever its length.
	w.from = s.warm + time.Duration(2*float64(s.Candidate.RetryPeriod)*(r.Float64()+r.Float64()+r.Float64()))
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
	if s.replay != nil {
		s.replay.anywhere(w, r)
	}
	first := s.happens(x.episode, w.from, x.above+(x.below-x.above)*r.Float64(), r)
	w.episodes = append(w.episodes, first)
	w.to = first.until + s.settle
	for at := w.from; ; {
		at += time.Duration(r.ExpFloat64() / s.rate * 1e9)
		if at >= w.to || at < 0 {
			return w
		}
		h := s.happens(s.sort(r.Float64()), at, r.Float64(), r)
		w.episodes = append(w.episodes, h)
		w.to = max(w.to, h.until+s.settle)
	}
}

// sort returns an episode, drawn by its rate with the draw p.
func (s *setting) sort(p float64) int {
	p *= s.rate
	for i := range s.Behaviour.Episodes {
		if p -= s.Behaviour.Episodes[i].Rate(); p < 0 {
			return i
		}
	}
	return len(s.Behaviour.Episodes) - 1
}

// happens returns the i-th episode of the behaviour as it begins at from, of that quantile of its length.
func (s *setting) happens(i int, from time.Duration, quantile float64, r *rand.Rand) happening {
	e := &s.Behaviour.Episodes[i]
	return happening{Episode: e, from: from, until: from + e.Lasts.At(quantile), whom: r.IntN(s.Replicas)}
}

// faults returns the faults of the window that are on processes.
func (w *window) faults() (all []plan.Fault) {
	for i := range w.episodes {
		h := &w.episodes[i]
		f := plan.Fault{At: h.from, On: h.on()}
		switch h.Kind {
		case behaviour.Pause:
			if h.until == h.from {
				continue
			}
			f.Kind, f.Until = plan.FaultPause, &h.until
		case behaviour.Crash:
			f.Kind = plan.FaultCrash
		case behaviour.Shutdown:
			f.Kind = plan.FaultCancel
		default:
			continue
		}
		all = append(all, f)
	}
	return all
}

// on returns whom an episode on processes is on, as faults name them.
func (h *happening) on() []string {
	switch h.On {
	case behaviour.Everybody:
		return nil
	case behaviour.Leader:
		return []string{plan.RoleLeader}
	}
	return []string{name(h.whom)}
}

// length returns how long windows that begin with an episode are on average, in seconds, and notes it of each stratum.
func (s *setting) length(all []stratum, seed uint64) float64 {
	const draws = 4096
	sum := 0.0
	for i := range all {
		x := &all[i]
		if x.episode < 0 {
			continue
		}
		for k := range draws {
			w := s.window(x, seed+uint64(k))
			x.length += (w.to - w.from).Seconds() / draws
		}
		sum += x.length * x.rate / s.rate
	}
	return sum
}

// usual returns the share of all time that is in no window of an episode, and notes the length of each stratum.
func (s *setting) usual(all []stratum, seed uint64) float64 {
	return 1 / (1 + s.length(all, seed)*s.rate)
}

// in tells whether the window measures what begins at that time.
func (w *window) in(at time.Duration) bool { return w.from <= at && at < w.to }

// begun returns the last episode of that kind which has begun by then, nil if there is none.
func (w *window) begun(k behaviour.Kind, at time.Duration) (last *happening) {
	for i := range w.episodes {
		if h := &w.episodes[i]; h.Kind == k && h.from <= at && (last == nil || h.from >= last.from) {
			last = h
		}
	}
	return last
}
