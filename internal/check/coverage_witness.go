package check

import "slices"

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
	// LocalFailure: a request failed without having been sent, other than by its client's limiter.
	LocalFailure = "local-error"
	// LimiterRefused: a request was never sent, since it would have waited for its client's limiter beyond the end of its context.
	LimiterRefused = "limiter-refused"
	// ConnectionLost: a request was given up since its connection had ended.
	ConnectionLost = "connection-lost"
	// SlowService: in a brownout with seats, the service carried out a request only some time after it had arrived.
	SlowService = "slow-service"
)

// Witnesses returns the names of all witnesses, in the order in which they are reported.
func Witnesses() []string { return slices.Clone(witnessNames[:]) }

var witnessNames = [...]string{
	AnswerLostAfterApply, TakeoverWhileRenewing, ConflictOnFastPath, ReleaseRacedATakeover, PauseAcrossExpiry,
	ExpiredByDrift, AppliedButRefused, LateAnswer, LocalFailure,
	LimiterRefused, ConnectionLost, SlowService,
}

// OfClients tells whether only runs with clients, or with the faults about these, can show that witness.
func OfClients(witness string) bool {
	return witness == LimiterRefused || witness == ConnectionLost || witness == SlowService
}

// witnesses are those that a run has shown so far: a bit for each of witnessNames.
type witnesses uint16

var _ [16 - len(witnessNames)]struct{} // there are enough bits

// see adds a witness to those that the run has shown, if shown is true.
func (w *witnesses) see(witness string, shown bool) {
	if shown {
		*w |= 1 << slices.Index(witnessNames[:], witness)
	}
}

// has tells whether the run has shown the i-th of witnessNames.
func (w witnesses) has(i int) bool { return w>>i&1 != 0 }
