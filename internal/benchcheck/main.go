// Benchcheck reads, from standard input, the CSV in which benchstat (golang.org/x/perf) compares a metric of which more is
// better, and fails where it got significantly worse by more than -worse percent. The exit status is 0, or 1 where it fails
// or cannot tell.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() {
	worse := flag.Float64("worse", 0, "by how many percent a benchmark may get worse")
	flag.Parse()
	rows, err := read(os.Stdin)
	if err == nil {
		err = judge(os.Stdout, rows, *worse)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchcheck:", err)
		os.Exit(1)
	}
}

// row is one benchmark as text: its medians in both files; by how many percent they differ, or "~" if not significantly; and p
// with the numbers of measurements.
type row struct{ name, before, after, change, p string }

// The columns of benchstat's CSV where it compares two files.
const (
	nameColumn, beforeColumn, afterColumn, changeColumn, pColumn = 0, 1, 3, 5, 6
	columns                                                      = 7
)

// fewest is the least number of measurements in each file with which the two can differ significantly.
const fewest = 4

// read returns the rows of benchstat's CSV, without headings and geometric means. It returns an error if the input is no CSV, if a
// benchmark is in one of the two files only, or if there are no rows.
func read(from io.Reader) (rows []row, err error) {
	r := csv.NewReader(from)
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("want benchstat -format csv: %w", err)
	}
	for _, f := range all {
		switch {
		case f[nameColumn] == "" || f[nameColumn] == "geomean" || strings.Contains(f[nameColumn], ": "):
		case len(f) < columns:
			return nil, fmt.Errorf("%s: want %d columns, got %d: it is in one of the two files only",
				f[nameColumn], columns, len(f))
		default:
			rows = append(rows, row{f[nameColumn], f[beforeColumn], f[afterColumn], f[changeColumn], f[pColumn]})
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("nothing was compared: want the same benchmarks in both files")
	}
	return rows, nil
}

// judge prints each row to the writer to. Its error names the benchmarks that got worse by more than worse percent. A row with too
// few measurements, or whose change is not a number, is an error at once, and nothing is printed after it.
func judge(to io.Writer, rows []row, worse float64) error {
	var failed []string
	for _, r := range rows {
		change, err := r.percent()
		if err != nil {
			return err
		}
		verdict := "ok"
		if change < -worse {
			verdict = "WORSE"
			failed = append(failed, r.name)
		}
		fmt.Fprintf(to, "%-5s %s: %s, %s (%s); was %s\n", verdict, r.name, r.after, r.change, r.p, r.before)
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s: more than %v%% worse than the baseline, and not by chance; "+
			"where that is meant, or the machine is another, run make bench-baseline and commit its file",
			strings.Join(failed, ", "), worse)
	}
	return nil
}

// percent returns by how many percent the benchmark changed: below 0 for worse, and 0 if the difference is perhaps chance. It
// returns an error if there are fewer than four measurements in a file, or if the change is not a number.
func (r *row) percent() (float64, error) {
	if n := measurements(r.p); n < fewest {
		return 0, fmt.Errorf("%s: want %d measurements in both files, or more, got %q", r.name, fewest, r.p)
	}
	if r.change == "~" {
		return 0, nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(r.change, "%"), 64)
	if err != nil {
		return 0, fmt.Errorf("%s: want a change such as -1.5%% or ~, got %q", r.name, r.change)
	}
	return percent, nil
}

// measurements returns the smaller number of measurements in the two files, from a text such as "p=0.050 n=8" or
// "p=0.050 n=8+10"; 0 if the text does not tell.
func measurements(p string) int {
	_, n, _ := strings.Cut(p, "n=")
	first, second, two := strings.Cut(n, "+")
	least, err := strconv.Atoi(first)
	if two && err == nil {
		var other int
		other, err = strconv.Atoi(second)
		least = min(least, other)
	}
	if err != nil {
		return 0
	}
	return least
}
