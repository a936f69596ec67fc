package parity

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/few"
	"interregnum/internal/newest"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// The profile client-go-next is a change of the library that no version has. It is compared with the library with that change
// made: a test binary is built in which a copy of the package leaderelection stands in its place.

// changed is set in the environment of that binary.
const changed = "INTERREGNUM_PARITY_NEXT"

// nextPlans is how many plans are compared.
var nextPlans = few.Of(1000)

// TestNext compares the profile client-go-next with the changed library.
func TestNext(t *testing.T) {
	if os.Getenv(changed) == "" {
		runChanged(t)
		return
	}
	seen := map[string]int{}
	noticed := false
	for seed := 1; seed <= nextPlans; seed++ {
		p := nextPlan(seed)
		samples := instants(p, uint64(seed))
		library := runLibrary(t, p, samples)
		if d := difference(library, simulate(t, p, samples)); d != "" {
			t.Fatalf("plan %d: %s\n%s", seed, d, describe(p))
		}
		count(t, p, seen)
		for i := range p.Candidates {
			p.Candidates[i].Profile = machine.ClientGo
		}
		noticed = noticed || difference(library, simulate(t, p, samples)) != ""
	}
	t.Logf("%d plans: no difference; they have %v", nextPlans, seen)
	assert.True(t, noticed, "the comparison would not notice that the profile is client-go")
	for _, what := range []string{"cancelled, and renewed while it drained", "returned early", "lost, and drained"} {
		assert.Greater(t, seen[what], few.Of(20), what)
	}
}

// nextPlan is the plan of a seed, with client-go-next. In a third of the plans OnStartedLeading returns early.
func nextPlan(seed int) *plan.Plan {
	p := plans.Example(seed)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.Profile = machine.ClientGoNext
		if seed%3 == 0 {
			c.ReturnsAfter = 1_234_567_891*time.Nanosecond + time.Duration(seed)*17_654_321 + time.Duration(i)*2_345_678_917
		}
	}
	return p
}

// count adds to seen what happens in the run of a plan.
func count(t *testing.T, p *plan.Plan, seen map[string]int) {
	_, err := sim.Run(p, &nextCounter{plan: p, seen: seen, lost: map[int32]bool{}, draining: map[int32]bool{}})
	require.NoError(t, err)
}

// nextCounter counts in seen what happens.
type nextCounter struct {
	plan *plan.Plan
	seen map[string]int
	// lost and draining are candidates: that could not renew, and whose work drains although they could.
	lost, draining map[int32]bool
}

// Observe takes in an event.
func (n *nextCounter) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	id, c := e.Candidate, &n.plan.Candidates[e.Candidate]
	switch e.Kind {
	case trace.MetricSet:
		n.lost[id] = e.Cause == trace.MetricOff
	case trace.WorkCancelled:
		n.draining[id] = !n.lost[id]
		if n.lost[id] && c.Drain > 0 && c.ReleaseOnCancel {
			n.seen["lost, and drained"]++
		}
	case trace.WorkEnded:
		n.draining[id] = false
	case trace.Written:
		switch {
		case n.draining[id] && e.Holder != "":
			n.seen["cancelled, and renewed while it drained"]++
		case c.ReturnsAfter > 0 && e.Holder == "":
			n.seen["returned early"]++
		}
	}
}

// runChanged builds this package with the changed library, and runs TestNext there.
func runChanged(t *testing.T) {
	dir := t.TempDir()
	here, err := os.Getwd()
	require.NoError(t, err)
	text, err := json.Marshal(map[string]any{"Replace": replaced(t, here, dir)})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, text, 0o600))
	program := filepath.Join(dir, "changed")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", program, ".")
	build.Env = append(os.Environ(), "GOGC=400") // the linker collects garbage for a fifth of its time otherwise
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := exec.CommandContext(t.Context(), program, "-test.run=^TestNext$", "-test.v")
	run.Env = append(os.Environ(), changed+"=1")
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
}

// replaced writes the changed package, and the tests of this folder that import it instead of the library's, into dir. It
// returns the overlay for the go command: which file stands in for which. The package is in a folder that is only there.
func replaced(t *testing.T, here, dir string) map[string]string {
	const original = "k8s.io/client-go/tools/leaderelection"
	all := map[string]string{}
	write := func(path, text string) {
		at := filepath.Join(dir, filepath.Base(path))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
		all[path] = at
	}
	source, err := exec.Command("go", "list", "-f", "{{.Dir}}", original).Output()
	require.NoError(t, err)
	files := func(folder, suffix string) []string {
		names, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
		require.NoError(t, err)
		return names
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
	for _, name := range files(strings.TrimSpace(string(source)), ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text := read(name)
		if filepath.Base(name) == "leaderelection.go" {
			text = change(t, text)
		}
		write(filepath.Join(here, "nextlibrary", filepath.Base(name)), text)
	}
	next := reflect.TypeFor[world]().PkgPath() + "/nextlibrary"
	for _, name := range files(here, "_test.go") {
		text := read(name)
		if after := strings.Replace(text, "\n\t\""+original+"\"\n", "\n\tleaderelection \""+next+"\"\n", 1); after != text {
			write(name, after)
		}
	}
	return all
}

// change makes the change in the source text of the library.
func change(t *testing.T, text string) string {
	edits := map[string]string{
		// The elector knows how to wait for its work.
		"\tmetrics leaderMetricsAdapter\n}": "\tmetrics leaderMetricsAdapter\n\tworkReturned func()\n}",
		// The renewals have a context of their own, which the return of the work ends.
		"\tgo le.config.Callbacks.OnStartedLeading(ctx)\n\tle.renew(ctx)\n": `	if !le.config.ReleaseOnCancel {
		go le.config.Callbacks.OnStartedLeading(ctx)
		le.renew(ctx)
		return
	}
	renewing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	returned := make(chan struct{})
	go func() {
		le.config.Callbacks.OnStartedLeading(ctx)
		close(returned)
		end()
	}()
	le.workReturned = func() {
		select {
		case <-returned:
		default:
			cancel()
			<-returned
		}
	}
	le.renew(renewing)
`,
		// The release comes after the work.
		"\tif le.config.ReleaseOnCancel {\n\t\tle.release(logger)\n": "\tif le.config.ReleaseOnCancel {\n\t\tle.workReturned()\n\t\tle.release(logger)\n",
	}
	for _, old := range slices.Sorted(maps.Keys(edits)) {
		require.Equal(t, 1, strings.Count(text, old), "%s: want it once in leaderelection.go of %s", old, newest.Version)
		text = strings.Replace(text, old, edits[old], 1)
	}
	return text
}
