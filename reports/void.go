package reports

import (
	"fmt"
	"time"

	"interregnum/plan"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// VoidText returns a sentence on a fault that had no effect in a run of that horizon, and why.
func VoidText(v *scenarios.VoidFault, horizon time.Duration) string {
	which := fmt.Sprintf("fault no. %d of the file (%s)", v.Fault+1, v.Kind)
	if v.AtNs >= int64(horizon) {
		return fmt.Sprintf("%s did not take place: it is at %s, and the run ends at %s", which, words.Duration(v.AtNs), words.Duration(int64(horizon)))
	}
	return fmt.Sprintf("%s did nothing at %s: %s", which, words.Duration(v.AtNs), voidReason(plan.FaultKind(v.Kind)))
}

// VoidLabel returns the label of a fault that had no effect, and why. If faults has none at the index, it does not say why.
func VoidLabel(faults []scenarios.Fault, index int32) string {
	reason := "it did nothing"
	if index >= 0 && int(index) < len(faults) {
		reason = voidReason(faults[index].Kind)
	}
	return FaultLabel(faults, index) + ": " + reason
}

// voidReason returns a clause on why a fault of that kind had no effect.
func voidReason(kind plan.FaultKind) string {
	switch kind {
	case plan.FaultDelete:
		return "there was nothing to delete"
	case plan.FaultEdit:
		return "there was no Lease to edit, or it had these values already"
	case plan.FaultRollout:
		return "an earlier rollout is not over, and still makes pods that this one replaces"
	case plan.FaultReset:
		return "it found no open connection, and no request under way"
	case plan.FaultStall:
		return "it found no open connection"
	case plan.FaultFrame:
		return "it found no connection that carries anything"
	default:
		return "it found nobody"
	}
}
