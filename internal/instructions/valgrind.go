package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// compile builds the tests of the package in folder into the file binary, unless that file exists. flags are more flags
// for go test -c.
func compile(folder, binary string, flags []string) error {
	if _, err := os.Stat(binary); err == nil {
		return nil
	}
	args := append(append([]string{"test", "-c", "-o", binary}, flags...), folder)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// A benchmark runs twice, for so many iterations. What the program does before and after, and the one iteration with which
// go test may begin if there is to be more than one, are in both runs.
const fewer, more = 2, 4

// perIteration returns how many instructions one iteration of a benchmark takes, from two runs of different length. binary has the
// tests of the package in folder. If the error is not nil, the number counts for nothing.
func perIteration(binary, folder, name string) (int64, error) {
	short, err := instructions(binary, folder, name, fewer)
	if err != nil {
		return 0, err
	}
	long, err := instructions(binary, folder, name, more)
	return (long - short) / (more - fewer), err
}

// instructions returns how many instructions the test program takes for n iterations of a benchmark, by valgrind's
// count. It runs without garbage collection, whose start depends on the clock too, and without the instruction RDTSCP, which
// valgrind 3.19 does not know: where two threads of the Go runtime met at a lock, it ended the program.
func instructions(binary, folder, name string, n int) (int64, error) {
	c := exec.Command("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", binary,
		"-test.run=^$", "-test.bench="+pattern(name), fmt.Sprintf("-test.benchtime=%dx", n))
	c.Dir = folder
	c.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=cpu.rdtscp=off")
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("valgrind: %w\n%s", err, out)
	}
	return references(string(out), name)
}

// pattern returns the argument of -test.bench that selects one benchmark.
func pattern(name string) string { return "^" + strings.ReplaceAll(name, "/", "$/^") + "$" }

var total = regexp.MustCompile(`(?m)^==\d+== I\s+refs:\s+([\d,]+)$`)

// references returns the number of instructions that valgrind has counted. out is what valgrind and the benchmark called name have
// printed. It returns an error if out has no count, or no result of that benchmark.
func references(out, name string) (int64, error) {
	found := total.FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("want a line with \"I refs\" from valgrind's cachegrind, got\n%s", out)
	}
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `\s`).MatchString(out) {
		return 0, fmt.Errorf("want a result of that benchmark, got\n%s", out)
	}
	return strconv.ParseInt(strings.ReplaceAll(found[1], ",", ""), 10, 64)
}
