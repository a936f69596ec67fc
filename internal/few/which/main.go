// Which prints a pattern for go test -run: the tests, in the folders that its arguments name, of which go test tries fewer cases than
// make deep does. A test is one of them if it uses internal/few or pgregory.net/rapid, by itself or through what it uses: functions,
// methods of that name, variables and types of its own package, and of other packages of this module. Where an init or TestMain does
// so, all tests of that package are printed. The exit status is 1 if a folder cannot be read.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	tests, err := which(".", os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "which:", err)
		os.Exit(1)
	}
	fmt.Printf("^(%s)$\n", strings.Join(tests, "|"))
}

// which returns the names of those tests, in order. root is the folder of the module; the folders are relative to it.
func which(root string, folders []string) (tests []string, err error) {
	m, err := newModule(root)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		uses, err := m.uses(folder, true)
		if err != nil {
			return nil, err
		}
		all := uses.reach["init"] || uses.reach["TestMain"]
		for _, test := range uses.tests {
			if all || uses.reach[test] {
				tests = append(tests, test)
			}
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests), nil
}
