package files

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// release is a program's release by its first two numbers, such as 1.20.
type release struct{ major, minor int }

// tagged is the tag of an image that tells a release.
var tagged = regexp.MustCompile(`:v?([0-9]{1,6})\.([0-9]{1,6})(?:[^0-9]|$)`)

// releaseOf returns the release that an image's tag tells; known is false if it tells none.
func releaseOf(image string) (r release, known bool) {
	name, _, _ := strings.Cut(image, "@")
	part := tagged.FindStringSubmatch(path.Base(name))
	if part == nil {
		return release{}, false
	}
	major, _ := strconv.Atoi(part[1])
	minor, _ := strconv.Atoi(part[2])
	return release{major, minor}, true
}

// before tells whether r came before other.
func (r release) before(other release) bool {
	return r.major < other.major || r.major == other.major && r.minor < other.minor
}
