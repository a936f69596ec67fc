// Instructions counts the instructions of benchmarks with valgrind, whose count does not depend on what else the machine
// does, and fails where one takes more than -worse percent more than in the baseline. The exit status is 0, or 1 where it
// fails or cannot tell.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// benchmarks are those that are counted: packages with the names of their benchmarks.
var benchmarks = []struct{ folder, name string }{
	{"./internal/sim/simbench", "BenchmarkSimulation"},
	{"./internal/sim/simbench", "BenchmarkSimulatedFailover"},
	{"./internal/search", "BenchmarkSwarm/client-go"},
	{"./internal/search", "BenchmarkSwarm/strict"},
}

func main() {
	baseline := flag.String("baseline", "", "the file to compare with")
	write := flag.Bool("write", false, "write that file, and compare nothing")
	worse := flag.Float64("worse", 5, "by how many percent a benchmark may take more instructions; inf: by any number")
	build := flag.String("build", "", "flags for go test -c")
	flag.Parse()
	if err := run(*baseline, *write, *worse, strings.Fields(*build)); err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(1)
	}
}

// run counts the instructions of all benchmarks. If write is true, it writes the counts to the file baseline. Otherwise it prints
// them beside those in that file, and returns an error if one has grown by more than worse percent, or is not in the file. build
// has more flags for go test -c.
func run(baseline string, write bool, worse float64, build []string) error {
	dir, err := os.MkdirTemp("", "instructions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var now counts
	for _, b := range benchmarks {
		binary := filepath.Join(dir, filepath.Base(b.folder))
		if err := compile(b.folder, binary, build); err != nil {
			return err
		}
		n, err := perIteration(binary, b.folder, b.name)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		now = append(now, count{b.name, n})
	}
	if write {
		return os.WriteFile(baseline, []byte(now.String()), 0o666)
	}
	text, err := os.ReadFile(baseline)
	if err != nil {
		return err
	}
	before, err := read(string(text))
	if err != nil {
		return fmt.Errorf("%s:%w", baseline, err)
	}
	return judge(os.Stdout, before, now, worse)
}
