package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/scenarios"
)

// TestExplainsTheLongest: a page with many overlaps explains the longest ones, as text does.
func TestExplainsTheLongest(t *testing.T) {
	v := check.Violation{}
	for i := range int64(9) {
		v.Explanations = append(v.Explanations, explain.Explanation{FromNs: 100 * i, ToNs: 100*i + i})
	}
	r := &scenarios.Result{Properties: []scenarios.Property{{Name: check.SingleWork}}}
	r.Properties[0].Violations = []scenarios.Violation{v}
	all := explained(r)
	assert.Len(t, all, maxExplained)
	assert.EqualValues(t, 800, all[0].FromNs)
}
