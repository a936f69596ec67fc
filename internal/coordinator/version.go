package coordinator

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is major, minor and patch.
type Version [3]uint64

// ParseVersion reads 1.36 or 1.36.2. Anything else is an error, and the result then has no meaning. The library's reader accepts
// more forms, and takes anything else for 0.0.0.
func ParseVersion(s string) (Version, error) {
	var v Version
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > len(v) {
		return v, fmt.Errorf("%q has %d parts; want MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 1.36", s, len(parts))
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 32)
		if err != nil || p != strconv.FormatUint(n, 10) {
			return v, fmt.Errorf("%q is not a number in %q; want MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 1.36", p, s)
		}
		v[i] = n
	}
	return v, nil
}

// Compare returns -1 if v is older than w, 1 if it is newer, and 0 if they are the same.
func (v Version) Compare(w Version) int {
	for i := range v {
		switch {
		case v[i] < w[i]:
			return -1
		case v[i] > w[i]:
			return 1
		}
	}
	return 0
}
