package plan

import (
	"time"

	"interregnum/elector/machine"
)

// Candidate is one participant of an election.
type Candidate struct {
	// ID has 1 to 253 bytes.
	ID string
	// Election is one of Plan.Elections, "" if there are none.
	Election string
	// Identity is the name that it writes into the record as holder; "" is ID.
	Identity string
	Profile  machine.Profile
	Lock     Lock
	machine.Timings
	ReleaseOnCancel bool
	// RequestTimeout is how long the client waits for an answer, on the candidate's clock; 0 is without limit.
	RequestTimeout time.Duration
	// Client is nil if each call of the lock is one request, sent at once.
	Client *Client
	// Jitter, in [0,1), replaces every random number that the candidate would draw; nil: it draws them. FirstJitters replaces the
	// first ones, in turn, and Jitter all after them; without Jitter it must be empty.
	Jitter       *float64
	FirstJitters []float64
	// Drain is how long the work goes on after its context has ended, in true time.
	Drain time.Duration
	// ReturnsAfter is how long after its call OnStartedLeading returns, on the candidate's clock, while its work goes on in
	// goroutines of its own. 0: it returns when its work is over.
	ReturnsAfter time.Duration
	// WriteEvery is the time between two writes of the guarded resource by its work, on the candidate's clock. The first
	// write comes when the work starts. 0: it does not write.
	WriteEvery time.Duration
	// StartAt is when the process starts, in true time.
	StartAt time.Duration
	// Rejoin is the true time from the return of Run to the next call; nil: Run is not called again.
	Rejoin *time.Duration
	// SameElector has the next Run, after a Rejoin, use the same elector, which remembers what it has seen, as in
	// wait.Until(elector.Run, …). Otherwise each Run has a new elector.
	SameElector bool
	// OnLoss is what the process does when Run returns; "" is LossRejoin with a Rejoin, and LossIgnore without.
	OnLoss OnLoss
	// LivenessProbe is nil if the process is not probed.
	LivenessProbe *LivenessProbe
	Clock         Clock
	// Now and Precision are for locks that expire by a wall clock. Now says whose time an SQL statement carries; "" is
	// CallerNow. Precision is that of the column with the time; 0 is a microsecond.
	Now       Now
	Precision time.Duration
	// Coordinated: the coordinator decides who leads. The versions, such as 1.36, and the strategy are those in the
	// candidate's LeaseCandidate.
	Coordinated                               bool
	EmulationVersion, BinaryVersion, Strategy string
}

// JitterOf returns the plan's number for the n-th draw of the candidate, from 0; ok is false if the candidate draws it.
func (c *Candidate) JitterOf(n int) (jitter float64, ok bool) {
	switch {
	case n < len(c.FirstJitters):
		return c.FirstJitters[n], true
	case c.Jitter != nil:
		return *c.Jitter, true
	}
	return 0, false
}

// Clock is a wall clock and a monotonic clock, at the start of a run.
type Clock struct {
	// Offset is how far the wall clock is ahead of true time.
	Offset time.Duration
	// DriftPPM is how much faster than true time both clocks run, in parts per million: -999,999 to 9,000,000.
	DriftPPM int64
}

// OnLoss is what a process does when the Run of one of its elections returns without being cancelled by a fault.
type OnLoss string

// The values of OnLoss.
const (
	// LossExit ends the process at once, as os.Exit does: its other elections end too, and release no lock. The process
	// starts again after Rejoin, if that is set.
	LossExit OnLoss = "exit"
	// LossRejoin calls Run again in the same process, after Rejoin.
	LossRejoin OnLoss = "rejoin"
	// LossIgnore lets the process go on without that election.
	LossIgnore OnLoss = "ignore"
)

// LivenessProbe is how a process is probed, and killed if it is unhealthy. It is unhealthy while it is frozen, and while
// one of its electors believes that it leads although its lease expired more than Tolerance ago, as in LeaderElector.Check.
type LivenessProbe struct {
	// Period is the true time between two probes. The first comes one Period after the process has started.
	Period time.Duration
	// FailureThreshold is how many failed probes in a row kill the process.
	FailureThreshold int
	// Tolerance is a time on the candidate's clock.
	Tolerance time.Duration
	// RestartAfter is the true time from the kill to the start of a new process.
	RestartAfter time.Duration
}

// RunsAgain tells whether the candidate calls Run again after Run has returned, in the same process or in a new one: it has a
// Rejoin, and does not ignore the loss of its lease.
func (c *Candidate) RunsAgain() bool { return c.Rejoin != nil && c.OnLoss != LossIgnore }

// RowPrecision returns the precision of the times in the candidate's row, 0 if its lock is not a row.
func (c *Candidate) RowPrecision() time.Duration {
	if !c.Lock.ByWallClock() {
		return 0
	}
	return max(c.Precision, time.Microsecond)
}

// Emulation returns the candidate's emulation version, which is by default that of the binary.
func (c *Candidate) Emulation() string {
	if c.EmulationVersion == "" {
		return c.BinaryVersion
	}
	return c.EmulationVersion
}
