package plan_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/scenarios/plan"
)

// TestFaultFields: the list has every field of a fault but its kind, each once, and each is one of some kind of fault.
func TestFaultFields(t *testing.T) {
	all := reflect.TypeFor[plan.Fault]().NumField() - 2 + reflect.TypeFor[plan.Edit]().NumField()
	assert.Len(t, plan.FaultFields(), all)
	var names []string
	for _, field := range plan.FaultFields() {
		names = append(names, field.Name)
	}
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), all)
	var ofKinds []string
	for _, k := range plan.FaultKinds() {
		ofKinds = append(ofKinds, k.Fields()...)
	}
	slices.Sort(ofKinds)
	assert.ElementsMatch(t, names, slices.Compact(ofKinds))
}

// TestFaultFieldsAreApart: what one field takes away is that field alone.
func TestFaultFieldsAreApart(t *testing.T) {
	full := plan.Fault{
		At: 1, Until: new(time.Second), On: []string{"a"}, Election: "x", Object: "lease", Request: &plan.Delay{}, Response: &plan.Delay{},
		Limiter: 1, Leg: plan.RequestLeg, Probability: new(0.5), Verb: 1, Status: 500, Applied: true, Identity: plan.NewIdentity, Jump: 1,
		DriftPPM: new(int64(1)),
		Edit:     plan.Edit{Holder: new("a"), PreferredHolder: new("b"), Strategy: new("c"), LeaseDuration: new(time.Second)},
	}
	for i, field := range plan.FaultFields() {
		f := full
		field.Clear(&f)
		for j, other := range plan.FaultFields() {
			assert.Equal(t, i != j, other.Set(&f), "%s without %s", other.Name, field.Name)
		}
	}
	for _, field := range plan.FaultFields() {
		field.Clear(&full)
	}
	assert.Equal(t, plan.Fault{}, full)
}
