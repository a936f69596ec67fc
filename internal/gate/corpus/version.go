package corpus

import (
	"fmt"
	"strings"
	"time"

	"interregnum/elector/machine"
)

// These are minor versions of k8s.io/client-go, v0.N: the last whose requests carry no context, the last whose leader reads before each
// renewal, the first that does without a release what v0.37 does, and v0.37. In between, leaderelection.go differs in what alike says.
const (
	lastWithoutContext = 17
	lastReadingFirst   = 29
	firstKeepingTicks  = 32
	current            = 37
)

// version is a range of minor versions of client-go, both ends included. rough: the program has a changed copy of their code, or nobody
// knows whether it had that version when it had that code.
type version struct {
	oldest, newest int
	rough          bool
}

// roughly are the words that come first in what is rough.
var roughly = [...]string{"a copy of ", "about "}

// readVersion returns the range for words such as "v0.26.5", "v0.18 to v0.27", "before v0.24" or "from v0.32", which "a copy of" or
// "about" makes rough. Without words it returns the range of all versions. The error is for other words.
func readVersion(words string) (version, error) {
	v := version{newest: current}
	if words == "" {
		return v, nil
	}
	rest := words
	for _, first := range roughly {
		if cut, found := strings.CutPrefix(rest, first); found {
			rest, v.rough = cut, true
		}
	}
	var err error
	switch from, to, between := strings.Cut(rest, " to "); {
	case between:
		if v.oldest, err = minor(from); err == nil {
			v.newest, err = minor(to)
		}
	case strings.HasPrefix(rest, "before "):
		v.newest, err = minor(strings.TrimPrefix(rest, "before "))
		v.newest--
	case strings.HasPrefix(rest, "from "):
		v.oldest, err = minor(strings.TrimPrefix(rest, "from "))
	default:
		v.oldest, err = minor(rest)
		v.newest = v.oldest
	}
	if err == nil && (v.oldest > v.newest || v.newest > current) {
		err = fmt.Errorf("client-go %s: want versions up to v0.%d, the oldest first", words, current)
	}
	return v, err
}

// minor returns N of a version v0.N or v0.N.P. The error is for other words.
func minor(words string) (n int, err error) {
	if _, err = fmt.Sscanf(words, "v0.%d", &n); err != nil {
		return 0, fmt.Errorf("client-go %q: want v0.N or v0.N.P", words)
	}
	return n, nil
}

// profile returns the profile that stands for the newest version of the range.
func (v version) profile() machine.Profile {
	switch {
	case v.newest <= lastWithoutContext:
		return machine.ClientGoV017
	case v.newest <= lastReadingFirst:
		return machine.ClientGoV024
	}
	return machine.ClientGo
}

// alike tells whether all versions of the range do what their profile does, for a lock with that lease that is released or not. A blind
// release goes on after a failed read since v0.26. Since v0.27 others wait for the whole seconds in the record. v0.30 and v0.31 drop
// ticks, and up to v0.36 no release is repeated. For a version without a bound it is true, since nothing is claimed.
func (v version) alike(lease time.Duration, released bool) bool {
	switch {
	case v.rough:
		return false
	case v.newest <= lastWithoutContext:
		return true
	case v.newest <= lastReadingFirst:
		return v.oldest > lastWithoutContext && (v.newest < 26 || !released) && (v.newest < 27 || lease%time.Second == 0)
	case released:
		return v.oldest == current
	}
	return v.oldest >= firstKeepingTicks
}
