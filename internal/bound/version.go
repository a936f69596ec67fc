package bound

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"interregnum/elector/machine"
)

// These are second numbers of client-go's version: the oldest of which a bound is known, since requests surely end from then on, and that of
// the profile client-go, the newest that was read.
const (
	Oldest = 18
	Newest = 37
)

// versionForm is a version of client-go as go.mod has it. A pre-release counts as its release.
var versionForm = regexp.MustCompile(`^v0\.([0-9]{1,3})(\.[0-9]+(-[0-9A-Za-z.]+)?)?$`)

// ParseClientGo returns N of a version v0.N or v0.N.P of client-go, be it known or not. The error is for any other text.
func ParseClientGo(text string) (minor int, err error) {
	part := versionForm.FindStringSubmatch(text)
	if part == nil {
		return 0, fmt.Errorf("want a version of k8s.io/client-go such as v0.29 or v0.29.3")
	}
	return strconv.Atoi(part[1])
}

// UnknownClientGo returns an error that says why nothing is known of client-go v0 and that number, and which versions are known; nil if
// one can be judged.
func UnknownClientGo(minor int) error {
	why := "none newer was read"
	switch {
	case minor < Oldest:
		why = "before, nothing ends a request, so that no bound is known"
	case minor <= Newest:
		return nil
	}
	return fmt.Errorf("want client-go v0.%d to v0.%d: %s", Oldest, Newest, why)
}

// SetClientGo sets Profile and Minor to those of client-go v0 and that number, which must not be newer than Newest. LeaseDuration must be
// set: the profile client-go-v0.24 is that of v0.18 to v0.25, and stands for v0.26 to v0.29 too; but from v0.27 on a follower waits for the
// record's lease, which has whole seconds. With an older version than UnknownClientGo knows a result holds only if all requests end.
func (c *Config) SetClientGo(minor int) {
	c.Profile, c.Minor = machine.ClientGo, minor
	switch {
	case minor == Newest:
		c.Minor = 0
	case minor >= Oldest && minor <= 25:
		c.Profile, c.Minor = machine.ClientGoV024, 0
	case minor == 26, minor < 30 && c.LeaseDuration%time.Second == 0:
		c.Profile = machine.ClientGoV024
	}
}
