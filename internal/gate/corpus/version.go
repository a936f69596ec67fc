package corpus

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
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
	v := version{newest: bound.Newest}
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
	if err == nil && (v.oldest > v.newest || v.newest > bound.Newest) {
		err = fmt.Errorf("client-go %s: want versions up to v0.%d, the oldest first", words, bound.Newest)
	}
	return v, err
}

// minor returns N of a version v0.N or v0.N.P. The error is for other words.
func minor(words string) (n int, err error) {
	if n, err = bound.ParseClientGo(words); err != nil {
		return 0, fmt.Errorf("client-go %q: %w", words, err)
	}
	return n, nil
}

// set gives c the profile and the differences of the newest version of the range. Its timings must be set. A version without a bound gets
// client-go-v0.17.
func (v version) set(c *bound.Config) {
	if v.newest < bound.Oldest {
		c.Profile = machine.ClientGoV017
		return
	}
	c.SetClientGo(v.newest)
}

// alike tells whether all versions of the range do what the newest does, for a lock with that lease that is released or not. It is true for
// a range of versions without a bound, since nothing is claimed of them. docs/method/derivation.md, "Versions between", has what is new in
// each version; none of it but ticks, optimistic updates and the waits of requests matters without a release and with a lease of whole seconds.
func (v version) alike(lease time.Duration, released bool) bool {
	changes := []int{bound.Oldest, 30, 32, 33}
	if lease%time.Second != 0 {
		changes = append(changes, 27)
	}
	if released {
		changes = append(changes, 26, 31, 34, 37)
	}
	return !v.rough && !slices.ContainsFunc(changes, func(first int) bool { return v.oldest < first && first <= v.newest })
}
