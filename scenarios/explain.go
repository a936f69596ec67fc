package scenarios

import (
	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/internal/sim"
)

// explain appends to each violation of the property single-work an explanation of its cause. It does nothing if there is none.
// Otherwise it simulates the run a second time to find the causes, so that runs without such a violation need not collect them.
// The error is that of the second run. noShortcut: see Options.
func (s *Scenario) explain(properties []Property, noShortcut bool) error {
	work := check.Named(properties, check.SingleWork)
	if work == nil || work.Verdict != check.Violated {
		return nil
	}
	fold := explain.NewFold(s.Header())
	world := sim.Runner{NoShortcut: noShortcut}
	if _, err := world.Run(&s.Plan, fold); err != nil {
		return err
	}
	Attach(properties, fold.Explanations(int64(s.Horizon)))
	return nil
}

// Attach appends each explanation in all to the violation of the property single-work that it belongs to: that of the same
// election which covers its time. An explanation that belongs to none is left out.
func Attach(properties []Property, all []Explanation) {
	work := check.Named(properties, check.SingleWork)
	if work == nil {
		return
	}
	for _, e := range all {
		for i := range work.Violations {
			if v := &work.Violations[i]; v.Election == e.Election && v.FromNs <= e.FromNs && e.ToNs <= v.ToNs {
				v.Explanations = append(v.Explanations, e)
				break
			}
		}
	}
}
