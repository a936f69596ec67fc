// Same prints, as a regular expression for go test -skip, the tests of some folders that do the same whatever internal/few says. CI runs
// these once, in go test, and leaves them out of make deep.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	names, err := same(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(1)
	}
	fmt.Printf("^(%s)$\n", strings.Join(names, "|"))
}

// same returns the names of tests that do the same, sorted. Where folders have tests of one name, it does so only if each of these does the
// same.
func same(folders []string) ([]string, error) {
	differs := map[string]bool{}
	for _, folder := range folders {
		uses, err := read(folder)
		if err != nil {
			return nil, err
		}
		for name := range uses {
			if isTest(name) {
				differs[name] = differs[name] || uses.reach(name)
			}
		}
	}
	names := []string{}
	for name, differs := range differs {
		if !differs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// isTest tells whether go test runs a function of that name, or may do so.
func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz")
}
