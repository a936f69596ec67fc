// Package setting tells what the name of a flag, variable or field says that it sets of leader election, and nothing of its value.
package setting

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/gate/files/scalar"
)

// Key says what a setting sets. Code compares keys with < and <=, so that their order counts: the timings come first.
type Key int

// The keys; None is that of nothing of leader election.
const (
	None Key = iota
	LeaseDuration
	RenewDeadline
	RetryPeriod
	Enable
	Disable
	ReleaseOnCancel
	ResourceLock
	// ElectionType is the kind of lock, as ResourceLock, or the system in which the election is.
	ElectionType
	// ElectionTTL is ingress-nginx's, and Datadog's agent's: the lease, with a half and a quarter of it for the others.
	ElectionTTL
	// OtherTiming is a duration of leader election by its name, and none of those above.
	OtherTiming
	// Mention is another setting of leader election, such as the name of the lock.
	Mention
)

// String returns the key's name, such as leaseDuration; "" for None, OtherTiming and mention.
func (k Key) String() string {
	return [...]string{"", "leaseDuration", "renewDeadline", "retryPeriod", "enable", "disable", "releaseOnCancel", "resourceLock", "electionType", "electionTTL", "", ""}[k]
}

// IsYesOrNo tells whether a flag of that key can stand on a command line without a value: those that take a yes or no, and a
// mention, of which nobody knows what it takes.
func (k Key) IsYesOrNo() bool {
	return k == Enable || k == Disable || k == ReleaseOnCancel || k == Mention
}

// TimingKeys are the keys in the order of Target.
var TimingKeys = [...]Key{LeaseDuration, RenewDeadline, RetryPeriod}

// Setting is what the name of a flag, variable or field tells.
type Setting struct {
	Key Key
	// Certain: the name itself speaks of leader election. Names such as --lease-duration may be about anything.
	Certain bool
	// Unit is what the name says that its value is a number of; 0 where it says nothing.
	Unit time.Duration
}

// roles are the words in which the name of a setting can end, and what it then sets. The first one that fits counts.
var roles = []struct {
	word string
	key  Key
	// surely: only together with words of leader election; certificates are renewed, too.
	surely bool
}{
	{"leaseduration", LeaseDuration, false},
	{"renewdeadline", RenewDeadline, false},
	{"renewdeadlineduration", RenewDeadline, false}, // kops
	{"leaserenewduration", RenewDeadline, false},    // kube-vip
	{"renewduration", RenewDeadline, false},         // OpenTelemetry's collector
	{"renewperiod", RenewDeadline, true},            // Gloo
	{"retryperiod", RetryPeriod, false},
	{"leaseretry", RetryPeriod, false}, // kube-vip
	{"resourcelock", ResourceLock, false},
	{"electiontype", ElectionType, true}, {"electtype", ElectionType, true}, {"locktype", ElectionType, true},
}

// releases is in names of settings that release the lock, such as release-leader-election-lock-on-exit.
var releases = regexp.MustCompile(`release.*on(?:cancel|exit|shutdown|stop|term|termination)$`)

// enables and disables turn leader election on and off.
var (
	enables = []string{
		"leaderelect", "leaderelection", "enableleaderelection", "enableleaderelect",
		"leaderelectionenabled", "leaderelectenabled", "leaderelectionenable", "leaderelectenable", "vipleaderelection", "enablel2announcements",
	}
	disables = []string{
		"leaderelectiondisable", "leaderelectiondisabled", "disableleaderelection", "disableleaderelect",
		"noleaderelection", "noleaderelect", "skipleaderelection", "skipleaderelect",
	}
	// prefixedEnables and disables may have the name of the program before them: STRIMZI_LEADER_ELECTION_ENABLED.
	prefixedEnables = []string{
		"enableleaderelection", "enableleaderelect", "leaderelectionenabled", "leaderelectenabled", "leaderelectionenable", "leaderelectenable",
	}
)

// leading are words before a role that say that it is about a leader; the last one is Cilium's, which elects one for
// each service.
var leading = []string{"leader", "election", "l2announcements"}

// units end a name whose value is a number of them, the longer first.
var units = []struct {
	word string
	unit time.Duration
}{
	{"inmilliseconds", time.Millisecond}, {"milliseconds", time.Millisecond}, {"millis", time.Millisecond},
	{"inseconds", time.Second}, {"seconds", time.Second}, {"secs", time.Second}, {"sec", time.Second},
	{"ms", time.Millisecond},
}

// withoutUnit returns a name, in the form of Normal, without the unit at its end, and that unit; 0 if there is none.
func withoutUnit(name string) (word string, unit time.Duration) {
	for _, u := range units {
		if before, ok := strings.CutSuffix(name, u.word); ok {
			return before, u.unit
		}
	}
	return name, 0
}

// EndsIn tells whether a name ends in at least one of the words.
func EndsIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(name, word) })
}

// Normal returns a name in lower case without hyphens, underscores and dots, so that its spellings compare as equal.
func Normal(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// Hint is in every text with settings of leader election, and in the configuration of a scheduler, which elects where nothing says so.
var Hint = regexp.MustCompile(`(?i)leader|kubeschedulerconfiguration|lease[-_.]?duration|renew[-_.]?deadline|retry[-_.]?period|l2[-_.]?announcements`)

// Of returns what a flag, an environment variable or a field sets, by its name. The key is None if that is nothing of
// leader election, and for names of more than 100 bytes.
//
// The name of a timing ends in a role, such as lease-duration. If words of leader election are before the role, the setting is
// certain. If nothing but lease or vip is before it, the setting is uncertain. Other words make it another lease's, as in
// --node-lease-duration-seconds, and the key is None. A name without a role that contains leaderelect, in the form of Normal, is
// an OtherTiming if it has a word of a duration. Otherwise it is a mention if it begins with leaderelect or enableleaderelect. Any
// other name that speaks of a leader and of a lease, of renewing or of trying again is an uncertain OtherTiming.
// A leader-election-timeout is an uncertain mention.
func Of(name string) Setting {
	if len(name) > 100 {
		return Setting{}
	}
	n := Normal(name)
	switch {
	case strings.Contains(n, "unclean"): // Kafka's unclean.leader.election.enable
		return Setting{}
	case EndsIn(n, disables):
		return Setting{Key: Disable, Certain: true}
	case slices.Contains(enables, n) || EndsIn(n, prefixedEnables):
		return Setting{Key: Enable, Certain: true}
	case n == "electionttl" || n == "ddleaderleaseduration":
		return Setting{Key: ElectionTTL, Certain: true}
	case n == "electionid":
		return Setting{Key: Mention, Certain: true}
	case releases.MatchString(n) && speaksOfLeader(n):
		return Setting{Key: ReleaseOnCancel, Certain: true}
	case releases.MatchString(strings.TrimPrefix(n, "lease")) && strings.HasPrefix(strings.TrimPrefix(n, "lease"), "release"):
		return Setting{Key: ReleaseOnCancel}
	}
	word, unit := withoutUnit(n)
	for _, r := range roles {
		prefix, ok := strings.CutSuffix(word, r.word)
		if !ok {
			continue
		}
		certain := speaksOfLeader(prefix)
		bare := prefix == "" || prefix == "lease" || prefix == "vip"
		if certain || bare && !r.surely {
			return Setting{Key: r.key, Certain: certain, Unit: unit}
		}
	}
	if word == "leaderelectiontimeout" || word == "leaderelecttimeout" { // how long a candidate of Raft waits, in most programs
		return Setting{Key: Mention}
	}
	about := strings.HasPrefix(n, "leaderelect") || strings.HasPrefix(n, "enableleaderelect")
	switch {
	case strings.Contains(n, "leaderelect") && timing.MatchString(n):
		return Setting{Key: OtherTiming, Certain: about, Unit: unit}
	case about:
		return Setting{Key: Mention, Certain: true}
	case speaksOfLeader(n) && Renewal.MatchString(n):
		return Setting{Key: OtherTiming, Unit: unit}
	}
	return Setting{}
}

// Together returns the timings among names that have one prefix with both a lease duration and a renew deadline, by their form of Normal:
// these are an election's, whatever the prefix says, such as HA. The word lease may follow the prefix. With the timings comes what turns that
// election on, the prefix and enabled.
func Together(names []string) map[string]Setting {
	of := map[string]map[string]Setting{}
	for _, name := range names {
		word, unit := withoutUnit(Normal(name))
		for _, r := range roles {
			prefix, ok := strings.CutSuffix(word, r.word)
			if prefix = strings.TrimSuffix(prefix, "lease"); ok && prefix != "" && r.key <= RetryPeriod && !r.surely {
				if of[prefix] == nil {
					of[prefix] = map[string]Setting{prefix + "enabled": {Key: Enable, Certain: true}}
				}
				of[prefix][Normal(name)] = Setting{r.key, true, unit}
				break
			}
		}
	}
	found := map[string]Setting{}
	for _, all := range of {
		var has [Mention + 1]bool
		for _, s := range all {
			has[s.Key] = true
		}
		if has[LeaseDuration] && has[RenewDeadline] {
			maps.Copy(found, all)
		}
	}
	return found
}

// OfValue returns Of(name). If that is nothing, and value is a yes or no, a name that ends in leader-election turns election on or
// off; before it the name of a program may stand, as in DD_LEADER_ELECTION.
func OfValue(name, value string) Setting {
	s, n := Of(name), Normal(name)
	if s.Key == None && strings.HasSuffix(n, "leaderelection") && !strings.Contains(n, "unclean") {
		if _, err := scalar.Boolean(value); err == nil {
			return Setting{Key: Enable, Certain: true}
		}
	}
	return s
}

// speaksOfLeader tells whether a name, in the form of Normal, has one of the words of leading in it. The election in selection
// does not count.
func speaksOfLeader(name string) bool {
	name = strings.ReplaceAll(name, "selection", "")
	return slices.ContainsFunc(leading, func(word string) bool { return strings.Contains(name, word) })
}

// timing is in names of durations that may be those of an election.
var timing = regexp.MustCompile(`(?i)lease|renew|retry|deadline|duration|interval|period|ttl`)

// Renewal is in the names of durations that a program may have in place of those that are read, such as leader-retry-interval.
var Renewal = regexp.MustCompile("lease|renew|retry")

// Turn has the short names that turn an election on or off where the mapping around them is about one.
var Turn = map[string]Setting{
	"enabled": {Key: Enable, Certain: true}, "enable": {Key: Enable, Certain: true}, "leaderelect": {Key: Enable, Certain: true},
	"disable": {Key: Disable, Certain: true}, "disabled": {Key: Disable, Certain: true},
}

// InStanza returns what a field of a leaderElection mapping sets, by its name, which can be short there, such as enabled. The
// setting is certain. Its key is OtherTiming for any other name with a word of a duration, and None if the name tells nothing.
func InStanza(name string) Setting {
	if s, ok := Turn[Normal(name)]; ok {
		return s
	}
	switch Normal(name) {
	case "type", "locktype", "backend", "provider":
		return Setting{Key: ElectionType, Certain: true}
	}
	s := Of(name)
	if s.Key == None && timing.MatchString(name) {
		s.Key = OtherTiming
	}
	s.Certain = true
	return s
}

// Speaks tells whether a value that is put at steps, or one of these, speaks of leader election.
func Speaks(steps []string, value string) bool {
	return Hint.MatchString(strings.Join(steps, "\n")+"\n"+value) || len(steps) > 0 && Of(steps[len(steps)-1]).Key != None
}

// IsStanza tells whether a field of that name holds a mapping of leader election settings.
func IsStanza(name string) bool {
	switch Normal(name) {
	case "leaderelection", "leaderelectionconfig", "leaderelectionconfiguration", "leaderelect", "l2announcements":
		return true
	}
	return false
}

// IsContainers tells whether a field of that name holds a pod's containers: the name ends in containers, as initContainers and
// a chart's extraContainers do.
func IsContainers(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "containers")
}

// IsConfigFlag tells whether a flag of that name names a file of configuration.
func IsConfigFlag(name string) bool {
	switch Normal(name) {
	case "config", "configfile", "configpath", "configuration", "componentconfig", "controllerconfig", "managerconfig":
		return true
	}
	return false
}
