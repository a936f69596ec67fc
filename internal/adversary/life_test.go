package adversary

import (
	"strings"

	"interregnum/internal/trace"
)

// life says which step a candidate has reached.
type life struct {
	step Step
	// leading: the candidate has become leader, and has neither given up nor been cancelled since.
	leading bool
	// runs is how many of its Runs have returned.
	runs int
}

// observe updates l.step and l.leading from one of the candidate's events. It returns true if a new phase begins: with a further
// Run, when the candidate becomes leader, and when it gives up or is asked to stop as a leader. l.step is then the beginning of
// that phase.
func (l *life) observe(e *trace.Event) bool {
	begins := false
	switch e.Kind {
	case trace.RunStarted:
		begins, l.leading = l.runs > 0, false
	case trace.EventRecorded:
		if strings.HasSuffix(e.Holder, "became leader") {
			begins, l.leading = true, true
		}
	case trace.MetricSet, trace.CancelAsked:
		if l.leading && (e.Kind == trace.CancelAsked || e.Cause == trace.MetricOff) {
			begins, l.leading = true, false
		}
	}
	if begins {
		l.step = Step{Phase: l.step.Phase + 1}
	}
	return begins
}
