// Package forecast says how often leadership will be lost, for how long nobody leads, and how often two lead at once, from what is
// usual at a site. It simulates the windows of time in which something can go wrong, and weighs them by how often they come.
package forecast

import (
	"math"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/scenarios/plan"
)

// Question is what a forecast answers.
type Question struct {
	// Candidate has what all replicas have in common: profile, lock, timings, timeout, release, drain. Its ID, StartAt, OnLoss and
	// Rejoin do not count.
	Candidate plan.Candidate
	// Replicas is how many candidates there are, 1 to 20.
	Replicas int
	// Restart is how long it takes until a process that has lost the lock, and has exited, is back. nil: the process does not exit,
	// and stands for election again at once.
	Restart   *behaviour.Distribution
	Behaviour *behaviour.Behaviour
}

// Options says how a forecast is made. Its result depends on all fields but Workers, Kept and Progress.
type Options struct {
	Seed uint64
	// Precision is how wide an interval may be, as a share of its value: 0.05 is five percent up and down. The losses, and the
	// leaderless time, are simulated until they are that precise.
	Precision float64
	// MaxWindows is how many windows are simulated at most.
	MaxWindows int
	// Enough ends the simulation as soon as it returns true of what is known of all questions; nil: Precision alone says when.
	Enough func([]*Forecast) bool
	// Workers is how many windows are simulated at a time, 1 at least.
	Workers int
	// Shard and Shards: only every Shards-th window is simulated, from the Shard-th on; 0: all are. The forecast of a shard has fewer
	// windows, and wider intervals. All shards together have about the windows that the forecast without shards needs.
	Shard, Shards uint64
	// Kept has windows that need not be simulated, and keeps those that are; nil: there are none.
	Kept *Kept
	// Progress is called now and then with what is known so far, from one goroutine at a time. It may be nil.
	Progress func(*Forecast)
}

// part returns the options with the MaxWindows of one shard, and a Precision with which all shards together reach the one that
// was asked for. Without shards it changes nothing.
func (o *Options) part() *Options {
	p := *o
	if n := int(o.Shards); n > 1 {
		p.MaxWindows = (o.MaxWindows - int(o.Shard) + n - 1) / n
		p.Precision *= math.Sqrt(float64(n))
	}
	return &p
}

// index returns the place in the whole forecast of this shard's n-th window of a stratum, both from 0.
func (o *Options) index(n int) int { return n*int(max(1, o.Shards)) + int(o.Shard) }

// Estimate is an estimated value with its 95 % interval.
type Estimate struct{ Value, Low, High float64 }

// Gaps is how long nobody leads, each time that nobody does.
type Gaps struct {
	// P50 and P99 are in seconds; Worst is the longest that was seen. Seen is how many were, 0 if the others do not count.
	P50, P99 Estimate
	Worst    time.Duration
	Seen     int
	// Percentiles are the first to the 99th, in seconds; nil if none was seen.
	Percentiles []float64
}

// Cause is what comes of one kind of episode, or of usual times.
type Cause struct {
	// Name is "usual times", or the kind of the episode, with its place among Behaviour.Episodes if there are several of a kind.
	Name string
	// Losses is how often leadership is lost, a second; Leaderless the share of all time in which nobody leads.
	Losses, Leaderless Estimate
	Gaps               Gaps
}

// Forecast is the answer to a Question.
type Forecast struct {
	// Losses, Restarts, Requests and Overlaps are how often that happens, a second. A loss is that a leader ends its term without
	// being told to, or crashes; a restart is that a process starts again after it has exited or crashed; an overlap is that two
	// candidates begin to work at once.
	Losses, Restarts, Requests, Overlaps Estimate
	// Leaderless is the share of all time in which nobody works.
	Leaderless Estimate
	// OverlapLength is the mean length of an overlap in seconds; 0 if none was seen.
	OverlapLength Estimate
	Gaps          Gaps
	// Causes has an entry for usual times, and one for each of Behaviour.Episodes.
	Causes []Cause
	// CutOff is not 0 if a gap was followed for so long and may be longer: then nobody knows how much time is without a leader.
	CutOff time.Duration
	// Windows is how many windows were simulated. Precise tells whether the intervals are as narrow as was asked; Rare that they are not, and
	// that more windows were not simulated for it, since what is seen of losses, or of the time without a leader, comes only of episodes soon after each other.
	Windows       int
	Precise, Rare bool
}

// SeldomLed tells whether somebody leads for less than a tenth of the time. Windows begin with somebody who leads, or wait long for one; what is said
// of such a site is rough, and intervals are too narrow.
func (f *Forecast) SeldomLed() bool { return f.Leaderless.Value > 0.9 }
