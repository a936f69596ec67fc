package scenarios

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// drawFaults draws faults for a scenario that has all else. Those that it cannot have are left out.
func drawFaults(t *rapid.T, s *Scenario) (faults []Fault) {
	for range rapid.IntRange(0, 10).Draw(t, "faults") {
		p := s.Plan
		p.Faults = append(faults, drawFault(t, s))
		if p.Validate() == nil {
			faults = p.Faults
		}
	}
	return faults
}

// drawFault draws a fault of any kind, with any of the fields of that kind.
func drawFault(t *rapid.T, s *Scenario) Fault {
	f := Fault{Kind: rapid.SampledFrom(plan.FaultKinds()).Draw(t, "kind")}
	for _, field := range plan.FaultFields() {
		if f.Kind.Has(field.Name) && rapid.Bool().Draw(t, field.Name+"?") {
			drawFaultField(t, field, &f, s)
		}
	}
	if f.Kind == plan.FaultRollout {
		drawRollout(t, &f, s)
	}
	return f
}

// drawRollout makes a rollout one of candidates of the scenario, whose successors no longer start by themselves.
func drawRollout(t *rapid.T, f *Fault, s *Scenario) {
	var ids []string
	for i := range s.Candidates {
		if id := s.Candidates[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	ids = rapid.Permutation(ids).Draw(t, "ids")
	n := rapid.IntRange(0, len(ids)/2).Draw(t, "replaced")
	f.On, f.To = ids[:n:n], ids[n:2*n:2*n]
	for i := range s.Candidates {
		if slices.Contains(f.To, s.Candidates[i].ID) {
			s.Candidates[i].StartAt = 0
		}
	}
}

// drawFaultField draws the value of a field.
func drawFaultField(t *rapid.T, field *plan.FaultField, f *Fault, s *Scenario) {
	switch out := field.In(f).(type) {
	case *time.Duration:
		if *out = drawTime(t, field.Name); field.Signed {
			*out = drawSigned(t, field.Name)
		}
	case **time.Duration:
		if *out = new(time.Second + drawTime(t, field.Name).Truncate(time.Second)); field.Scope {
			*out = new(f.At + 1 + drawTime(t, field.Name))
		}
	case *[]string:
		names := []string{plan.RoleLeader, plan.RoleFollower}
		for i := range s.Candidates {
			names = append(names, s.Candidates[i].ID)
		}
		*out = rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID).Draw(t, field.Name)
	case *string:
		words := s.Elections
		if field.Words != nil {
			words = field.Words()
		}
		if len(words) > 0 {
			*out = rapid.SampledFrom(words).Draw(t, field.Name)
		}
	case **string:
		*out = new(rapid.OneOf(rapid.Just(""), drawName()).Draw(t, field.Name))
	case **Delay:
		*out = new(drawDelay(t))
	case *plan.Leg:
		*out = rapid.SampledFrom([]plan.Leg{plan.RequestLeg, plan.ResponseLeg}).Draw(t, field.Name)
	case *plan.Readiness:
		*out = rapid.SampledFrom([]plan.Readiness{plan.ReadyAlways, plan.ReadyLeading}).Draw(t, field.Name)
	case *plan.Count:
		*out = plan.Count(rapid.IntRange(1, 3).Draw(t, field.Name))
	case *plan.Identity:
		*out = rapid.SampledFrom([]plan.Identity{plan.SameIdentity, plan.NewIdentity}).Draw(t, field.Name)
	case **float64:
		*out = new(rapid.Float64Range(0, 1).Draw(t, field.Name))
		if field.Factor {
			*out = new(rapid.Float64Range(1, 1e6).Draw(t, field.Name))
		}
	case **int64:
		*out = new(drawDrift(t))
	case *machine.Verb:
		*out = rapid.SampledFrom(plan.Verbs()).Draw(t, field.Name)
	case *int:
		*out = rapid.IntRange(400, 599).Draw(t, field.Name)
	case *bool:
		*out = true
	}
}

// TestGenerateEveryField: among a thousand scenarios each kind of fault has each of its fields.
func TestGenerateEveryField(t *testing.T) {
	t.Parallel()
	drawn := map[string]int{}
	for i := range 1000 {
		s := rapid.Custom(generate).Example(i)
		for j := range s.Faults {
			for _, field := range plan.FaultFields() {
				if f := &s.Faults[j]; field.Set(f) {
					drawn[string(f.Kind)+" "+field.Name]++
				}
			}
		}
	}
	for _, kind := range plan.FaultKinds() {
		for _, field := range kind.Fields() {
			assert.Positive(t, drawn[string(kind)+" "+field], "%s with %s", kind, field)
		}
	}
}
