package machine

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// TestFacetsAreAllThatAMachineRemembers changes every field of some machines, one by one. The facets of at least one
// machine must change with it.
func TestFacetsAreAllThatAMachineRemembers(t *testing.T) {
	left := []string{"out", "requests", "awaited", "seenRaw", "reported", "another",
		// The host got these when the request was sent.
		"request.ID", "request.Verb", "request.Scope", "request.Ended", "release.ID", "release.Scope", "release.Ended",
		// The answer to the next request sets this first.
		"object",
		// It counts only after somebody has deleted the lock object: see Facet.
		"longestSeconds",
		// Nobody asks for these: own says whose the record is.
		"observed.Holder", "observed.Renew", "observed.Coordination"}
	checked := 0
	eachField(reflect.TypeFor[Machine](), "", 0, func(name string, offset uintptr, kind reflect.Kind) {
		if slices.Contains(left, name) {
			return
		}
		checked++
		shows := false
		for _, before := range busy() {
			after := before
			field := unsafe.Add(unsafe.Pointer(&after), offset)
			switch kind {
			case reflect.Bool, reflect.Uint8:
				*(*uint8)(field) ^= 1
			case reflect.Int64, reflect.Uint64:
				*(*int64)(field)++
			case reflect.String:
				*(*string)(field) = "x"
			case reflect.Pointer:
				*(**Coordination)(field) = &Coordination{Strategy: "x"}
			case reflect.Slice: // but for those of bytes, which are left out: attempts left running
				*(*[]leftover)(field) = append(after.left, leftover{attempt: attempt{step: stepUpdate}})
			default:
				t.Fatalf("%s is a %v, which has no facet", name, kind)
			}
			shows = shows || !slices.Equal(before.Facets(nil), after.Facets(nil))
		}
		if !shows {
			t.Errorf("%s has no facet", name)
		}
	})
	if checked < 35 {
		t.Errorf("only %d fields were looked at", checked)
	}
}

// busy are machines that together act on every field.
func busy() []Machine {
	releasing := Machine{
		cfg: Config{Profile: Strict}, phase: Releasing, await: awaitResponse,
		release: Request{Verb: Update}, attempt: attempt{step: stepUpdate}, hasObserved: true, own: true, hasSeen: true,
		termAcquire: 1,
	}
	releasing.armed[Tick] = true
	renewing := releasing
	renewing.phase = Renewing
	renewing.stamped = 1 // ahead of a wall clock at 0
	optimistic, coordinated := renewing, renewing
	optimistic.cfg.Profile, optimistic.attempt.step = ClientGo, stepOptimistic
	coordinated.cfg.Profile.ByCoordinator = true
	return []Machine{releasing, renewing, optimistic, coordinated}
}

// eachField visits the fields of a struct and of the structs in it; a field is named by its path.
func eachField(s reflect.Type, path string, base uintptr, visit func(string, uintptr, reflect.Kind)) {
	for i := range s.NumField() {
		f := s.Field(i)
		name, at := path+f.Name, base+f.Offset
		switch {
		case name == "cfg", name == "now":
		case f.Name == "Fields": // of a Patch, which this machine never sends
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
