package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// TestObjects: events name the objects of a lock as the lock service does, and know which of them expire.
func TestObjects(t *testing.T) {
	assert.EqualValues(t, simlock.Objects, trace.Objects)
	for _, l := range plan.Locks() {
		for _, o := range l.Objects() {
			assert.Equal(t, o.String(), trace.Object(o).String())
			assert.Equal(t, l.Expires(), trace.Object(o).Expires(), l)
		}
	}
}
