package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// Assumes returns one line, a sentence, that says what the verdict assumes: the profile if it is assumed, the request timeout,
// the closing of connections if it makes a difference, the release, the client if j.Client is set, the timings that nobody gave,
// and the environment.
func (j *Judgement) Assumes() string { return j.assumes() + "; " + j.environmentWords() + "." }

// AssumesHere returns what the verdict assumes, for a report that shows the run's environment elsewhere. If the target has an
// environment of its own, this is the sentence that Assumes returns. Otherwise it is the same text without the environment and
// the full stop.
func (j *Judgement) AssumesHere() string {
	if j.Own != nil {
		return j.Assumes()
	}
	return j.assumes()
}

// assumes returns in words what the verdict assumes, without the environment.
func (j *Judgement) assumes() string {
	text := j.libraryWords() + j.TimeoutWords() + j.closingWords() + "; " + j.ReleaseWords()
	if j.Client != nil {
		text += "; " + j.clientAssumed()
	}
	if defaults := j.DefaultWords(); defaults != "" {
		text += "; " + defaults
	}
	return text
}

// libraryWords returns in words the profile and the lock, as far as they are assumed or come from the program's code; "" if they do
// neither.
func (j *Judgement) libraryWords() (text string) {
	switch {
	case j.ProfileAssumed && j.LockAssumed:
		text = j.Profile.Name + " on a Lease (assumed); "
	case j.ProfileAssumed:
		text = j.Profile.Name + " (assumed); "
	case j.VersionAssumed && (j.LockAssumed || j.LockOpen):
		text = j.Profile.Name + " " + ClientGoText(bound.Newest) + ", on a Lease (assumed); "
	case j.VersionAssumed:
		text = j.Profile.Name + " " + ClientGoText(bound.Newest) + " (assumed); "
	case j.LockAssumed || j.LockOpen:
		text = "a Lease (assumed); "
	}
	text += j.versionWords()
	if j.LockFrom != "" {
		text += "lock " + string(j.Lock) + " (" + j.LockFrom + "); "
	}
	return text
}

// OlderThanShown tells whether the result counts what only older versions of client-go do, and the simulated world does not: a release that
// reads nothing, or calls that wait a Retry-After out.
func (j *Judgement) OlderThanShown() bool {
	asleep := slices.ContainsFunc(j.Result.Terms, func(t bound.Term) bool { return t.Name == "retryAfter" })
	return asleep || j.ReleaseOnCancel && j.Unread()
}

// versionWords returns in words which client-go the program has, who says so, and which profile stands for it; "" if nobody says it.
func (j *Judgement) versionWords() string {
	if j.ClientGo == 0 {
		return ""
	}
	return VersionWords(&j.Config, j.ClientGo, j.ClientGoFrom) + "; "
}

// VersionWords returns in words the version of client-go whose second number is minor, from, which says who tells it, and what of c stands for it.
func VersionWords(c *bound.Config, minor int, from string) string {
	return fmt.Sprintf("%s %s (%s), by profile %s%s", machine.ClientGo.Name, ClientGoText(minor), from, c.Profile.Name,
		either(c.Minor == 0, "", " and what differs from it"))
}

// TimeoutWords returns in words which request timeout the verdict assumes, and where that timeout comes from. Where it comes
// from TimeoutDefault, and the client is client-go, it also says what the verdict would be with half of RenewDeadline. It
// never returns "".
func (j *Judgement) TimeoutWords() string {
	switch {
	case j.Profile.Client == machine.OfCSharp:
		return "request timeout none (with one, that client stops sooner)"
	case !j.Profile.TimesOut():
		return "request timeout none (that client has none)"
	}
	half := phrase.Duration(plan.HalfOf(j.RenewDeadline))
	switch j.Timeout.Kind {
	case programs.Either:
		return fmt.Sprintf("request timeout none or %s, whichever is worse (not known)", half)
	case programs.Half:
		return fmt.Sprintf("request timeout %s, half of RenewDeadline (%s)", half, j.whoSays(j.TimeoutFrom))
	}
	from := j.whoSays(j.TimeoutFrom)
	switch j.TimeoutFrom {
	case "":
		from = "given"
	case TimeoutDefault:
		from = "default; with half of RenewDeadline, as controller-runtime has it, " + j.halfWords()
		if j.Profile.OtherClient() {
			from = "default"
		}
	}
	if j.RequestTimeout == 0 {
		return fmt.Sprintf("request timeout none (%s)", from)
	}
	return fmt.Sprintf("request timeout %s (%s)", phrase.Duration(j.RequestTimeout), from)
}

// closingWords returns in words, to follow the request timeout, whether the client closes a connection on which nothing comes,
// and what that does to a request. For a safe verdict that counts no closings, it says by how much closings would make it unsafe.
// It returns "" where closings make no difference to the verdict, and where there is no result.
func (j *Judgement) closingWords() string {
	switch {
	case j.Result == nil:
		return ""
	case j.Covered && j.Closing == 0 && j.closes():
		return fmt.Sprintf(", but the client closes a connection on which nothing comes for %s, and sends a read again", plan.LongestStall)
	case j.Closing > 0:
		return fmt.Sprintf(", but the client closes a connection on which nothing comes for %s, which counts like a timeout", plan.LongestStall)
	}
	if over := j.Longer(j.IfClosed); over > 0 {
		return fmt.Sprintf("; the client closes no connection while a request is under way (client-go does so when nothing has come for %s: "+
			"then unsafe by %s, see --client)", plan.LongestStall, FormatDuration(over.Round(time.Millisecond)))
	}
	return ""
}

// TimeoutDefault is the value of TimeoutFrom where no flag gives a request timeout, so that there is none.
const TimeoutDefault = "default"

// halfWords returns in words what the verdict would be with a request timeout of half of RenewDeadline: "safe by …", "unsafe by
// …", "unsafe" where the overlap has no end, or "not judged".
func (j *Judgement) halfWords() string {
	c := j.Config
	c.RequestTimeout = plan.HalfOf(c.RenewDeadline)
	r, err := bound.Of(&c, &j.Environment)
	switch {
	case err != nil || bound.Refused(&c) != nil:
		return "not judged"
	case r.Plan.Endless.InOnePlan():
		return "unsafe"
	case r.Safe():
		return "safe by " + FormatDuration(-r.Overlap.Round(time.Millisecond))
	}
	return "unsafe by " + FormatDuration(r.Overlap.Round(time.Millisecond))
}

// ReleaseWords returns in words whether the lock is released on cancel, and where that comes from. It also says if the client has
// no release, and if the release comes only when OnStartedLeading has returned. If a safe verdict only assumes that there is no
// release, and a release would make it unsafe, it says so.
func (j *Judgement) ReleaseWords() string {
	if !j.Profile.Releases() {
		return "no release (that client has none)"
	}
	if j.ReleasesLater() {
		return fmt.Sprintf("releases the lock when OnStartedLeading returns (%s), and all work is over by then", j.whoSays(j.ReleaseFrom))
	}
	if j.ReleaseOnCancel {
		return fmt.Sprintf("releases the lock (%s)", j.whoSays(j.ReleaseFrom))
	}
	if over := j.Longer(j.IfReleased); over > 0 {
		return fmt.Sprintf("no release (assumed; with one unsafe by %s, see --release-on-cancel)", FormatDuration(over.Round(time.Millisecond)))
	}
	return fmt.Sprintf("no release (%s)", j.whoSays(j.ReleaseFrom))
}

// whoSays returns in words where a setting comes from. If from is the source of the program's code, it returns the program's
// name. If from is programs.SomeVersions, it says of which program. If from is "assumed", it adds the program's name, where the program
// is known. If from is empty, it returns "assumed". It returns any other from as it is.
func (j *Judgement) whoSays(from string) string {
	switch {
	case from == "":
		return assumed
	case j.Program != nil && from == j.Program.Source:
		return "the code of " + j.Program.Name
	case j.Program != nil && from == programs.SomeVersions:
		return "some versions of " + j.Program.Name + " do"
	case j.Program != nil && from == assumed:
		return "assumed of " + j.Program.Name
	}
	return from
}

// DefaultWords returns in words the timings that nobody gave, with their values, and whose defaults they are; "" if all timings
// are given.
func (j *Judgement) DefaultWords() string {
	if len(j.Defaulted) == 0 {
		return ""
	}
	whose := "assumed, as is customary"
	if j.Program != nil {
		whose = "the default of " + either(j.Program.Newer, "newer versions of ", "") + j.Program.Name
	}
	return strings.Join(j.timingWords(j.Defaulted, " "), ", ") + ": " + whose
}

// environmentWords returns in words which environment the verdict assumes, its parts with commas between. For an environment of
// the target's own, the file and line of one of its numbers follow in parentheses.
func (j *Judgement) environmentWords() string {
	e := &j.Environment
	words := []string{
		"answers within " + FormatDuration(e.MaxRoundTrip) + " or lost",
		either(e.MaxDriftPPM == 0, "clocks true", fmt.Sprintf("clocks ±%d ppm", e.MaxDriftPPM)),
		j.pauseWords(),
		either(e.Drain == 0, "work ends at once", "work ends within "+FormatDuration(e.Drain)),
	}
	words = append(words, j.clientWords()...)
	switch {
	case j.Profile.EndsInTime():
		words = append(words, either(e.MaxClockOffset == 0, "nobody sets a wall clock", "wall clocks set by up to "+FormatDuration(e.MaxClockOffset)))
	case j.Lock.ByCaller(j.Now):
		words = append(words, "wall clocks "+either(e.MaxClockOffset == 0, "agree", FormatDuration(e.MaxClockOffset)+" apart"))
	case j.Profile.Client == machine.OfClientGo && j.Profile.ComparesSeconds() && !j.Lock.Expires():
		words = append(words, "no wall clock set back"+either(!j.Passes() || j.newNames(), "", ", nor a name used again on a host whose clock is behind"))
	}
	if j.Own != nil {
		for _, n := range j.Own.Numbers() {
			if strings.Contains(n.Source, ":") && !slices.Contains(words, n.Source) {
				words[len(words)-1] += " (" + n.Source + ")"
				break
			}
		}
	}
	return strings.Join(words, ", ")
}

// pauseWords returns in words how long pauses can be. If there are none and the verdict is safe only because of that, it says so:
// with RetryPeriod 1s, for example, code that takes a nanosecond can begin two attempts less than a second apart.
func (j *Judgement) pauseWords() string {
	if j.Environment.MaxPause > 0 {
		return "pauses up to " + FormatDuration(j.Environment.MaxPause)
	}
	if over := j.Longer(j.IfPaused); over > 0 {
		return "no pauses (with the shortest it is unsafe by " + FormatDuration(over.Round(time.Millisecond)) + ")"
	}
	return "no pauses"
}

// clientWords returns in words what the verdict assumes of the client and of the program around it, one text for each assumption;
// nil for the profile strict and for a lock that expires by itself.
func (j *Judgement) clientWords() (words []string) {
	switch j.Profile.Client {
	case machine.OfFabric8:
		return []string{"fabric8's client as the source of v6.9 reads, and a start handler that returns at once"}
	case machine.OfPython:
		return []string{"the client for Python as of v22.6.0"}
	case machine.OfJava:
		return []string{"Kubernetes' own client for Java as its source reads, by HTTP/2"}
	case machine.OfCSharp:
		return []string{"the client for C# as its source reads, an OnStartedLeading that returns at once, and for failover no loop of renewals that outlives its Run"}
	case machine.OfRust:
		return []string{"kube-leader-election for Rust as its source reads, in a program like that of its README, which keeps on with the last answer after an error"}
	}
	if j.Profile.CountsFromRenewal() || j.Lock.Expires() {
		return nil
	}
	words = append(words, either(j.Environment.Reruns, "electors run again", "each elector runs once"+j.restartWords()))
	if f := j.RequestTimeout; f > 0 && j.Client == nil {
		words = append(words, either(j.Environment.MaxRoundTrip <= f, "no waits in the client's limiter",
			"waits of up to "+FormatDuration(j.Environment.MaxRoundTrip-f)+" in the client's limiter"))
	}
	if j.ReleaseOnCancel {
		words = append(words, either(j.Environment.HiddenConflicts, "409s may hide a write", "no 409 hides a write"))
	}
	return words
}

// restartWords returns in words, to follow "each elector runs once", by how much a process that starts again under its own name within
// a second would make a safe verdict unsafe; "" if it would not.
func (j *Judgement) restartWords() string {
	over := j.Longer(j.IfRestarted)
	if over == 0 {
		return ""
	}
	return fmt.Sprintf(", and none starts again under its name within a second (then unsafe by %s, see --reruns)", FormatDuration(over.Round(time.Millisecond)))
}
