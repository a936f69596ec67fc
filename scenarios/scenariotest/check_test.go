package scenariotest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/scenarios"
)

var (
	_ TB       = (*testing.T)(nil)
	_ TB       = (*testing.B)(nil)
	_ TB       = (*testing.F)(nil)
	_ TB       = (*rapid.T)(nil)
	_ rapid.TB = (*recorder)(nil)
)

// recorder is a test that may fail without this one failing.
type recorder struct {
	name   string
	lines  []string
	failed bool
	dir    string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return r.name }
func (r *recorder) Log(args ...any)           { r.lines = append(r.lines, fmt.Sprint(args...)) }
func (r *recorder) Logf(f string, a ...any)   { r.Log(fmt.Sprintf(f, a...)) }
func (r *recorder) Skip(...any)               { runtime.Goexit() }
func (r *recorder) Skipf(string, ...any)      { runtime.Goexit() }
func (r *recorder) SkipNow()                  { runtime.Goexit() }
func (r *recorder) Error(args ...any)         { r.Log(args...); r.failed = true }
func (r *recorder) Errorf(f string, a ...any) { r.Error(fmt.Sprintf(f, a...)) }
func (r *recorder) Fatal(args ...any)         { r.Error(args...); r.FailNow() }
func (r *recorder) Fatalf(f string, a ...any) { r.Fatal(fmt.Sprintf(f, a...)) }
func (r *recorder) FailNow()                  { r.failed = true; runtime.Goexit() }
func (r *recorder) Fail()                     { r.failed = true }
func (r *recorder) Failed() bool              { return r.failed }
func (r *recorder) ArtifactDir() string       { return r.dir }

// during has f run as the test that r records.
func (r *recorder) during(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

var replayLine = regexp.MustCompile(`simulate run ('.*'|\S+)$`)

// replayed is the file that the last line of what was recorded names, and the result of running it.
func (r *recorder) replayed(t *testing.T) (string, *scenarios.Scenario, *scenarios.Result) {
	require.True(t, r.failed)
	last := replayLine.FindStringSubmatch(strings.Join(r.lines, "\n"))
	require.NotNil(t, last, "the failure does not end with a command:\n%s", strings.Join(r.lines, "\n"))
	file := strings.Trim(last[1], "'")
	t.Cleanup(func() { os.Remove(file) })
	s, err := scenarios.ReadFile(file)
	require.NoError(t, err)
	result, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	return file, s, result
}

// setFlag sets a flag for the rest of the test.
func setFlag(t *testing.T, name, value string) {
	before := flag.Lookup(name).Value.String()
	require.NoError(t, flag.Set(name, value))
	t.Cleanup(func() { flag.Set(name, before) })
}

// shrunk has rapid look for what fails in random scenarios, and make it small.
func shrunk(t *testing.T, random *rapid.Generator[*scenarios.Scenario], seed int) *recorder {
	setFlag(t, "rapid.seed", strconv.Itoa(seed))
	setFlag(t, "rapid.checks", "2000")
	setFlag(t, "rapid.shrinktime", "1m") // it ends long before: no clock decides what comes out
	setFlag(t, "rapid.nofailfile", "true")
	r := &recorder{name: t.Name()}
	r.during(func() {
		rapid.Check(r, func(rt *rapid.T) { Check(rt, random.Draw(rt, "scenario")) })
	})
	return r
}

// TestShrinksToAFile: client-go breaks its promise in random scenarios, and what rapid ends with is a small file that
// breaks the same property when it is read and run.
func TestShrinksToAFile(t *testing.T) {
	random := Random(Environment{Profile: machine.ClientGo, Timings: usual})
	// With these seeds the first scenario that fails has two candidates of one name, which takes no fault.
	t.Run("names may be shared", func(t *testing.T) { shrinksTo(t, random, 0, 4, 8) })
	t.Run("own names", func(t *testing.T) {
		shrinksTo(t, random.Filter(func(s *scenarios.Scenario) bool {
			return !slices.ContainsFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.Identity != "" })
		}), 3, 1, 2)
	})
}

// shrinksTo checks what rapid ends with: two candidates and at most so many faults.
func shrinksTo(t *testing.T, random *rapid.Generator[*scenarios.Scenario], faults int, seeds ...int) {
	for _, seed := range seeds {
		r := shrunk(t, random, seed)
		_, s, result := r.replayed(t)
		names, _ := unexpected(s, result)
		assert.NotEmpty(t, names)
		assert.Contains(t, r.lines[len(r.lines)-1], "not as expected: "+names+";")
		assert.Len(t, s.Candidates, 2)
		assert.LessOrEqual(t, len(s.Faults), faults)
		t.Log(r.lines[len(r.lines)-2])
	}
}

// TestStrictUnderRapid: the same for strict finds nothing.
func TestStrictUnderRapid(t *testing.T) {
	for name, e := range environments(machine.Strict) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { Check(rt, Random(e).Draw(rt, "scenario")) })
		})
	}
}

func named(t *testing.T, name string) *scenarios.Scenario {
	s, err := scenarios.Named(name)
	require.NoError(t, err)
	return s
}

func TestCheckPasses(t *testing.T) {
	Check(t, named(t, "healthy-failover"))
	Check(t, named(t, "h01-late-ack")) // what it violates it expects
}

func TestCheckFails(t *testing.T) {
	broken := named(t, "h01-late-ack")
	delete(broken.Expect, check.SingleWork)
	kept := named(t, "healthy-failover")
	kept.Expect = map[string]scenarios.Expectation{check.SingleRecord: scenarios.ExpectViolated}
	for name, c := range map[string]struct {
		s                *scenarios.Scenario
		property, report string
	}{
		"violated":     {broken, check.SingleWork, "single-work: violated, expected held"},
		"not violated": {kept, check.SingleRecord, "single-record: held, expected violated"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{name: t.Name()}
			r.during(func() { Check(r, c.s) })
			_, s, result := r.replayed(t)
			assert.Equal(t, c.s, s, "the file is the scenario")
			names, _ := unexpected(s, result)
			assert.Equal(t, c.property, names)
			assert.Contains(t, r.lines[0], c.report)
		})
	}
}

func TestCheckRefusesAnInvalidScenario(t *testing.T) {
	r := &recorder{name: t.Name()}
	s := named(t, "healthy-failover")
	s.Horizon = -1
	r.during(func() { Check(r, s) })
	assert.True(t, r.failed)
	assert.Contains(t, r.lines[0], "did not run")
}

// TestCheckKeepsArtifacts: where the test's artifacts are kept, the file is among them.
func TestCheckKeepsArtifacts(t *testing.T) {
	s := named(t, "h01-late-ack")
	s.Expect = nil
	r := &recorder{name: t.Name() + "/it's here", dir: filepath.Join(t.TempDir(), "a b")}
	require.NoError(t, os.Mkdir(r.dir, 0o755))
	setFlag(t, "test.artifacts", "true")
	r.during(func() { Check(r, s) })
	file, _, _ := r.replayed(t)
	assert.Equal(t, filepath.Join(r.dir, "TestCheckKeepsArtifacts_it_s_here.yaml"), file)
}
