package finding

import (
	"time"

	"interregnum/internal/gate"
	"interregnum/scenarios/plan"
)

type environmentJSON struct {
	MaxRoundTrip time.Duration     `json:"maxRoundTripNs"`
	MaxDriftPPM  int64             `json:"maxDriftPPM"`
	MaxPause     time.Duration     `json:"maxPauseNs"`
	Drain        time.Duration     `json:"drainNs"`
	ClockOffset  time.Duration     `json:"maxClockOffsetNs"`
	Reruns       bool              `json:"reruns"`
	Conflicts    bool              `json:"hiddenConflicts"`
	Sources      map[string]string `json:"sources"`
}

func environmentToJSON(e *gate.Environment) environmentJSON {
	out := environmentJSON{e.MaxRoundTrip, e.MaxDriftPPM, e.MaxPause, e.Drain, e.MaxClockOffset, e.Reruns, e.HiddenConflicts,
		map[string]string{}}
	for _, n := range e.Numbers() {
		out.Sources[n.Name] = n.Source
	}
	return out
}

// lockName is the kind of lock, where that is not a Lease.
func lockName(l plan.Lock) string {
	if l == plan.Lease {
		return ""
	}
	return string(l)
}
