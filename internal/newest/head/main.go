// Head runs the parity tests on the newest k8s.io/client-go that the module proxy has, pre-releases included, and prints
// one table: whether parity holds, and what is new in the packages that the profile client-go describes. It is made for a
// job that runs every night.
//
// If the proxy lacks a module that the newest version requires, the table says so, and parity is that of the newest version
// of which the proxy has all. Head asks the go command alone, and so GOPROXY, and writes into a temporary folder and the module cache. The
// exit status is 0, 1 where parity does not hold or nothing can be told, or 2 for a wrong flag.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"interregnum/internal/newest"
)

func main() {
	version := flag.String("version", "", "the version of k8s.io/client-go to look at, such as v0.38.0-rc.0 (default: the newest)")
	fresh := flag.Int("fresh", 2000, "how many fresh plans to compare, beside the pinned ones")
	first := flag.Int("first", 1_000_000, "the seed of the first fresh plan")
	flag.Parse()
	if err := run(os.Stdout, goCommand, *version, plans{*fresh, *first}); err != nil {
		fmt.Fprintln(os.Stderr, "head:", err)
		os.Exit(1)
	}
}

// run prints the table for that version, or for the newest if version is "". If parity does not hold or cannot be run, it prints
// the table and returns an error. It prints no table if the proxy or the sources of a version cannot be read, and returns that
// error.
func run(out io.Writer, command command, version string, p plans) error {
	versions := []string{version}
	if version == "" {
		var err error
		if versions, err = newerVersions(command); err != nil {
			return err
		}
	}
	t := table{version: versions[0]}
	for _, part := range parts {
		c, err := part.since(command, t.version)
		if err != nil {
			return err
		}
		t.changes = append(t.changes, *c)
	}
	dir, err := os.MkdirTemp("", "head")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	failed := p.parity(&t, command, dir, versions)
	if _, err := io.WriteString(out, t.String()); err != nil {
		return err
	}
	return failed
}

// since returns what differs in the package between newest.Version and that version.
func (p part) since(command command, version string) (*change, error) {
	before, err := p.fetched(command, newest.Version)
	if err != nil {
		return nil, err
	}
	after, err := p.fetched(command, version)
	if err != nil {
		return nil, err
	}
	return p.compare(before, after)
}
