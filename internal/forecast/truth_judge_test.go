package forecast_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	message "interregnum/internal/fate"
	"interregnum/internal/forecast"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// This file judges between a truth and a forecast that disagree. It runs the simulated world for long, as it is, and counts.

// judge has the behaviour's word on what becomes of each message of a run.
type judge struct {
	*rand.Rand
	usual *behaviour.Behaviour
	// second, if it is not 0, is within how long after the episode of a window another one begins.
	second time.Duration
	// episodes are those on messages, as they come in this run.
	episodes []spell
	// leaves is from when on nobody runs again whose Run has returned: an episode has told it to stop.
	leaves time.Duration
	fates  map[[2]uint64]destiny
	// origins are where the blocks of a recording begin.
	origins []time.Duration
	folded
}

// spell is an episode of a run.
type spell struct {
	*behaviour.Episode
	from, to time.Duration
}

// destiny is what becomes of a request.
type destiny struct {
	leg    time.Duration
	status int
}

func (j *judge) Called(int, uint64, *simlock.Op, time.Duration) (time.Duration, []plan.Fault) {
	return 0, nil
}

func (j *judge) Sent(candidate int, request uint64, at time.Duration) message.Way {
	d, lost := j.drawn(at)
	j.fates[[2]uint64{uint64(candidate), request}] = d
	return message.Way{Delay: d.leg, Lost: lost}
}

// unanswered is what becomes of a request that has no answer, if its client does not give up before: its connection is given up.
var unanswered = destiny{leg: plan.LongestStall / 2, status: 504}

// drawn draws what becomes of a request that leaves at at.
func (j *judge) drawn(at time.Duration) (d destiny, lost bool) {
	trip, errors := j.usual.RoundTrip, j.usual.Errors
	factor := 1.0
	for _, s := range j.episodes {
		if at < s.from || at >= s.to {
			continue
		}
		switch s.Kind {
		case behaviour.Outage:
			return destiny{leg: trip.At(0) / 2, status: 503}, false
		case behaviour.Stall:
			return unanswered, false
		case behaviour.Brownout:
			if s.RoundTrip != nil {
				trip = *s.RoundTrip
			} else {
				factor = s.Factor
			}
			if s.Errors != nil {
				errors = s.Errors
			}
		}
	}
	if j.usual.Recorded != nil {
		x := j.played(at)
		d.leg = x.Took / 2
		switch {
		case x.Status == 0:
			d = unanswered
		case x.Failed():
			d.status = x.Status
		}
		return d, false
	}
	d.leg = time.Duration(float64(trip.At(j.Float64())) * factor / 2)
	p := j.Float64()
	for _, e := range errors {
		if p -= e.Probability; p < 0 {
			d.status = e.Status
			return d, e.Status == 0
		}
	}
	return d, false
}

func (j *judge) Arrived(candidate int, request uint64, _ time.Duration) (message.Refusal, []sim.Start) {
	return message.Refusal{Status: j.fates[[2]uint64{uint64(candidate), request}].status}, nil
}

func (j *judge) Answered(candidate int, request uint64, _ time.Duration) message.Way {
	key := [2]uint64{uint64(candidate), request}
	leg := j.fates[key].leg
	delete(j.fates, key)
	return message.Way{Delay: leg}
}

func (j *judge) Jitter(int) float64 { return j.Float64() }

func (j *judge) Returned(int) (time.Duration, bool) { return 0, j.now < j.leaves }

// folded is what a run has shown from the time from on.
type folded struct {
	from, now, changed         time.Duration
	told                       map[int32]bool
	working                    int
	losses, requests, overlaps float64
	leaderless, both           float64
	gaps                       []float64
}

// Observe counts what an event says.
func (f *folded) Observe(e *trace.Event) {
	at := time.Duration(e.At)
	f.now = at
	switch e.Kind {
	case trace.RequestSent:
		f.count(&f.requests)
	case trace.CancelAsked:
		f.told[e.Candidate] = true
	case trace.RunStarted:
		f.told[e.Candidate] = false
	case trace.WorkStarted:
		f.pass(at)
		f.working++
		if f.working == 2 {
			f.count(&f.overlaps)
		}
		if gap := at - f.changed; f.working == 1 && f.changed >= f.from {
			f.gaps = append(f.gaps, gap.Seconds())
		}
		f.changed = at
	case trace.WorkEnded:
		f.pass(at)
		f.working--
		f.changed = at
		if !f.told[e.Candidate] {
			f.count(&f.losses)
		}
	}
}

// pass counts the time from the last change of who works until at.
func (f *folded) pass(at time.Duration) {
	passed := (at - max(f.changed, min(f.from, at))).Seconds()
	switch {
	case f.working == 0:
		f.leaderless += passed
	case f.working > 1:
		f.both += passed
	}
}

func (f *folded) count(what *float64) {
	if f.now >= f.from {
		*what++
	}
}

// warm is how long a run goes on before it counts; window is for how long after the beginning of an episode.
const (
	warm   = 300 * time.Second
	window = 58 * time.Second
)

// run makes a run: of a window around one episode, or of that length with all episodes as they come.
func (j *judge) run(t *testing.T, q *forecast.Question, length time.Duration) {
	p := &plan.Plan{Seed: j.Uint64(), Horizon: warm + length}
	for i := range q.Replicas {
		c := q.Candidate
		c.ID, c.StartAt = "c"+strconv.Itoa(i), time.Duration(j.Float64()*4e9)
		c.Rejoin, c.OnLoss = new(time.Duration), plan.LossRejoin
		p.Candidates = append(p.Candidates, c)
	}
	j.from, j.leaves = warm, math.MaxInt64
	j.told, j.fates = map[int32]bool{}, map[[2]uint64]destiny{}
	if length == 0 {
		j.from = warm + time.Duration(j.Float64()*20e9)
		p.Horizon = j.from + window + j.second
		j.begin(p, &q.Behaviour.Episodes[0], j.from)
		if j.second > 0 {
			j.begin(p, &q.Behaviour.Episodes[0], j.from+time.Duration(j.Float64()*float64(j.second)))
		}
	} else {
		for i := range q.Behaviour.Episodes {
			e := &q.Behaviour.Episodes[i]
			for at := 0.0; at < p.Horizon.Seconds(); at += j.ExpFloat64() / e.Rate() {
				if at > 0 {
					j.begin(p, e, time.Duration(at*1e9))
				}
			}
		}
	}
	_, err := sim.RunDirected(p, j, &j.folded)
	require.NoError(t, err)
	j.pass(p.Horizon)
}

// begin adds an episode that begins at at.
func (j *judge) begin(p *plan.Plan, e *behaviour.Episode, at time.Duration) {
	to := at + e.Lasts.At(j.Float64())
	f := plan.Fault{At: at, On: []string{plan.RoleLeader}}
	if e.On == behaviour.One {
		f.On[0] = p.Candidates[j.IntN(len(p.Candidates))].ID
	}
	switch e.Kind {
	case behaviour.Crash:
		f.Kind = plan.FaultCrash
		if len(p.Candidates) == 1 {
			p.Faults = append(p.Faults, plan.Fault{Kind: plan.FaultRestart, At: to, On: []string{p.Candidates[0].ID},
				Identity: plan.NewIdentity})
		}
	case behaviour.Shutdown:
		f.Kind = plan.FaultCancel
		j.leaves = at
	case behaviour.Pause:
		f.Kind, f.Until = plan.FaultPause, &to
	default:
		j.episodes = append(j.episodes, spell{e, at, to})
		return
	}
	p.Faults = append(p.Faults, f)
}

// sample is a figure as it came out in each run.
type sample []float64

// estimate returns the mean, times by, with its interval.
func (s sample) estimate(by float64) forecast.Estimate {
	sum, squares := 0.0, 0.0
	for _, x := range s {
		sum, squares = sum+x, squares+x*x
	}
	n := float64(len(s))
	mean := sum / n
	half := 1.96 * math.Sqrt(max(0, squares/n-mean*mean)/n)
	return forecast.Estimate{Value: by * mean, Low: by * (mean - half), High: by * (mean + half)}
}

// judged counts what comes of a question, in that many runs. With a length of 0 each run is a window around one episode. If second is not 0, what two
// episodes lose together is added: a run with another episode, which begins within second after the first, and is so long that it sees what each
// of them loses by itself. What it shows more than that counts as often as a second episode comes so soon.
func judged(t *testing.T, q *forecast.Question, runs int, length, second time.Duration) *forecast.Forecast {
	var losses, requests, overlaps, leaderless sample
	var gaps []float64
	both, all := 0.0, 0.0
	for i := range runs {
		of := func(second time.Duration) *judge {
			j := &judge{Rand: rand.New(rand.NewPCG(7, uint64(i))), usual: q.Behaviour, second: second}
			j.run(t, q, length)
			return j
		}
		j := of(0)
		if second > 0 {
			both, soon := of(second), second.Seconds()*q.Behaviour.Episodes[0].Rate()
			j.losses += soon * (both.losses - 2*j.losses)
			j.leaderless += soon * (both.leaderless - 2*j.leaderless)
		}
		losses, requests = append(losses, j.losses), append(requests, j.requests)
		overlaps, leaderless = append(overlaps, j.overlaps), append(leaderless, j.leaderless)
		gaps, both, all = append(gaps, j.gaps...), both+j.both, all+j.overlaps
	}
	rate := 1 / length.Seconds()
	if length == 0 {
		rate = q.Behaviour.Episodes[0].Rate()
	}
	f := &forecast.Forecast{Losses: losses.estimate(rate), Requests: requests.estimate(rate), Overlaps: overlaps.estimate(rate),
		Leaderless: leaderless.estimate(rate)}
	if all > 0 {
		f.OverlapLength = about(both/all, 0.02)
	}
	slices.Sort(gaps)
	if n := len(gaps); n > 0 {
		f.Gaps.P50, f.Gaps.P99 = ranked(gaps, 0.5), ranked(gaps, 0.99)
		f.Gaps.Seen, f.Gaps.Worst = n, time.Duration(gaps[n-1]*1e9)
	}
	return f
}

// about returns an interval of that share around a value.
func about(value, share float64) forecast.Estimate {
	return forecast.Estimate{Value: value, Low: value * (1 - share), High: value * (1 + share)}
}

// ranked returns a quantile of sorted values, with the interval that the ranks give.
func ranked(sorted []float64, p float64) forecast.Estimate {
	n := float64(len(sorted))
	at := func(rank float64) float64 { return sorted[int(min(max(rank, 0), n-1))] }
	half := 1.96 * math.Sqrt(n*p*(1-p))
	return forecast.Estimate{Value: at(n * p), Low: at(n*p - half - 1), High: at(n*p + half + 1)}
}
