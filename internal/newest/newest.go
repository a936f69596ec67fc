// Package newest names the version of client-go that the profile client-go describes, and keeps tests from comparing with another.
//
// The go.mod of this module requires the oldest Kubernetes modules that it works with, so that it forces no newer ones
// on its users. Tests that compare with the library need the newest: go.work, at the top, takes them from the module e2e/newest.
package newest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"testing"
)

// Version is the version of k8s.io/client-go that the profile client-go describes.
const Version = "v0.37.2"

// Wanted is the environment variable with another version for the tests to run on. They must be built with that.
const Wanted = "INTERREGNUM_CLIENT_GO"

// Main runs a package's tests and exits with their exit code. If they are not built with client-go of Version, or of the version
// in the environment variable Wanted, it runs none: see Ensure.
func Main(m *testing.M, function any) {
	Ensure(function)
	os.Exit(m.Run())
}

// Ensure returns if the running test is built with client-go of Version or, if the environment variable Wanted is set, of the
// version in that variable. Otherwise it prints to standard error which version was wanted, and exits with 1. The
// function is one of client-go. (This package imports nothing of it: its own tests, and those of head, are linked in no time.)
func Ensure(function any) {
	if linked, wanted := Linked(function), cmp.Or(os.Getenv(Wanted), Version); linked != wanted {
		fmt.Fprintf(os.Stderr, "This test compares with k8s.io/client-go %s, and is built with %q. Run go test in a clone, whose go.work "+
			"takes the right version, without GOWORK=off; or set %s to another version that it is built with.\n", wanted, linked, Wanted)
		os.Exit(1)
	}
}

var versionInPath = regexp.MustCompile(`/client-go@([^/]+)/`)

// Linked returns the version of client-go in this program, given a function of it; "" if the path of its source does not tell it. A test
// cannot find it out in another way: its build information lists no modules.
func Linked(function any) string {
	at := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	file, _ := at.FileLine(at.Entry())
	if found := versionInPath.FindStringSubmatch(filepath.ToSlash(file)); found != nil {
		return found[1]
	}
	return ""
}
