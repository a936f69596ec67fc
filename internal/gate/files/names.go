package files

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/gate/files/scalar"
)

// key says what a setting sets. Code compares keys with < and <=, so that their order counts: the timings come first.
type key int

const (
	noKey key = iota
	leaseDuration
	renewDeadline
	retryPeriod
	enable
	disable
	releaseOnCancel
	resourceLock
	// electionType is the kind of lock, as resourceLock, or the system in which the election is.
	electionType
	// electionTTL is ingress-nginx's, and Datadog's agent's: the lease, with a half and a quarter of it for the others.
	electionTTL
	// otherTiming is a duration of leader election by its name, and none of those above.
	otherTiming
	// mention is another setting of leader election, such as the name of the lock.
	mention
)

// String returns the key's name, such as leaseDuration; "" for noKey, otherTiming and mention.
func (k key) String() string {
	return [...]string{"", "leaseDuration", "renewDeadline", "retryPeriod", "enable", "disable", "releaseOnCancel", "resourceLock", "electionType", "electionTTL", "", ""}[k]
}

// isYesOrNo tells whether a flag of that key can stand on a command line without a value: those that take a yes or no, and a
// mention, of which nobody knows what it takes.
func (k key) isYesOrNo() bool {
	return k == enable || k == disable || k == releaseOnCancel || k == mention
}

// timingKeys are the keys in the order of Target.
var timingKeys = [...]key{leaseDuration, renewDeadline, retryPeriod}

// setting is what the name of a flag, variable or field tells.
type setting struct {
	key key
	// certain: the name itself speaks of leader election. Names such as --lease-duration may be about anything.
	certain bool
	// unit is what the name says that its value is a number of; 0 where it says nothing.
	unit time.Duration
}

// roles are the words in which the name of a setting can end, and what it then sets. The first one that fits counts.
var roles = []struct {
	word string
	key  key
	// surely: only together with words of leader election; certificates are renewed, too.
	surely bool
}{
	{"leaseduration", leaseDuration, false},
	{"renewdeadline", renewDeadline, false},
	{"renewdeadlineduration", renewDeadline, false}, // kops
	{"leaserenewduration", renewDeadline, false},    // kube-vip
	{"renewduration", renewDeadline, false},         // OpenTelemetry's collector
	{"renewperiod", renewDeadline, true},            // Gloo
	{"retryperiod", retryPeriod, false},
	{"leaseretry", retryPeriod, false}, // kube-vip
	{"resourcelock", resourceLock, false},
	{"electiontype", electionType, true}, {"electtype", electionType, true}, {"locktype", electionType, true},
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

// withoutUnit returns a name, in the form of normal, without the unit at its end, and that unit; 0 if there is none.
func withoutUnit(name string) (word string, unit time.Duration) {
	for _, u := range units {
		if before, ok := strings.CutSuffix(name, u.word); ok {
			return before, u.unit
		}
	}
	return name, 0
}

// endsIn tells whether a name ends in at least one of the words.
func endsIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(name, word) })
}

// normal returns a name in lower case without hyphens, underscores and dots, so that its spellings compare as equal.
func normal(name string) string {
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

// hint is in every text with settings of leader election.
var hint = regexp.MustCompile(`(?i)leader|lease[-_.]?duration|renew[-_.]?deadline|retry[-_.]?period|l2[-_.]?announcements`)

// settingOf returns what a flag, an environment variable or a field sets, by its name. The key is noKey if that is nothing of
// leader election, and for names of more than 100 bytes.
//
// The name of a timing ends in a role, such as lease-duration. If words of leader election are before the role, the setting is
// certain. If nothing but lease or vip is before it, the setting is uncertain. Other words make it another lease's, as in
// --node-lease-duration-seconds, and the key is noKey. A name without a role that contains leaderelect, in the form of normal, is
// an otherTiming if it has a word of a duration. Otherwise it is a mention if it begins with leaderelect or enableleaderelect. Any
// other name that speaks of a leader and of a lease, of renewing or of trying again is an uncertain otherTiming.
// A leader-election-timeout is an uncertain mention.
func settingOf(name string) setting {
	if len(name) > 100 {
		return setting{}
	}
	n := normal(name)
	switch {
	case strings.Contains(n, "unclean"): // Kafka's unclean.leader.election.enable
		return setting{}
	case endsIn(n, disables):
		return setting{key: disable, certain: true}
	case slices.Contains(enables, n) || endsIn(n, prefixedEnables):
		return setting{key: enable, certain: true}
	case n == "electionttl" || n == "ddleaderleaseduration":
		return setting{key: electionTTL, certain: true}
	case n == "electionid":
		return setting{key: mention, certain: true}
	case releases.MatchString(n) && speaksOfLeader(n):
		return setting{key: releaseOnCancel, certain: true}
	case releases.MatchString(strings.TrimPrefix(n, "lease")) && strings.HasPrefix(strings.TrimPrefix(n, "lease"), "release"):
		return setting{key: releaseOnCancel}
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
			return setting{key: r.key, certain: certain, unit: unit}
		}
	}
	if word == "leaderelectiontimeout" || word == "leaderelecttimeout" { // how long a candidate of Raft waits, in most programs
		return setting{key: mention}
	}
	about := strings.HasPrefix(n, "leaderelect") || strings.HasPrefix(n, "enableleaderelect")
	switch {
	case strings.Contains(n, "leaderelect") && timing.MatchString(n):
		return setting{key: otherTiming, certain: about, unit: unit}
	case about:
		return setting{key: mention, certain: true}
	case speaksOfLeader(n) && renewal.MatchString(n):
		return setting{key: otherTiming, unit: unit}
	}
	return setting{}
}

// ofOnePrefix returns the timings among names that have one prefix with both a lease duration and a renew deadline, by their form of normal:
// these are an election's, whatever the prefix says, such as HA. The word lease may follow the prefix. With the timings comes what turns that
// election on, the prefix and enabled.
func ofOnePrefix(names []string) map[string]setting {
	of := map[string]map[string]setting{}
	for _, name := range names {
		word, unit := withoutUnit(normal(name))
		for _, r := range roles {
			prefix, ok := strings.CutSuffix(word, r.word)
			if prefix = strings.TrimSuffix(prefix, "lease"); ok && prefix != "" && r.key <= retryPeriod && !r.surely {
				if of[prefix] == nil {
					of[prefix] = map[string]setting{prefix + "enabled": {key: enable, certain: true}}
				}
				of[prefix][normal(name)] = setting{r.key, true, unit}
				break
			}
		}
	}
	found := map[string]setting{}
	for _, all := range of {
		var has [mention + 1]bool
		for _, s := range all {
			has[s.key] = true
		}
		if has[leaseDuration] && has[renewDeadline] {
			maps.Copy(found, all)
		}
	}
	return found
}

// valued returns settingOf(name). If that is nothing, and value is a yes or no, a name that ends in leader-election turns election on or
// off; before it the name of a program may stand, as in DD_LEADER_ELECTION.
func valued(name, value string) setting {
	s, n := settingOf(name), normal(name)
	if s.key == noKey && strings.HasSuffix(n, "leaderelection") && !strings.Contains(n, "unclean") {
		if _, err := scalar.Boolean(value); err == nil {
			return setting{key: enable, certain: true}
		}
	}
	return s
}

// speaksOfLeader tells whether a name, in the form of normal, has one of the words of leading in it. The election in selection
// does not count.
func speaksOfLeader(name string) bool {
	name = strings.ReplaceAll(name, "selection", "")
	return slices.ContainsFunc(leading, func(word string) bool { return strings.Contains(name, word) })
}

// timing is in names of durations that may be those of an election.
var timing = regexp.MustCompile(`(?i)lease|renew|retry|deadline|duration|interval|period|ttl`)

// renewal is in the names of durations that a program may have in place of those that are read, such as leader-retry-interval.
var renewal = regexp.MustCompile("lease|renew|retry")

// turns has the short names that turn an election on or off where the mapping around them is about one.
var turns = map[string]setting{
	"enabled": {key: enable, certain: true}, "enable": {key: enable, certain: true}, "leaderelect": {key: enable, certain: true},
	"disable": {key: disable, certain: true}, "disabled": {key: disable, certain: true},
}

// stanzaSetting returns what a field of a leaderElection mapping sets, by its name, which can be short there, such as enabled. The
// setting is certain. Its key is otherTiming for any other name with a word of a duration, and noKey if the name tells nothing.
func stanzaSetting(name string) setting {
	if s, ok := turns[normal(name)]; ok {
		return s
	}
	switch normal(name) {
	case "type", "locktype", "backend", "provider":
		return setting{key: electionType, certain: true}
	}
	s := settingOf(name)
	if s.key == noKey && timing.MatchString(name) {
		s.key = otherTiming
	}
	s.certain = true
	return s
}

// speaks tells whether a value that is put at steps, or one of these, speaks of leader election.
func speaks(steps []string, value string) bool {
	return hint.MatchString(strings.Join(steps, "\n")+"\n"+value) || len(steps) > 0 && settingOf(steps[len(steps)-1]).key != noKey
}

// isStanza tells whether a field of that name holds a mapping of leader election settings.
func isStanza(name string) bool {
	switch normal(name) {
	case "leaderelection", "leaderelectionconfig", "leaderelectionconfiguration", "leaderelect", "l2announcements":
		return true
	}
	return false
}

// isContainers tells whether a field of that name holds a pod's containers: the name ends in containers, as initContainers and
// a chart's extraContainers do.
func isContainers(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "containers")
}

// isConfigFlag tells whether a flag of that name names a file of configuration.
func isConfigFlag(name string) bool {
	switch normal(name) {
	case "config", "configfile", "configpath", "configuration", "componentconfig", "controllerconfig", "managerconfig":
		return true
	}
	return false
}
