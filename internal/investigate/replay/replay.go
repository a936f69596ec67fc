// Package replay makes a scenario from what a cluster has logged of a lock: its run has the same writes at the same times.
package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/scenarios"
)

// MaxError is how far the time of a write in the scenario's run may be from the time in which the server worked on the write, by
// the audit log.
const MaxError = 50 * time.Millisecond

// mostWrites is the largest number of writes in a scenario. For a longer story it has those around one change of the holder.
const mostWrites = 60

// Replay is a scenario made from logs.
type Replay struct {
	Scenario *scenarios.Scenario
	// From and Until are the times of the first and of the last write that it has; Start is that of the scenario's beginning.
	From, Until, Start time.Time
	// Writes is how many it has, and Left how many the logs have before and after them.
	Writes, Left int
	// Error is how far a write of the run is at most from when the server applied the write, by what the audit log says.
	Error time.Duration
	// Assumed are the timings that were not given, each with whether it is likely by the logs.
	Assumed []string
	// Denied has in words which certain overlaps the run does not have, and Differs what else of the work in it the story excludes.
	Denied, Differs []string
	// Overlap is for how long two work at once in the run, at most.
	Overlap time.Duration
}

// Make makes a scenario of the lock's writes. If there are more than mostWrites, it takes those around one change of the
// holder: the first one at which two certainly worked at once, else the last one. Where o gives no
// RetryPeriod or RenewDeadline, it tries up to four of the first and two of the second, and takes those with which the run contradicts
// the story least. It returns an error if it finds no scenario whose run has these writes, or if these are by several clocks or of
// several objects. o must not be nil.
func Make(e *evidence.Evidence, s *investigate.Story, o *investigate.Options) (*Replay, error) {
	if len(s.Writes) == 0 {
		return nil, errors.New("no write is logged with its record: nothing can be replayed")
	}
	if s.Several {
		return nil, errors.New("the times of the writes may be by several clocks: when they came, one after the other, is not known")
	}
	if s.Mixed {
		return nil, errors.New("the writes are of several objects of that name, as of several clusters: want the logs of one")
	}
	first, last := window(s)
	when, requests := applied(s.Writes), requestsOf(e, s.Writes)
	b, result, err := best(func() *builder {
		return &builder{e: e, story: s, when: when, requests: requests, first: first, last: last, delay: 100 * time.Microsecond}
	}, o)
	if err != nil {
		return nil, err
	}
	if b.scenario, err = b.shrink(result); err != nil {
		return nil, err
	}
	if result, err = scenarios.Run(b.scenario, scenarios.Options{}); err != nil {
		return nil, err
	}
	off, err := b.compare(result)
	if err != nil {
		return nil, err
	}
	writes := last - first + 1 - len(b.repeated)
	denied, differs := b.denied(result), b.differences(result)
	b.scenario.About = ""
	if len(denied) > 0 {
		b.scenario.About = "Its run denies what is certain by the logs: " + phrase.And(denied) + ". "
	}
	b.scenario.About += fmt.Sprintf("What is logged of %s/%s from %s on: each of %d writes is within %v of when the server applied it.",
		s.Lock.Namespace, s.Lock.Name, b.start.UTC().Format(time.RFC3339), writes, off)
	if n := len(b.repeated); n > 0 {
		b.scenario.About += fmt.Sprintf(" Without those that repeat the one before, and change nothing: %d.", n)
	}
	if len(differs) > 0 {
		b.scenario.About += " The logs contradict it: " + phrase.And(differs) + "."
	}
	return &Replay{Scenario: b.scenario, From: s.Writes[first].Received, Until: s.Writes[last].Received, Start: b.start,
		Writes: writes, Left: len(s.Writes) - (last - first + 1), Error: off, Assumed: b.assumed, Denied: denied, Differs: differs,
		Overlap: overlapOf(result)}, nil
}

// best returns the builder, of those that begin returns, with the timings whose run contradicts the story in the fewest points, and that
// run; of several the first. It ends the search at a run without any. If no timings give a scenario it returns the first error.
func best(begin func() *builder, o *investigate.Options) (found *builder, result *scenarios.Result, err error) {
	type timings struct{ deadline, period time.Duration }
	tried, least := map[timings]bool{}, 0
	for _, deadline := range []func(*builder, time.Duration) time.Duration{(*builder).fittingDeadline, (*builder).longestDeadline} {
		for _, period := range []func(*builder) time.Duration{(*builder).usualGap, (*builder).middleGap, (*builder).defaultPeriod, (*builder).leastGap} {
			b := begin()
			if err := b.timings(o, period, deadline); err != nil {
				return nil, nil, err
			}
			if tried[timings{b.deadline, b.period}] {
				continue
			}
			tried[timings{b.deadline, b.period}] = true
			r, failed := b.try()
			if failed != nil {
				err = cmp.Or(err, failed)
				continue
			}
			if wrong := b.wrong(r); found == nil || wrong < least {
				found, result, least = b, r, wrong
			}
			if least == 0 {
				return found, result, nil
			}
		}
	}
	if found == nil {
		return nil, nil, err
	}
	return found, result, nil
}

// wrong returns in how many points a run contradicts the story. An overlap that it denies counts for more than all else.
func (b *builder) wrong(r *scenarios.Result) int {
	return len(b.denied(r))*1000 + len(b.differences(r))
}

// try builds the scenario, runs it, and returns the result. It returns an error if the run's writes are not those that are
// logged, or more than MaxError away from them.
func (b *builder) try() (*scenarios.Result, error) {
	if err := b.build(); err != nil {
		return nil, err
	}
	result, err := scenarios.Run(b.scenario, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := b.compare(result); err != nil {
		return nil, err
	}
	if strays := b.strays(result); strays > MaxError {
		return nil, fmt.Errorf("no scenario was found: its writes are up to %v from those that are logged", strays)
	}
	return result, nil
}

// window returns the indexes of the first and the last write that are replayed: all, or mostWrites of them at most, around a
// change of the holder (see Make).
func window(s *investigate.Story) (first, last int) {
	if len(s.Writes) <= mostWrites {
		return 0, len(s.Writes) - 1
	}
	middle := len(s.Writes) - 1
	for i := range s.Pairs {
		p := &s.Pairs[i]
		middle = s.Terms[p.New].First
		if p.Worked.Verdict == investigate.Certain {
			break
		}
	}
	first = max(0, middle-mostWrites/2)
	last = min(len(s.Writes)-1, first+mostWrites-1)
	if s.Writes[first].Record.Holder == "" { // a release begins nothing
		first++
	}
	return first, last
}

// timings sets the candidates' timings: to those that are given, else to those of the records, to those that the logs make
// likely, or to what fits them. If none is given or likely, period returns the RetryPeriod to take, but for the bounds that the logs
// give it, and deadline returns the RenewDeadline to take, of which it gets the usual one. What is not given of these two is added to
// b.assumed. timings returns an error if there is no LeaseDuration.
func (b *builder) timings(o *investigate.Options, period func(*builder) time.Duration, deadline func(*builder, time.Duration) time.Duration) error {
	for i := b.first; i <= b.last; i++ {
		if d := b.story.Writes[i].Record.Duration; b.story.Writes[i].Record.Holder != "" && d > 0 {
			b.lease = d
			break
		}
	}
	if o.LeaseDuration == 0 && !b.clientGo() {
		b.lease = b.fitting(b.lease)
	}
	b.lease = cmp.Or(o.LeaseDuration, b.lease)
	if b.lease <= 0 {
		return errors.New("no record has a lease duration, and none is given: nothing can be replayed")
	}
	b.deadline, b.period = o.RenewDeadline, o.RetryPeriod
	if b.period == 0 {
		b.period = min(cmp.Or(b.likely("RetryPeriod"), b.bounded("RetryPeriod", period(b))), cmp.Or(b.deadline, b.lease)*3/4)
	}
	if b.guessed = b.deadline == 0; b.guessed {
		least := time.Duration(machine.JitterFactor*float64(b.period)) + 1
		usual := max(b.lease*2/3, least+(b.lease-least)/4)
		b.deadline = max(cmp.Or(b.likely("RenewDeadline"), b.bounded("RenewDeadline", deadline(b, usual))), least)
		b.assume("RenewDeadline %v%s", b.deadline, b.from("RenewDeadline", b.deadline))
	}
	if o.RetryPeriod == 0 {
		b.assume("RetryPeriod %v%s", b.period, b.from("RetryPeriod", b.period))
	}
	return nil
}

// from returns text to append to a timing of that value which was not given: whether it is what the logs make likely.
func (b *builder) from(name string, value time.Duration) string {
	if b.likely(name) == value {
		return " (likely by the logs)"
	}
	return ""
}

// likely returns the value of a timing that the logs make likely, 0 if there is none.
func (b *builder) likely(name string) time.Duration {
	for i := range b.story.Timings {
		if t := &b.story.Timings[i]; t.Name == name {
			return t.Likely
		}
	}
	return 0
}

// bounded returns d, or the bound of the timing of that name that d is beyond, by the logs.
func (b *builder) bounded(name string, d time.Duration) time.Duration {
	for i := range b.story.Timings {
		t := &b.story.Timings[i]
		switch {
		case t.Name != name:
		case t.Low != nil && d < *t.Low:
			d = *t.Low
		case t.High != nil && d > *t.High:
			d = *t.High
		}
	}
	return d
}

// clientGo tells whether a log says in client-go's words that a process has acquired the lock: client-go cuts the lease in a record to
// whole seconds, so that a candidate's is no shorter than that.
func (b *builder) clientGo() bool {
	return slices.ContainsFunc(b.e.Sayings, func(s evidence.Saying) bool {
		return s.Client == "" && s.Step == evidence.Acquired && strings.Contains(strings.ToLower(s.Text), "successfully acquired lease")
	})
}

// gaps returns the times between renewals, sorted, less three message delays. It leaves out the first renewal of a process and
// others that come at once.
func (b *builder) gaps() (all []time.Duration) {
	for i := b.first + 1; i <= b.last; i++ {
		if gap := b.gap(i); b.renews(i) && !b.acquires(i-1) && gap > 10*b.delay {
			all = append(all, gap-3*b.delay)
		}
	}
	slices.Sort(all)
	return all
}

// usualGap returns a usual time between renewals, for the RetryPeriod, cut to milliseconds: the shortest one that is longer
// than four fifths of their lower quartile, since some renewals are late. If there are none it returns defaultPeriod.
func (b *builder) usualGap() time.Duration {
	all := b.gaps()
	if len(all) == 0 {
		return b.defaultPeriod()
	}
	usual := all[len(all)/4]
	for _, gap := range all {
		if gap > usual*4/5 {
			return gap.Truncate(time.Millisecond)
		}
	}
	return usual
}

// middleGap returns the median of the times between renewals: some come soon after one another, if a process begins again or was
// not answered. If there are none it returns defaultPeriod.
func (b *builder) middleGap() time.Duration {
	if all := b.gaps(); len(all) > 0 {
		return all[len(all)/2].Truncate(time.Millisecond)
	}
	return b.defaultPeriod()
}

// leastGap returns the shortest of the times between renewals that are longer than a quarter of the usual one. With it no such renewal
// comes too early. If there are none it returns defaultPeriod.
func (b *builder) leastGap() time.Duration {
	for _, gap := range b.gaps() {
		if gap > b.usualGap()/4 {
			return gap.Truncate(time.Millisecond)
		}
	}
	return b.defaultPeriod()
}

// defaultPeriod returns a RetryPeriod that is to the LeaseDuration as in Kubernetes' defaults, 2 to 15.
func (b *builder) defaultPeriod() time.Duration { return b.lease * 2 / 15 }

// fitting returns the recorded lease. If takeovers came earlier, by less than a second, it returns the shortest time that one
// took instead: some electors round the lease up to whole seconds in the record.
func (b *builder) fitting(recorded time.Duration) time.Duration {
	lease := recorded
	for i := b.first + 1; i <= b.last; i++ {
		gap := b.gap(i) - 20*b.delay
		if b.acquires(i) && b.holder(i-1) != "" && gap < lease && gap > recorded-time.Second && gap > time.Second {
			lease = gap.Truncate(time.Millisecond)
		}
	}
	return lease
}

// assume adds a text to b.assumed: something that the logs do not say.
func (b *builder) assume(format string, args ...any) {
	b.assumed = append(b.assumed, fmt.Sprintf(format, args...))
}

// gap returns the time from the (i-1)-th write to the i-th.
func (b *builder) gap(i int) time.Duration { return b.at(i).Sub(b.at(i - 1)) }

// renews tells whether the i-th write is by the holder of the one before, no release, and not the first that is replayed.
func (b *builder) renews(i int) bool {
	return i > b.first && b.holder(i) != "" && b.holder(i) == b.holder(i-1)
}

// acquires tells whether the i-th write begins a term.
func (b *builder) acquires(i int) bool { return b.holder(i) != "" && !b.renews(i) }

// holder returns the holder in the record of the i-th write, "" for a release.
func (b *builder) holder(i int) string { return b.story.Writes[i].Record.Holder }

// at returns when the i-th write is taken to be applied, by the server's clock.
func (b *builder) at(i int) time.Time { return b.when[i] }

// between is the least time from one write to the next.
const between = time.Millisecond

// applied returns when writes are taken to be applied: for each, the middle of the time that the audit log and the order of the
// writes leave. The server can have worked on one write for long, and on the next one meanwhile.
func applied(writes []investigate.Write) []time.Time {
	n := len(writes)
	least, most := make([]time.Time, n), make([]time.Time, n)
	for i := range writes {
		if least[i] = writes[i].Received; i > 0 && least[i].Before(least[i-1].Add(between)) {
			least[i] = least[i-1].Add(between)
		}
	}
	for i := n - 1; i >= 0; i-- {
		if most[i] = writes[i].Answered; i < n-1 && most[i].After(most[i+1].Add(-between)) {
			most[i] = most[i+1].Add(-between)
		}
		least[i] = least[i].Add(max(0, most[i].Sub(least[i])) / 2)
	}
	return least
}

// compare returns how far the run's writes are, at most, from any time at which the server can have applied them: from its
// receipt or its answer, whichever is farther. It returns an error if the run has other writes than the log.
func (b *builder) compare(r *scenarios.Result) (off time.Duration, err error) {
	writes := b.writes(r)
	if len(writes) != b.last-b.first+1 {
		return 0, fmt.Errorf("no scenario was found: its run has %d writes, and %d are logged", len(writes), b.last-b.first+1)
	}
	for i := range writes {
		w, at := &b.story.Writes[b.first+i], b.start.Add(time.Duration(writes[i].AtNs))
		if writes[i].Holder != w.Record.Holder || i > 0 && writes[i].AtNs < writes[i-1].AtNs {
			return 0, fmt.Errorf("no scenario was found: write %d of its run is by %q, and logged is one by %q", i+1, writes[i].Holder, w.Record.Holder)
		}
		off = max(off, at.Sub(w.Received), w.Answered.Sub(at))
	}
	return off, nil
}

// strays returns how far the run's writes are, at most, outside of the times in which the server can have applied them; 0 if all
// are inside.
func (b *builder) strays(r *scenarios.Result) (far time.Duration) {
	writes := b.writes(r)
	for i := range writes {
		w, at := &b.story.Writes[b.first+i], b.start.Add(time.Duration(writes[i].AtNs))
		far = max(far, w.Received.Sub(at), at.Sub(w.Answered))
	}
	return far
}

// shrink returns a smaller scenario with the same candidates' timings and the same writes. Its writes stray no farther from the
// logged times than those of the run of, or than MaxError/2. Its overlap differs by MaxError at most, and is 0 if and only if
// that of the run of is. The work of each term ends at most MaxError earlier or later, and no farther outside of its limits.
// shrink returns the errors of the search.
func (b *builder) shrink(of *scenarios.Result) (*scenarios.Scenario, error) {
	want, endings := overlapOf(of), b.endings(of)
	straying, strays := b.strayingEnds(endings), max(b.strays(of), MaxError/2)
	wrong := b.wrong(of)
	run := func(s *scenarios.Scenario) (*scenarios.Result, error) {
		for i := range s.Candidates {
			c := &s.Candidates[i]
			if c.LeaseDuration != b.lease || c.RenewDeadline != b.deadline || c.RetryPeriod != b.period {
				return &scenarios.Result{}, nil
			}
		}
		if !b.sameEdits(s) {
			return &scenarios.Result{}, nil
		}
		return scenarios.Run(s, scenarios.Options{})
	}
	keeps := func(r *scenarios.Result) bool {
		if _, err := b.compare(r); err != nil {
			return false
		}
		overlap := overlapOf(r)
		return (overlap-want).Abs() <= MaxError && (overlap > 0) == (want > 0) && b.strays(r) <= strays &&
			b.endAlike(b.endings(r), endings, straying) && b.wrong(r) <= wrong
	}
	small, err := search.ShrinkWhile(b.scenario, run, keeps)
	if err != nil {
		return nil, err
	}
	return small.Scenario, nil
}

// overlapOf returns for how long two worked at once in the run, at most.
func overlapOf(r *scenarios.Result) time.Duration {
	if p := check.Named(r.Properties, check.SingleWork); p != nil {
		return time.Duration(p.OverlapNs)
	}
	return 0
}
