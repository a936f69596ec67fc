package plan

import (
	"time"

	"interregnum/elector/machine"
)

// Candidate is one participant.
type Candidate struct {
	// ID has 1 to 253 bytes.
	ID string
	// Election is one of Plan.Elections, "" where there are none.
	Election string
	// Identity is the holder identity, ID where it is "".
	Identity string
	Profile  machine.Profile
	Lock     Lock
	machine.Timings
	ReleaseOnCancel bool
	// RequestTimeout is how long the client waits for an answer, on the candidate's clock; 0 is for ever.
	RequestTimeout time.Duration
	// Jitter, in [0,1), takes the place of every random draw; nil draws from the seed.
	Jitter *float64
	// Drain is how long the work goes on, in true time, once its context has ended.
	Drain time.Duration
	// WriteEvery is how long, on the candidate's clock, its guarded work waits from one write of the guarded resource
	// to the next, the first as it starts; 0: it does not write.
	WriteEvery time.Duration
	// StartAt is when, in true time, the process starts.
	StartAt time.Duration
	// Rejoin is the true time from Run's return to the next Run; nil: there is none.
	Rejoin *time.Duration
	// SameElector has the next Run of a process, after a Rejoin, be one of the same elector: it remembers what it has
	// seen, as in wait.Until(elector.Run, …). Else each Run is of a new one.
	SameElector bool
	// OnLoss is what becomes of the process; "" is LossRejoin with a Rejoin, and LossIgnore without.
	OnLoss OnLoss
	// LivenessProbe is nil where nobody asks whether the process is healthy.
	LivenessProbe *LivenessProbe
	Clock         Clock
	// Now and Precision are of locks that run out by a wall clock: whose time their statements carry, "" for CallerNow; and
	// what the column of the time keeps, 0 for a microsecond.
	Now       Now
	Precision time.Duration
	// Coordinated: the coordinator says who leads. The versions, such as 1.36, and the strategy are what its LeaseCandidate
	// says.
	Coordinated                               bool
	EmulationVersion, BinaryVersion, Strategy string
}

// Clock is a candidate's pair of clocks at the start.
type Clock struct {
	// Offset is how far the wall clock is ahead of true time.
	Offset time.Duration
	// DriftPPM is the rate of both clocks, in parts per million above that of true time: -999,999 to 9,000,000.
	DriftPPM int64
}

// OnLoss is what becomes of a process when the Run of one of its elections has returned, and no fault had cancelled it.
type OnLoss string

// What a program may do.
const (
	// LossExit ends the process at once, as os.Exit does: whatever else it does ends too, and no other lock is released.
	// It begins anew after Rejoin, if there is one.
	LossExit OnLoss = "exit"
	// LossRejoin has the election run again in the same process, after Rejoin.
	LossRejoin OnLoss = "rejoin"
	// LossIgnore has the process go on without it.
	LossIgnore OnLoss = "ignore"
)

// LivenessProbe is how a process is asked whether it is healthy, and what is done if it is not. It is not while it is
// frozen, and while any of its electors believes to lead although its lease ran out longer than Tolerance ago: as
// LeaderElector.Check has it.
type LivenessProbe struct {
	// Period is the true time from one question to the next, the first a Period after the process has started.
	Period time.Duration
	// FailureThreshold is after how many bad answers in a row the process is killed.
	FailureThreshold int
	// Tolerance is on the candidate's clock.
	Tolerance time.Duration
	// RestartAfter is the true time from then to the start of a new process.
	RestartAfter time.Duration
}

// RunsAgain tells whether a Run that has returned is followed by another.
func (c *Candidate) RunsAgain() bool { return c.Rejoin != nil && c.OnLoss != LossIgnore }

// RowPrecision returns the precision of the times in the candidate's row, 0 where its lock is no row.
func (c *Candidate) RowPrecision() time.Duration {
	if !c.Lock.ByWallClock() {
		return 0
	}
	return max(c.Precision, time.Microsecond)
}

// Emulation returns the candidate's emulation version, which is the binary's version where no other is given.
func (c *Candidate) Emulation() string {
	if c.EmulationVersion == "" {
		return c.BinaryVersion
	}
	return c.EmulationVersion
}
