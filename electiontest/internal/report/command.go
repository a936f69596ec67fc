package report

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
)

// Command returns the command line that runs the test of that name again.
func Command(test string) string {
	parts := strings.Split(test, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	pattern := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("go test -count=1 -run '%s' %s", pattern, packagePath())
}

// packagePath returns the import path of the package under test, "." if that is not known.
func packagePath() string {
	info, _ := debug.ReadBuildInfo()
	return pathOf(info)
}

// pathOf returns the import path of the package that a test program was built from, "." if that is not known.
func pathOf(info *debug.BuildInfo) string {
	if info == nil || info.Path == "" || strings.HasPrefix(info.Path, "command-line-arguments") { // go test x_test.go
		return "."
	}
	return strings.TrimSuffix(info.Path, ".test") // a package main has no such end
}
