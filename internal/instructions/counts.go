package main

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// count is how many instructions one iteration of a benchmark takes.
type count struct {
	name         string
	instructions int64
}

// counts are the counts of benchmarks, in the order in which they were made.
type counts []count

// String returns the counts in the format of Go's benchmarks, which benchstat reads.
func (c counts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\ngo: %s\n", runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, one := range c {
		fmt.Fprintf(&b, "%s 1 %d instructions\n", one.name, one.instructions)
	}
	return b.String()
}

// of returns the number of instructions of that benchmark. The bool is false if it is not among the counts.
func (c counts) of(name string) (int64, bool) {
	for _, one := range c {
		if one.name == name {
			return one.instructions, true
		}
	}
	return 0, false
}

// read returns the counts in a text that counts.String has written. It skips lines that do not begin with Benchmark. An error
// begins with the number of the line.
func read(text string) (all counts, err error) {
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		f := strings.Fields(line)
		if len(f) != 4 || f[3] != "instructions" {
			return nil, fmt.Errorf("%d: want a name, 1, a number and \"instructions\", got %q", i+1, line)
		}
		n, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%d: want a number of instructions above 0, got %q", i+1, f[2])
		}
		all = append(all, count{f[0], n})
	}
	return all, nil
}

// judge prints each count of now to the writer to, with its change since before. Its error names the benchmarks that take more than
// worse percent more instructions. A benchmark that is not in before is an error at once, and nothing is printed after it.
func judge(to io.Writer, before, now counts, worse float64) error {
	var failed []string
	for _, c := range now {
		was, known := before.of(c.name)
		if !known {
			return fmt.Errorf("%s is not in the baseline: run make bench-baseline and commit its file", c.name)
		}
		percent := 100 * (float64(c.instructions)/float64(was) - 1)
		verdict := "ok"
		if float64(c.instructions)*100 > float64(was)*(100+worse) {
			verdict = "WORSE"
			failed = append(failed, c.name)
		}
		fmt.Fprintf(to, "%-5s %s: %d instructions (%+.1f%%); was %d\n", verdict, c.name, c.instructions, percent, was)
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s: more than %v%% more instructions than in the baseline; where that is meant, or Go is another "+
			"version, run make bench-baseline and commit its file", strings.Join(failed, ", "), worse)
	}
	return nil
}
