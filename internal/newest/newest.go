// Package newest has tests run on the version of client-go that the profile client-go describes.
//
// The go.mod of this module requires the oldest Kubernetes modules that it works with, so that it forces no newer ones
// on its users. Tests that compare with the library need the newest: the module file e2e/newest/go.mod is go.mod with
// newer Kubernetes modules, and a package whose TestMain calls Main is built with that file.
package newest

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"k8s.io/client-go/tools/leaderelection"
)

// Version is the version of k8s.io/client-go that the profile client-go describes.
const Version = "v0.37.2"

// File is the module file that requires it, from the top of the repository.
const File = "e2e/newest/go.mod"

// Wanted is the environment variable with another version for the tests to run on. The module file that they are built with
// must require it.
const Wanted = "INTERREGNUM_CLIENT_GO"

// built is set in the environment of a test that Main has built.
const built = "INTERREGNUM_BUILT_NEWEST"

// Main runs a package's tests with client-go of that Version, and exits with their exit code.
func Main(m *testing.M) {
	Ensure()
	os.Exit(m.Run())
}

// Ensure returns if the running test is built with Version of client-go, or with the one that is Wanted. Otherwise it builds the package again with the
// module file File, runs that with the same flags, and exits with its code.
func Ensure() {
	linked, wanted := Linked(), os.Getenv(Wanted)
	switch {
	case linked == cmp.Or(wanted, Version):
		return
	case wanted != "":
		fail(fmt.Errorf("%s wants client-go %s, and the test is built with %s: want go test -modfile with that version", Wanted,
			wanted, linked))
	case os.Getenv(built) != "":
		fail(fmt.Errorf("built with %s, which should require client-go %s: it has %s", File, Version, linked))
	}
	code, err := again()
	if err != nil {
		fail(err)
	}
	os.Exit(code)
}

// fail writes the error to standard error and exits with 1.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "newest:", err)
	os.Exit(1)
}

var versionInPath = regexp.MustCompile(`/client-go@([^/]+)/`)

// Linked returns the version of client-go in this program, "" if the path of its sources tells none. A test has no
// other way to know: its build information lists no modules.
func Linked() string {
	at := runtime.FuncForPC(reflect.ValueOf(leaderelection.NewLeaderElector).Pointer())
	file, _ := at.FileLine(at.Entry())
	if found := versionInPath.FindStringSubmatch(filepath.ToSlash(file)); found != nil {
		return found[1]
	}
	return ""
}

// place is a type of this package. Reflection on it tells the package's path.
type place struct{}

// again builds the test of the current directory with the module file File, runs it with the same flags, and returns its
// exit code.
func again() (int, error) {
	module := strings.TrimSuffix(reflect.TypeFor[place]().PkgPath(), "/internal/newest")
	top, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return 0, fmt.Errorf("where the module is: %w", err)
	}
	dir, err := os.MkdirTemp("", "newest")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "newest.test")
	file := filepath.Join(strings.TrimSpace(string(top)), filepath.FromSlash(File))
	args := []string{"test", "-c", "-vet=off", "-modfile", file, "-o", program}
	if raceEnabled {
		args = append(args, "-race")
	}
	if err := build(filepath.Dir(file), append(args, ".")); err != nil {
		return 0, err
	}
	run := exec.Command(program, os.Args[1:]...)
	run.Env = append(os.Environ(), built+"=1")
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := run.Run(); run.ProcessState == nil {
		return 0, err
	}
	return max(run.ProcessState.ExitCode(), -1) & 0xff, nil
}

// build calls go with the module file in that folder. Where several tests are built at the same time it is one after the other: each
// would compile the Kubernetes modules for itself if the build cache does not have them yet.
func build(folder string, args []string) error {
	unlock, err := lockBuilds(folder)
	if err != nil {
		return fmt.Errorf("waiting until no other test is built: %w", err)
	}
	defer unlock()
	c := exec.Command("go", args...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return nil
}
