package plan_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/plan"
)

// TestFields: a table has every field of its type, each once.
func TestFields(t *testing.T) {
	apart(t, plan.CandidateFields(), func(c *plan.Candidate) { c.Election = "" }) // which a file does not give there
	apart(t, plan.ClientFields(), func(*plan.Client) {})
}

// apart checks that what one field of the table takes away is that field alone, and that nothing is left without all of them, and
// without what no field of the table has.
func apart[T any](t *testing.T, table []plan.Field[T], without func(*T)) {
	var full, empty T
	fill(reflect.ValueOf(&full).Elem())
	none := full
	without(&none)
	for i, field := range table {
		rest := full
		field.Clear(&rest)
		field.Clear(&none)
		for j, other := range table {
			assert.Equal(t, i == j || other.In(&full) == nil, other.Alike(&rest, &empty), "%s without %s", other.Name, field.Name)
		}
	}
	assert.Equal(t, empty, none)
}
