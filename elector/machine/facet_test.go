package machine

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// TestFacetsAreAllThatAMachineRemembers changes every field of a machine that acts on them all, one by one, and looks
// whether its facets change.
func TestFacetsAreAllThatAMachineRemembers(t *testing.T) {
	left := []string{"out", "requests", "awaited", "seenRaw", "reported",
		// What these say was said when the request was sent.
		"request.ID", "request.Verb", "request.Scope", "request.Ended", "release.ID", "release.Scope", "release.Ended"}
	checked := 0
	eachField(reflect.TypeFor[Machine](), "", 0, func(name string, offset uintptr, kind reflect.Kind) {
		if slices.Contains(left, name) {
			return
		}
		checked++
		before := Machine{cfg: Config{Profile: Strict}, phase: Releasing, await: awaitResponse, detached: true}
		before.armed[Tick] = true
		after := before
		field := unsafe.Add(unsafe.Pointer(&after), offset)
		switch kind {
		case reflect.Bool, reflect.Uint8:
			*(*uint8)(field) ^= 1
		case reflect.Int64:
			*(*int64)(field) = 1
		case reflect.String:
			*(*string)(field) = "x"
		default:
			t.Fatalf("%s is a %v, which has no facet", name, kind)
		}
		if slices.Equal(before.Facets(nil), after.Facets(nil)) {
			t.Errorf("%s has no facet", name)
		}
	})
	if checked < 35 {
		t.Errorf("only %d fields were looked at", checked)
	}
}

// eachField visits the fields of a struct and of the structs in it; a field is named by its path.
func eachField(s reflect.Type, path string, base uintptr, visit func(string, uintptr, reflect.Kind)) {
	for i := range s.NumField() {
		f := s.Field(i)
		name, at := path+f.Name, base+f.Offset
		switch {
		case name == "cfg", name == "now":
		case f.Type.Kind() == reflect.Struct:
			eachField(f.Type, name+".", at, visit)
		case f.Type.Kind() == reflect.Array:
			for j := range f.Type.Len() {
				visit(name, at+uintptr(j)*f.Type.Elem().Size(), f.Type.Elem().Kind())
			}
		default:
			visit(name, at, f.Type.Kind())
		}
	}
}
