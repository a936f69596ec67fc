package world

import "interregnum/internal/trace"

// Evidence is all that a run has left, by which it is judged.
type Evidence struct {
	Header *trace.Header
	// Events are in an order that does not depend on that of goroutines.
	Events   []trace.Event
	StoreOps uint64
	// Blind says why the verdicts would mean nothing, "" where they mean something.
	Blind string
	// Hindered says the same where faults are perhaps the reason: such a run is a failure, except among many random ones.
	Hindered string
	// Met: a fault has met something.
	Met bool
	// Observed: Observe was called for each candidate before it tried to take a lock. Wrote: the function of this name was
	// called.
	Observed, Wrote bool
	// Outlived are in the order in which their functions returned.
	Outlived []Outlived
	// Forgotten says what work was done by a goroutine that an OnStartedLeading had begun and that went on after its return, "" for none.
	Forgotten string
	// Unserved says what the server in memory did not serve, "" for nothing.
	Unserved string
	// Left are the goroutines that had not ended when the run was over, as text, "" for none.
	Left string
	// Whole tells of each candidate that the kit itself has guarded all of its leading, around OnStartedLeading.
	Whole []bool
	// Released: somebody has released a lock. Doubted: guarded work went on after an OnStartedLeading that had returned early, of code that
	// perhaps never releases the lock (MayKeep).
	Released, Doubted bool
	// Stuck: the run was given up.
	Stuck bool
}
