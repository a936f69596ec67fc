package projects_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// outcome is what became of the tests of a suite, subtests among them, by package and name.
type outcome map[string]*ending

// ending is how a test ended: pass, fail or skip; "" where it did not. The entry without a name has the talk of go itself.
type ending struct {
	result string
	// output grows by a line; some tests print hundreds of thousands.
	output []byte
}

func (o outcome) talk() string { return string(o.at("").output) }

func (o outcome) at(name string) *ending {
	if o[name] == nil {
		o[name] = &ending{}
	}
	return o[name]
}

func (o outcome) names() []string  { return slices.Sorted(maps.Keys(o)) }
func (o outcome) passed() []string { return o.thatDid("pass") }
func (o outcome) failed() []string { return o.thatDid("fail") }

func (o outcome) thatDid(result string) (names []string) {
	for _, name := range o.names() {
		if name != "" && o[name].result == result {
			names = append(names, name)
		}
	}
	return names
}

// take adds what passed in another run.
func (o outcome) take(other outcome) {
	for name, e := range other {
		if e.result == "pass" {
			o[name] = e
		}
	}
}

// run runs the tests that a pattern chooses, all where it is empty; of several times that a test is run one that passed
// counts. With -trimpath what is compiled once is found again, whatever the name of the directory. Tests that may run in
// parallel wait more than they compute.
func (p *project) run(dir, pattern string, times int, packages ...string) outcome {
	args := []string{"test", "-mod=mod", "-trimpath", "-vet=off", "-timeout=30m", "-parallel=16", "-json",
		"-count", strconv.Itoa(times), "-run", pattern}
	run := exec.Command("go", append(args, packages...)...)
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off")
	var talk bytes.Buffer
	run.Stderr = &talk
	out, err := run.Output() // some tests fail
	o := outcome{}
	if err != nil {
		talk.WriteString(err.Error() + "\n")
	}
	for line := range bytes.Lines(out) {
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		name := strings.TrimPrefix(e.Package, p.module+"/") + " " + e.Test
		switch {
		case e.Action == "build-output" || e.Action == "output" && e.Test == "":
			talk.WriteString(e.Output)
		case e.Test == "":
		case e.Action == "output":
			o.at(name).output = append(o.at(name).output, e.Output...)
		case o.at(name).result != "pass" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			o.at(name).result = e.Action
		}
	}
	o.at("").output = talk.Bytes()
	return o
}
