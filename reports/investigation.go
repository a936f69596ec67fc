package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// Investigation is what follows from the logs of a cluster, for each lock.
type Investigation struct {
	// Evidence is all that was read.
	Evidence *evidence.Evidence
	Locks    []LockStory
	// Outages are in the order of their beginnings. TooMany: there were too many requests to look for any.
	Outages []Outage
	TooMany bool
	// Problems are files that could not be read, and what is wrong with them.
	Problems []string
	// Timings says where the candidates' timings are from; "" if they were not given.
	Timings string
}

// LockStory is what follows from the logs for one lock.
type LockStory struct {
	*investigate.Story
	investigate.Figures
	// Evidence has what is logged about the lock alone.
	Evidence *evidence.Evidence
}

// NewLockStory returns the story of the lock of p, which is a part of the evidence. It adds a note if a record has another
// LeaseDuration than o says; o can be nil. The error is that of investigate.Tell.
func NewLockStory(p *investigate.Part, o *investigate.Options) (LockStory, error) {
	s, err := investigate.Tell(p.Evidence, p.Lock, o)
	if err != nil {
		return LockStory{}, err
	}
	if note := disagree(s, o); note != "" {
		s.Notes = append(s.Notes, note)
	}
	return LockStory{s, investigate.Count(p.Evidence, s), p.Evidence}, nil
}

// Outline reduces x to what its row in a table of many locks needs, so that many locks take little memory. After that nothing
// else about the lock can be shown.
func (x *LockStory) Outline() {
	s := investigate.Story{Lock: x.Lock, Shared: x.Shared, Mixed: x.Mixed, TwoLed: x.TwoLed, Terms: make([]investigate.Term, min(1, len(x.Terms))), Sightings: make([]investigate.Sighting, min(1, len(x.Sightings)))}
	for i := range x.Pairs {
		if p := &x.Pairs[i]; !x.Same(p) {
			s.Pairs = append(s.Pairs, investigate.Pair{New: 1, Worked: investigate.Judgement{Verdict: p.Worked.Verdict, AtMost: p.Worked.AtMost}})
		}
	}
	s.Losses = make([]investigate.Loss, len(x.Losses))
	if x.Slowest != nil {
		own := *x.Slowest
		own.Wrote, own.Saw = nil, nil
		x.Slowest = &own
	}
	x.Story, x.Evidence = &s, nil
}

// disagree returns a note on the first record whose LeaseDuration is not the one in o; "" if all agree, or o has none. Less than a
// second is no difference, since records have whole seconds, cut or rounded up.
func disagree(s *investigate.Story, o *investigate.Options) string {
	for i := range s.Writes {
		r := &s.Writes[i].Record
		if o != nil && o.LeaseDuration > 0 && r.Holder != "" && r.Duration > 0 && (r.Duration-o.LeaseDuration).Abs() >= time.Second {
			return fmt.Sprintf("A record of %s has a lease of %v, and not of %v, as was given: the given timings are not those of all candidates.",
				words.Visible(r.Holder, words.MaxName), r.Duration, o.LeaseDuration)
		}
	}
	return ""
}

// Certain tells whether there is a lock for which two certainly worked at once.
func (v *Investigation) Certain() bool {
	return slices.ContainsFunc(v.Locks, func(x LockStory) bool { return x.Verdict() == investigate.Certain })
}

// mostRows is how many locks a table has at most.
const mostRows = 1000

// Table is a table of a report. Left is how many rows were left out.
type Table struct {
	Columns []string
	Rows    [][]string
	Left    int
}

// Table returns a table with a row for each lock, in the order of Worst, mostRows at most. The columns that matter least come last.
func (v *Investigation) Table() Table {
	t := Table{Columns: []string{"lock", "two at once", "losses", "changes", "longest gap", "holders", "slowest write", "conflicts"}}
	worst := v.Worst()
	for _, x := range worst[:min(len(worst), mostRows)] {
		name := x.Name()
		if x.Lock.Resource == "leases" {
			name = words.Visible(x.Lock.Namespace+"/"+x.Lock.Name, words.MaxName)
		}
		t.Rows = append(t.Rows, []string{name, x.brief(), x.lossesText(), tallyText(x.Transitions), x.gapText(), x.holdersText(), x.slowestText(), tallyText(x.Conflicts)})
	}
	t.Left = len(v.Locks) - len(t.Rows)
	return t
}

// standings are the words of a table for how a lock stands, the worst one first.
var standings = []string{"CERTAIN", "not known", "no change logged", "impossible"}

// standing returns how a lock stands, as an index of standings, and at how many changes of the holder, 0 if nothing is judged.
func (x *LockStory) standing() (which, changes int) {
	verdict := x.Verdict()
	for i := range x.Pairs {
		if x.Pairs[i].Worked.Verdict == verdict && !x.Same(&x.Pairs[i]) {
			changes++
		}
	}
	switch {
	case verdict == investigate.Certain:
		return 0, changes
	case verdict == investigate.Possible, len(x.Terms) == 0:
		return 1, changes
	case verdict == "":
		return 2, changes
	}
	return 3, changes
}

// brief returns how a lock stands in words that are short enough for a table.
func (x *LockStory) brief() string {
	which, changes := x.standing()
	text := standings[which]
	if changes > 0 {
		text += " at " + words.Count(changes)
	}
	if x.Shared {
		text += ", shared name"
	}
	if x.TwoLed {
		text += ", two by metrics"
	}
	return text
}

// Standings returns a sentence that says for how many locks it is certain, not known or impossible that two worked at once, and
// for how many no change of the holder is logged.
func (v *Investigation) Standings() string {
	counts := make([]int, len(standings))
	for i := range v.Locks {
		which, _ := v.Locks[i].standing()
		counts[which]++
	}
	text, sep := words.Count(len(v.Locks))+" locks. Two worked at once: ", ""
	for i, n := range counts {
		if n > 0 {
			text += sep + standings[i] + " for " + words.Count(n)
			sep = ", "
		}
	}
	return text
}

// Worst returns all locks, the worst one first: by how they stand, then those with most losses, then in the order of v.Locks.
func (v *Investigation) Worst() (all []*LockStory) {
	which := make(map[*LockStory]int, len(v.Locks))
	for i := range v.Locks {
		x := &v.Locks[i]
		which[x], _ = x.standing()
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b *LockStory) int {
		return cmp.Or(cmp.Compare(which[a], which[b]), cmp.Compare(len(b.Losses), len(a.Losses)))
	})
	return all
}

// Together returns the changes of the holder at which two certainly worked at once; none if there are no such ones.
func (x *LockStory) Together() []investigate.Pair {
	return slices.DeleteFunc(slices.Clone(x.Pairs), func(p investigate.Pair) bool { return p.Worked.Verdict != investigate.Certain })
}

// Open returns the last changes of the holder at which it is not certain that two worked at once: they possibly did, or cannot
// have. It returns no more than the number most, which must not be negative; left is how many earlier ones there are. It leaves out
// changes from a holder to itself.
func (x *LockStory) Open(most int) (all []investigate.Pair, left int) {
	all = slices.DeleteFunc(slices.Clone(x.Pairs), func(p investigate.Pair) bool { return p.Worked.Verdict == investigate.Certain || x.Same(&p) })
	left = max(0, len(all)-most)
	return all[left:], left
}

// PairTitle returns a sentence on whether both holders of the pair worked at once: that it is impossible, or not known. It must
// not be called for a pair of which it is certain.
func (x *LockStory) PairTitle(p *investigate.Pair) string {
	who := x.Holder(p.Old) + " and " + x.Holder(p.New)
	switch {
	case p.Worked.Verdict == investigate.Impossible:
		return "Impossible: that " + who + " worked at once"
	case p.Worked.AtMost != nil:
		return "Not known: whether " + who + " worked at once, for " + words.Duration(*p.Worked.AtMost) + " at most"
	}
	return "Not known: whether " + who + " worked at once"
}

// Endings returns, of the last terms, as many as most says, the ends of those of which the cause is known, which were released, or of
// which the logs say more than what the term's last write and the next write were.
func (x *LockStory) Endings(most int) []investigate.Loss {
	return slices.DeleteFunc(slices.Clone(x.Losses), func(l investigate.Loss) bool {
		told := len(l.Chain) > 2 || len(l.Chain) == 2 && !x.Terms[l.Term].Released.IsZero()
		return len(x.Terms)-l.Term > most || l.Cause == investigate.Unknown && !told
	})
}

// EndingTitle returns a sentence on the end of a term, and its cause.
func (x *LockStory) EndingTitle(l *investigate.Loss) string {
	return x.Holder(l.Term) + " lost the lock: " + EndingCause(l)
}

// EndingCause returns why a term ended, as a clause that can follow "because".
func EndingCause(l *investigate.Loss) string {
	switch l.Cause {
	case investigate.Unknown:
		return "the cause is not known"
	case investigate.Conflicts:
		return "its writes met conflicts (409)"
	}
	return string(l.Cause)
}

// Name returns the lock's resource, namespace and name as a text that is safe to show.
func (x *LockStory) Name() string {
	l := x.Lock
	return words.Visible(l.Resource+" "+l.Namespace+"/"+l.Name, words.MaxName)
}

// Outcome returns a few words on whether two worked at once: certain, else not known, else impossible, with the number of such
// changes of the holder. If there is no change, it says why nothing is known. It ends with a warning if a name may be that of
// several processes.
func (x *LockStory) Outcome() string {
	if x.Shared {
		return x.outcome() + "; processes may share a name"
	}
	return x.outcome()
}

// outcome returns the words of Outcome, but for a name that may be shared.
func (x *LockStory) outcome() string {
	count := map[investigate.Verdict]int{}
	for i := range x.Pairs {
		if !x.Same(&x.Pairs[i]) {
			count[x.Pairs[i].Worked.Verdict]++
		}
	}
	switch {
	case x.Mixed:
		return "not known: several objects of that name are logged, as of several clusters"
	case count[investigate.Certain] > 0:
		return "CERTAIN at " + changes(count[investigate.Certain])
	case count[investigate.Possible] > 0:
		return "not known at " + changes(count[investigate.Possible]) + x.atMost()
	case count[investigate.Impossible] > 0:
		return "impossible at " + changes(count[investigate.Impossible]) + ", but for work that drains"
	case len(x.Terms) == 0 && x.TwoLed:
		return "not known: by metrics two led at once, and no audit log shows the writes"
	case len(x.Terms) == 0 && len(x.Sightings) > 0:
		return "not known, since no audit log shows the writes"
	case len(x.Terms) == 0:
		return "nobody is known to have held it"
	case x.Transitions.Least > 0: // it held the lock again after a release, or after somebody else had emptied the record
		return "no other holder is logged"
	}
	return "no change of the holder is logged"
}

// atMost returns a text that says for how long, at most, two possibly worked at once; "" if that is not known of each change. It
// begins with a comma.
func (x *LockStory) atMost() string {
	longest := time.Duration(0)
	for i := range x.Pairs {
		switch j := &x.Pairs[i].Worked; {
		case j.Verdict != investigate.Possible, x.Same(&x.Pairs[i]):
		case j.AtMost == nil:
			return ""
		default:
			longest = max(longest, *j.AtMost)
		}
	}
	return ", for " + words.Duration(longest) + " at most each"
}

// changes formats a number of changes of the holder, such as "2 changes of the holder".
func changes(n int) string {
	if n == 1 {
		return "1 change of the holder"
	}
	return fmt.Sprintf("%s changes of the holder", words.Count(n))
}

// Holder returns the name of the holder of the term with that index, shortened to what a table has room for.
func (x *LockStory) Holder(term int) string { return HolderName(x.Terms[term].Holder) }

// random matches the UUID behind an underscore that client-go's users put behind the name of a host, with its first digits as the group.
var random = regexp.MustCompile(`(_[0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// HolderName returns the name of a holder, shortened to what a table has room for. Of a UUID behind a host's name it keeps the first
// digits alone.
func HolderName(holder string) string {
	return words.Visible(random.ReplaceAllString(holder, "$1…"), 2*words.MaxLabel)
}

// At returns the file and the line of a place, as FILE:LINE.
func (v *Investigation) At(p evidence.Place) string {
	return fmt.Sprintf("%s:%d", words.Visible(v.Evidence.Sources[p.Source].File, words.MaxName), p.Line)
}

// Clock names the source with that index by its file and, if several processes have written into that, by the process.
func (v *Investigation) Clock(source int) string {
	x := &v.Evidence.Sources[source]
	name := words.Visible(x.File, words.MaxName)
	if x.Process != "" && slices.ContainsFunc(v.Evidence.Sources, func(o evidence.Source) bool { return o.File == x.File && o.Process != x.Process }) {
		name += ", " + words.Visible(x.Process, words.MaxName)
	}
	return name
}

// mostPlaces is how many places of a link are named.
const mostPlaces = 3

// Where returns the places of a link, as At has them. Of many it returns the first mostPlaces, and then a text with the number of
// others.
func (v *Investigation) Where(l *investigate.Link) (at []string) {
	for i, p := range l.Places {
		if i == mostPlaces {
			return append(at, fmt.Sprintf("and %s more", words.Count(len(l.Places)-i)))
		}
		at = append(at, v.At(p))
	}
	return at
}

// shownUnit is the unit to which ClockTime cuts off a time.
const shownUnit = time.Millisecond

// ClockTime formats a time by the API server's clock, in UTC, to the millisecond.
func ClockTime(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05.000") }

// Range returns the bounds of a duration in words. A bound of nil is not known. A lower bound of a nanosecond counts as not
// known, since every duration has it.
func Range(low, high *time.Duration) string {
	switch {
	case high == nil && (low == nil || *low == 1):
		return "not known"
	case low == nil || *low == 1: // a nanosecond is the least duration
		return "at most " + words.Duration(*high)
	case high == nil:
		return "at least " + words.Duration(*low)
	case *low == *high:
		return words.Duration(*low)
	}
	return words.Duration(*low) + " to " + words.Duration(*high)
}

// Source returns what a source is, and how many of its lines or objects were kept. The second text ends with how many were
// skipped, for each reason.
func Source(x *evidence.Source) (what, read string) {
	what = string(x.Kind)
	if x.Process != "" {
		what += " of " + words.Visible(x.Process, words.MaxName)
		if x.Container != "" {
			what += ", container " + words.Visible(x.Container, words.MaxName)
		}
		if x.Assumed {
			what += ", as its file's name says"
		}
	}
	read = fmt.Sprintf("%s of %s kept", words.Count(uint64(x.Kept())), words.Count(uint64(x.Lines)))
	for i, k := range x.Skipped {
		sep := ", "
		if i == 0 {
			sep = "; skipped: "
		}
		why := k.Why
		if one, isLines := strings.CutPrefix(why, "lines "); isLines && k.Count == 1 {
			why = "line " + one
		}
		read += fmt.Sprintf("%s%s %s", sep, words.Count(uint64(k.Count)), why)
	}
	return what, read
}

// tallyText returns how often something happened as text: "not known" if nothing logged shows it.
func tallyText(n investigate.Tally) string {
	switch {
	case n.Whole:
		return words.Count(n.Least)
	case n.Least > 0:
		return "at least " + words.Count(n.Least)
	}
	return "not known"
}

// holdersText returns how many have held the lock as text; "not known" if nobody is known to have.
func (x *LockStory) holdersText() string {
	if x.Holders == 0 {
		return "not known"
	}
	return words.Count(x.Holders)
}

// lossesText returns how many terms ended as text; "not known" if no term is known, or if the file mixes two locks.
func (x *LockStory) lossesText() string {
	if x.Mixed || len(x.Terms) == 0 {
		return "not known"
	}
	return words.Count(len(x.Losses))
}

// gapText returns, as text, the longest time between a write and the one that has replaced it; "not known" if no logged write is known
// to have replaced another logged one.
func (x *LockStory) gapText() string {
	if x.GapAfter < 0 {
		return "not known"
	}
	return words.Duration(x.Gap)
}

// slowestText returns how long the slowest write took as text; "not known" if no write is logged.
func (x *LockStory) slowestText() string {
	if x.Slowest == nil {
		return "not known"
	}
	return words.Duration(x.Slowest.Answered.Sub(x.Slowest.Received))
}

// Inferred returns where a timing comes from. That is v.Timings for one that was given. For one that was inferred it is the
// likely value, if there is one, and what the timing was inferred from.
func (v *Investigation) Inferred(x *investigate.Timing) (text string) {
	if !x.Inferred {
		return v.Timings
	}
	if x.Likely > 0 {
		text = "likely " + words.Duration(x.Likely) + ", "
	}
	if x.Name == "LeaseDuration" {
		return text + "inferred from the records"
	}
	var at []string
	for i := range x.Rests {
		at = append(at, v.Where(&x.Rests[i])...)
	}
	return text + "inferred from the logs (" + strings.Join(at, ", ") + ")"
}

// Figures returns the numbers of a lock, each as its name and its value: changes of the holder, the longest time between a write and
// the one that has replaced it, the slowest write, and the requests that were refused for conflicts, throttled or failed.
func (v *Investigation) Figures(x *LockStory) (all [][2]string) {
	gap, slowest := x.gapText(), x.slowestText()
	if x.GapAfter >= 0 {
		gap += fmt.Sprintf(", after the write at %s", v.At(x.Writes[x.GapAfter].Place))
	}
	if x.Slowest != nil {
		slowest += fmt.Sprintf(", %s", v.At(x.Slowest.Place))
	}
	return [][2]string{
		{"changes of the holder", tallyText(x.Transitions)},
		{"longest time between two writes", gap},
		{"slowest write, by the server's clock", slowest},
		{"requests refused for conflicts, throttled, failed", fmt.Sprintf("%s, %s, %s", tallyText(x.Conflicts), tallyText(x.Throttled), tallyText(x.Failed))},
	}
}
