package elector

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
)

// TestEveryFieldIsCopied: go.mod requires an old client-go, and a program may have a newer one, whose LeaseLock has more
// fields: Labels came with v0.34. What the caller has set in any of them the driven lock has too, but for the client,
// which listens.
func TestEveryFieldIsCopied(t *testing.T) {
	original := &rl.LeaseLock{LockConfig: rl.ResourceLockConfig{Identity: "a"}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[rl.LeaseLock]()) {
		field := reflect.ValueOf(original).Elem().FieldByIndex(f.Index)
		switch {
		case !f.IsExported():
			assert.Equal(t, "lease", f.Name, "client-go has a new field that cannot be copied")
		case f.Type.Kind() == reflect.Map:
			field.Set(reflect.MakeMap(f.Type))
		case f.Name == "LeaseMeta":
			original.LeaseMeta.Name = "lock"
		default:
			assert.Contains(t, []string{"Client", "LockConfig"}, f.Name, "client-go has a new field: set it here")
		}
	}
	before, after := reflect.ValueOf(*original), reflect.ValueOf(driven(original).(*leaseLock).LeaseLock)
	for i := range before.NumField() {
		if name := before.Type().Field(i).Name; name != "Client" {
			assert.True(t, reflect.DeepEqual(exportedOf(before, i), exportedOf(after, i)), name)
		}
	}
}

// TestFailedGetMoves: with Strict a leader reads again after a Get that has failed, before it writes, unless the lock is a
// LeaseLock.
func TestFailedGetMoves(t *testing.T) {
	lease := driven(&rl.LeaseLock{})
	assert.False(t, failedGetMoves(lease))
	assert.True(t, failedGetMoves(struct{ rl.Interface }{lease}))
}

// exportedOf is an exported field's value; of another it tells whether it is empty.
func exportedOf(v reflect.Value, i int) any {
	if f := v.Field(i); f.CanInterface() {
		return f.Interface()
	}
	return v.Field(i).IsZero()
}
