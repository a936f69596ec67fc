// Package modversion says under which versions the modules of this repository can be published.
package modversion

import (
	"slices"

	"golang.org/x/mod/semver"
)

// Publishable tells whether a module without a major version in its path can have that version: it is of major 0 or 1, in
// full, such as v0.1.0 or v1.2.3-rc.1. Build metadata is refused, since Go does not know it: see https://semver.org.
func Publishable(version string) bool {
	return semver.Canonical(version) == version && slices.Contains([]string{"v0", "v1"}, semver.Major(version))
}
