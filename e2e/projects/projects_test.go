// Package projects_test runs the test suites of real projects twice: as they are, on client-go's fake clientset, and on
// simlock/fakekube in its place. Their code is fetched as modules, and changed in a temporary copy alone.
package projects_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var only = flag.String("projects.only", "", "the projects to run: those whose module path holds this; all where it is empty")

// project is a module whose tests use client-go's fake clientset.
type project struct {
	module, version string
	// sum is that of the module, as in a go.sum: what is run here is what was read.
	sum      string
	packages []string
	// differ are the tests that pass on client-go's fake alone, since they rely on what a real server refuses.
	differ []difference
	// racing are tests with their subtests, and why their outcome depends on the speed of the machine. They must pass once.
	racing map[string]string
	// least is how many tests pass on client-go's fake at least: a suite that ran nothing shows nothing.
	least int
}

// difference is a thing that a real server does otherwise than client-go's fake.
type difference struct {
	why string
	// words, or those of or, are in what each of the tests prints when it fails: for this reason, and for no other.
	words, or string
	// sometimes: where the machine is quick the tests pass all the same.
	sometimes bool
	// tests are package and name, a space between.
	tests []string
}

func (d *difference) isSaid(output []byte) bool {
	return bytes.Contains(output, []byte(d.words)) || d.or != "" && bytes.Contains(output, []byte(d.or))
}

func TestProjects(t *testing.T) {
	ran := 0
	for _, p := range projects {
		if !strings.Contains(p.module, *only) {
			continue
		}
		ran++
		t.Run(p.module[strings.LastIndex(strings.TrimRight(p.module, "/v0123456789"), "/")+1:], p.compare)
	}
	require.NotZero(t, ran, "-projects.only %s is in no module path", *only)
}

// compare runs both at once: the tests wait more than they compute.
func (p *project) compare(t *testing.T) {
	stockDir, oursDir := p.fetch(t), p.fetch(t)
	useFakekube(t, stockDir, false)
	require.NotZero(t, useFakekube(t, oursDir, true), "nothing was replaced")
	done := make(chan outcome)
	go func() { done <- p.run(stockDir, "", 1, p.packages...) }()
	ours := p.run(oursDir, "", 1, p.packages...)
	stock := <-done
	require.NotEmpty(t, stock.passed(), "on client-go's fake no test passed: %s", stock.talk())
	require.NotEmpty(t, ours.passed(), "on fakekube no test passed: %s", ours.talk())
	for range 10 {
		again, packages := p.racers(stock, ours)
		if len(packages) == 0 {
			break
		}
		t.Logf("ten times more: %s", again)
		stock.take(p.run(stockDir, again, 10, packages...))
		ours.take(p.run(oursDir, again, 10, packages...))
	}
	all, same, problems := p.judge(stock, ours)
	for _, problem := range problems {
		t.Error(problem)
	}
	assert.GreaterOrEqual(t, all, p.least, "tests that pass on client-go's fake")
	t.Logf("%s %s: %d tests pass on client-go's fake, %d of them on fakekube", p.module, p.version, all, same)
}

// racers are those of the racing tests that have not passed yet, as -run wants them, and their packages.
func (p *project) racers(outcomes ...outcome) (pattern string, packages []string) {
	var again []string
	for name := range p.racing {
		pkg, test, _ := strings.Cut(name, " ")
		for _, o := range outcomes {
			if slices.ContainsFunc(o.failed(), func(f string) bool { return strings.HasPrefix(f, name) }) {
				again, packages = append(again, "^"+test+"$"), append(packages, "./"+pkg)
			}
		}
	}
	slices.Sort(again)
	slices.Sort(packages)
	return strings.Join(slices.Compact(again), "|"), slices.Compact(packages)
}

// judge wants each test that passes on client-go's fake to pass on fakekube, but for those that are listed: these must
// fail, and for the reason that is given. A test with subtests passes over those that are listed, and is not counted.
func (p *project) judge(stock, ours outcome) (all, same int, problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	listed := map[string]*difference{}
	for i := range p.differ {
		for _, name := range p.differ[i].tests {
			if listed[name] != nil {
				wrong("%s is listed twice", name)
			}
			listed[name] = &p.differ[i]
			if stock.at(name).result != "pass" {
				wrong("%s is listed, and does not pass on client-go's fake", name)
			}
		}
	}
	names := slices.Sorted(maps.Keys(listed))
	for _, name := range stock.passed() {
		within := func(other string) bool { return strings.HasPrefix(other, name+"/") }
		got, why := ours.at(name), listed[name]
		if !slices.ContainsFunc(stock.names(), within) {
			all++
			if got.result == "pass" {
				same++
			}
		}
		switch {
		case why != nil && got.result == "pass" && why.sometimes:
		case why != nil && got.result == "pass":
			wrong("%s passes: take it off the list (%s)", name, why.why)
		case why != nil && (got.result != "fail" || !why.isSaid(got.output)):
			wrong("%s fails, but does not say %q (%s):\n%s", name, why.words, why.why, got.output)
		case why != nil || got.result == "pass" || slices.ContainsFunc(names, within):
		case got.result == "":
			wrong("%s passes on client-go's fake, and did not end on fakekube", name)
		default:
			wrong("%s passes on client-go's fake alone:\n%s", name, got.output)
		}
	}
	return all, same, problems
}

// TestJudge: what must be a failure of this comparison is one.
func TestJudge(t *testing.T) {
	of := func(results ...string) outcome {
		o := outcome{}
		for i := 0; i < len(results); i += 2 {
			o["p "+results[i]] = &ending{result: results[i+1], output: []byte("refused: a reason")}
		}
		return o
	}
	p := &project{differ: []difference{{why: "so it is", words: "a reason", tests: []string{"p T/listed"}}}}
	stock := of("T", "pass", "T/listed", "pass", "T/other", "pass", "U", "pass", "V", "fail")
	other := of("T", "fail", "T/listed", "fail", "T/other", "pass", "U", "pass")
	other["p T/listed"].output = []byte("refused: another one")
	for want, ours := range map[string]outcome{
		"":                         of("T", "fail", "T/listed", "fail", "T/other", "pass", "U", "pass"),
		"T/listed passes: take it": of("T", "fail", "T/listed", "pass", "T/other", "pass", "U", "pass"),
		"T/other passes on":        of("T", "fail", "T/listed", "fail", "T/other", "fail", "U", "pass"),
		"U passes on client-go's fake, and did not end": of("T", "fail", "T/listed", "fail", "T/other", "pass", "U", ""),
		`does not say "a reason"`:                       other,
	} {
		all, _, problems := p.judge(stock, ours)
		assert.Equal(t, 3, all, "without T, which has subtests, and V")
		if want == "" {
			assert.Empty(t, problems)
			continue
		}
		assert.Len(t, problems, 1)
		assert.Contains(t, strings.Join(problems, ""), want)
	}
	p.differ = append(p.differ, difference{tests: []string{"p V", "p W", "p T/listed"}})
	_, _, problems := p.judge(stock, of("T", "fail", "T/listed", "fail", "T/other", "pass", "U", "pass"))
	assert.Len(t, problems, 3, "V fails on client-go's fake, there is no W, and T/listed is listed twice")
}
