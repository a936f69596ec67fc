package outcome

import (
	"interregnum/internal/check"
)

// window returns a remark if safety-window is the only property that is violated against expectation, "" otherwise. The remark
// says that no two worked at once, and that code with the unmodified client-go cannot mend this.
func (o *Outcome) window() string {
	for i := range o.Result.Properties {
		p := &o.Result.Properties[i]
		if violated := p.Verdict == check.Violated && !o.Scenario.Fulfils(p); violated != (p.Name == check.SafetyWindow) {
			return ""
		}
	}
	return "no two worked at once; the next leader began sooner than LeaseDuration - RenewDeadline after the work's context had ended. client-go " +
		"does not promise that time, since its RenewDeadline begins up to a RetryPeriod after the last renewal; the elector of this project does. " +
		"Options.Only with single-work leaves it out"
}
