// Package forecast says how often leadership will be lost, for how long nobody leads, and how often two lead at once, from what
// is usual at a site. It simulates the windows of time in which something can go wrong, and weighs them by how often they come.
//
// Words of this package: usual times are all time that is in no window of an episode. A stratum is a part of all windows, which
// are alike; a sample has what windows of one stratum have shown. A further episode is one that begins in the window of another
// one. A metric is what is counted in a window. A fate is what becomes of a request, and the odds are its chances. A danger has
// the chances of fates that can cost a leader the lock. An excursion is the time from such a fate until the leader succeeds again
// or has been replaced. A branch is a repeated run of a window, which goes on from one request with such a fate; its weight says
// for how much it counts. A recording is replayed in blocks, and divided into cells by what a window meets that begins there.
package forecast

import (
	"math"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// Question is what a forecast answers.
type Question struct {
	// Candidate has what all replicas have in common: profile, lock, timings, timeout, release, drain. Its ID, StartAt, OnLoss and
	// Rejoin do not count.
	Candidate plan.Candidate
	// Replicas is how many candidates there are, 1 to 20.
	Replicas int
	// Restart is how long it takes from when a process has lost the lock and has exited until it is back. If it is nil, the
	// process does not exit, and stands for election again at once.
	Restart   *behaviour.Distribution
	Behaviour *behaviour.Behaviour
}

// Options says how a forecast is made. The result depends on all fields but Workers, Kept and Progress.
type Options struct {
	Seed uint64
	// Precision is how far an interval can reach up and down, as a share of its value: 0.05 is five percent. Windows are
	// simulated until the losses and the leaderless time are that precise.
	Precision float64
	// MaxWindows is how many windows are simulated at most.
	MaxWindows int
	// Enough ends the simulation as soon as it returns true. It gets what is known so far, one forecast for each question. If it
	// is nil, only Precision and MaxWindows end it.
	Enough func([]*Forecast) bool
	// Workers is how many windows are simulated at the same time; below 1 it counts as 1.
	Workers int
	// Shard and Shards divide the work: only every Shards-th window is simulated, beginning with number Shard, from 0. With
	// Shards 0, all windows are. The forecast of a shard has fewer windows, and wider intervals. All shards together have about
	// as many windows as the forecast without shards needs.
	Shard, Shards uint64
	// Kept has windows that need not be simulated again, and stores those that are simulated. It can be nil.
	Kept *Kept
	// Progress is called now and then with what is known so far, never twice at the same time. It can be nil.
	Progress func(*Forecast)
	// learning is how many windows of a stratum are run in each round to learn from; 0 stands for the constant of that name. With
	// fewer the intervals are wider.
	learning int
}

// part returns a copy of the options for one shard: with its part of MaxWindows, and with a Precision by which all shards
// together reach the one that was asked for. Without shards the copy is the same.
func (o *Options) part() *Options {
	p := *o
	if n := int(o.Shards); n > 1 {
		p.MaxWindows = (o.MaxWindows - int(o.Shard) + n - 1) / n
		p.Precision *= math.Sqrt(float64(n))
	}
	return &p
}

// index returns the index, in the whole forecast, of this shard's n-th window of a stratum. Both count from 0.
func (o *Options) index(n int) int { return n*int(max(1, o.Shards)) + int(o.Shard) }

// Estimate is an estimated value with its 95 % interval.
type Estimate struct{ Value, Low, High float64 }

// Gaps is the distribution of how long nobody leads, each time that nobody does.
type Gaps struct {
	// P50 and P99 are the median and the 99th percentile, in seconds. Worst is the longest gap that was seen. Seen is how many
	// were seen; if it is 0, the other fields have no meaning.
	P50, P99 Estimate
	Worst    time.Duration
	Seen     int
	// Percentiles are the first to the 99th percentile, in seconds; nil if no gap was seen.
	Percentiles []float64
}

// Cause is the part of a forecast that comes from one sort of episode, or from usual times.
type Cause struct {
	// Name is "usual times", or the kind of the episode, with its place among Behaviour.Episodes if there are several of a kind.
	Name string
	// Losses is how often leadership is lost, per second. Leaderless is the share of all time in which nobody leads.
	Losses, Leaderless Estimate
	Gaps               Gaps
}

// Forecast is the answer to a Question.
type Forecast struct {
	// These are counts per second. Losses: a leader ends its term without being told to, or crashes. Restarts: a process starts
	// again after it has exited or crashed. Requests: a candidate sends a request. Overlaps: two candidates begin to work at
	// once.
	Losses, Restarts, Requests, Overlaps Estimate
	// Leaderless is the share of all time in which nobody works.
	Leaderless Estimate
	// OverlapLength is the mean length of an overlap in seconds; 0 if none was seen.
	OverlapLength Estimate
	Gaps          Gaps
	// Causes has an entry for usual times, and one for each of Behaviour.Episodes.
	Causes []Cause
	// CutOff is not 0 if a gap was followed for that long without an end: then it is not known how much time is without a leader.
	CutOff time.Duration
	// Windows is how many windows were simulated. Precise: the intervals are as narrow as was asked. Rare: they are not, and more
	// windows would not help, since losses, or time without a leader, were seen only where episodes come soon after each other.
	Windows       int
	Precise, Rare bool
}

// SeldomLed tells whether somebody leads for less than a tenth of the time. A window begins with somebody who leads, or waits
// long for one. So what is said of such a site is rough, and its intervals are too narrow.
func (f *Forecast) SeldomLed() bool { return f.Leaderless.Value > 0.9 }
