package check

import (
	"interregnum/internal/trace"
)

// The witnesses: what need not happen in a run, but must in some run of a campaign, or the campaign shows nothing of
// those properties that it could have broken. They are of the kind Sometimes.
const (
	// AnswerLostAfterApply: a write took effect and its answer was lost.
	AnswerLostAfterApply = "answer-lost-after-apply"
	// TakeoverWhileRenewing: another's acquiring write took effect while a renewal of the old leader was on its way, or
	// its sender still waited for the answer.
	TakeoverWhileRenewing = "takeover-while-renewing"
	// ConflictOnFastPath: a renewal that was sent without reading first was answered 409.
	ConflictOnFastPath = "conflict-on-fast-path"
	// ReleaseRacedATakeover: another's acquiring write took effect while a release of the old leader was on its way.
	ReleaseRacedATakeover = "release-raced-a-takeover"
	// PauseAcrossExpiry: a leader was frozen longer than what was left of its lease.
	PauseAcrossExpiry = "pause-across-expiry"
	// ExpiredByDrift: a follower took over a lease that had run out by its own clock and not by true time, or a leader's
	// deadline came by its own clock before it had passed in true time.
	ExpiredByDrift = "expired-by-drift"
	// AppliedButRefused: a write took effect and was answered with an error.
	AppliedButRefused = "applied-but-refused"
	// LateAnswer: an answer came that nobody waited for any more.
	LateAnswer = "late-answer"
	// LocalFailure: a request failed without having been sent.
	LocalFailure = "local-error"
)

// Witnesses returns the names of all witnesses, in the order in which they are reported.
func Witnesses() []string {
	return []string{
		AnswerLostAfterApply, TakeoverWhileRenewing, ConflictOnFastPath, ReleaseRacedATakeover, PauseAcrossExpiry,
		ExpiredByDrift, AppliedButRefused, LateAnswer, LocalFailure,
	}
}

// Coverage is which witnesses a run has shown. It is a trace.Selective. It is apart from Suite, since a single run
// need not show any.
type Coverage struct {
	header     *trace.Header
	candidates []coverageState
	// leases are by object.
	leases [trace.Objects]coverageLease
	seen   map[string]bool
	// elections are nil where there is but one.
	elections []electionCoverage
}

// coverageLease is what an object promises.
type coverageLease struct {
	// holder is who last wrote itself into the record, -1 where it has released; the record promises lasts ns from
	// renewedAt on.
	holder           int32
	renewedAt, lasts int64
}

// coverageState is what the witnesses need to know of a candidate.
type coverageState struct {
	requests []coverageRequest
	// last is the verb that was sent last in this Run.
	last    trace.Verb
	working bool
	// leaseFrom and deadlineFrom are when its last own write took effect and when that had been sent; -1 for none.
	leaseFrom, deadlineFrom int64
	// pausedAt is since when a leader is frozen, -1 where it is not.
	pausedAt int64
	// rate is its clocks', in millionths of true time's, since steadySince.
	rate        uint64
	steadySince int64
}

var _ trace.Selective = (*Coverage)(nil)

// NewCoverage returns the coverage of a run that is about to begin.
func NewCoverage(h *trace.Header) *Coverage {
	c := &Coverage{
		header: h, candidates: make([]coverageState, len(h.Candidates)), seen: make(map[string]bool),
	}
	for _, run := range h.Project() {
		own := NewCoverage(run.Header)
		own.seen = c.seen
		c.elections = append(c.elections, electionCoverage{run: run, coverage: own})
	}
	for o := range c.leases {
		c.leases[o].holder = -1
	}
	for i := range c.candidates {
		c.candidates[i] = coverageState{
			leaseFrom: -1, deadlineFrom: -1, pausedAt: -1, rate: uint64(million + h.Candidates[i].DriftPPM),
		}
	}
	return c
}

// Seen returns the names of the witnesses that the run has shown so far, in the order of Witnesses.
func (c *Coverage) Seen() []string {
	var seen []string
	for _, name := range Witnesses() {
		if c.seen[name] {
			seen = append(seen, name)
		}
	}
	return seen
}

// Wants tells whether any witness looks at events of that kind.
func (c *Coverage) Wants(k trace.Kind) bool {
	switch k {
	case trace.RequestSent, trace.RequestLost, trace.RequestRefused, trace.RequestApplied, trace.Written,
		trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate, trace.GaveUp, trace.LocalError,
		trace.WorkStarted, trace.WorkCancelled, trace.RunStarted, trace.RunReturned, trace.Crashed,
		trace.Paused, trace.Resumed, trace.ClockChanged:
		return true
	}
	return false
}

// Observe takes in an event.
func (c *Coverage) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	if c.elections != nil {
		c.observeElections(e)
		return
	}
	s := &c.candidates[e.Candidate]
	switch e.Kind {
	case trace.RunStarted, trace.RunReturned:
		s.last = trace.NoVerb
		s.forsake()
	case trace.Crashed:
		// The end of its work that follows is not a deadline's.
		s.working, s.pausedAt, s.deadlineFrom = false, -1, -1
		s.forsake()
	case trace.WorkStarted:
		s.working = true
	case trace.WorkCancelled:
		c.cancelled(s, e)
	case trace.Paused:
		c.paused(s, e)
	case trace.Resumed:
		c.resumed(s, e)
	case trace.ClockChanged:
		if rate := uint64(million + int64(e.Rate)); rate != s.rate {
			s.rate, s.steadySince = rate, e.At
		}
	case trace.LocalError:
		c.seen[LocalFailure] = true
	default:
		c.message(s, e)
	}
}
