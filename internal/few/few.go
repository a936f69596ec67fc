// Package few says how many of their random cases tests try. go test tries an eighth, so that it is quick, and make deep, which CI runs too, all of them.
// What does the same whatever this package says is left out there, if go test has run it (few/same).
//
// A test that imports this package also makes a quarter of the checks of pgregory.net/rapid, 25 of each property, if neither RAPID_CHECKS
// nor -rapid.checks says how many; and it collects garbage less often (few/garbage).
package few

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flag must be there first

	_ "interregnum/internal/few/garbage"
)

// Variable is the environment variable that is "all" where all cases are tried.
const Variable = "INTERREGNUM_CASES"

// All tells whether all cases are tried.
func All() bool { return os.Getenv(Variable) == "all" }

// Of returns how many of n cases are tried: n, or an eighth of it, rounded up.
func Of(n int) int {
	return Else((n+7)/8, n)
}

// Else returns the value all if all cases are tried, otherwise the value some.
func Else[T any](some, all T) T {
	if All() {
		return all
	}
	return some
}

// init sets -rapid.checks to 25, unless RAPID_CHECKS is set or all cases are tried. A flag on the command line still counts,
// since flags are parsed later.
func init() {
	if os.Getenv("RAPID_CHECKS") != "" || All() {
		return
	}
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
}
