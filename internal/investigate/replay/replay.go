// Package replay makes a scenario from what a cluster has logged of a lock: its run has the same writes at the same times.
package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/internal/search"
	"interregnum/scenarios"
)

// MaxError is how far a write of the scenario may be from the time in which, as the audit log says, the server has worked on it.
const MaxError = 50 * time.Millisecond

// mostWrites is how many writes a scenario has at most. Of a longer story it has those around one change of the holder.
const mostWrites = 60

// Replay is a scenario made from logs.
type Replay struct {
	Scenario *scenarios.Scenario
	// From and Until are the times of the first and of the last write that it has; Start is that of the scenario's beginning.
	From, Until, Start time.Time
	// Writes is how many it has, and Left how many others the logs have.
	Writes, Left int
	// Error is how far a write of the run is at most from when the server applied the write, by what the audit log says.
	Error time.Duration
	// Assumed says what the logs do not say.
	Assumed []string
	// Overlap is for how long two work at once in the run, at most.
	Overlap time.Duration
}

// Make makes a scenario of the lock's writes, or of those around a change of the holder: the first one at which two certainly worked at once, else
// the last one. It returns an error if no scenario is found that has these writes.
func Make(e *evidence.Evidence, s *investigate.Story, o *investigate.Options) (*Replay, error) {
	if len(s.Writes) == 0 {
		return nil, errors.New("no write is logged with its record: nothing can be replayed")
	}
	first, last := window(s)
	when := applied(s.Writes)
	var b *builder
	var result *scenarios.Result
	var err error
	for _, period := range []func(*builder) time.Duration{(*builder).usualGap, (*builder).middleGap, (*builder).defaultPeriod} {
		b = &builder{e: e, story: s, when: when, first: first, last: last, delay: 100 * time.Microsecond}
		if err = b.timings(o, period); err != nil {
			return nil, err
		}
		if result, err = b.try(); err == nil || o.RetryPeriod > 0 {
			break
		}
	}
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
	b.scenario.About = fmt.Sprintf("What is logged of %s/%s from %s on: each of %d writes is within %v of when the server applied it.",
		s.Lock.Namespace, s.Lock.Name, b.start.UTC().Format(time.RFC3339), last-first+1, off)
	return &Replay{Scenario: b.scenario, From: s.Writes[first].Received, Until: s.Writes[last].Received, Start: b.start,
		Writes: last - first + 1, Left: len(s.Writes) - (last - first + 1), Error: off, Assumed: b.assumed, Overlap: overlapOf(result)}, nil
}

// try builds the scenario and runs it. It returns an error if its writes are others than those that are logged.
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

// timings sets the candidates' timings: those that are given, else those of the records, those that the logs make likely, and
// what fits them. period returns the RetryPeriod to take if none is given or likely. What it takes without being told it notes as
// assumed.
func (b *builder) timings(o *investigate.Options, period func(*builder) time.Duration) error {
	for i := b.first; i <= b.last; i++ {
		if d := b.story.Writes[i].Record.Duration; b.story.Writes[i].Record.Holder != "" && d > 0 {
			b.lease = d
			break
		}
	}
	if o.LeaseDuration == 0 {
		b.lease = b.fitting(b.lease)
	}
	b.lease = cmp.Or(o.LeaseDuration, b.lease)
	if b.lease <= 0 {
		return errors.New("no record has a lease duration, and none is given: nothing can be replayed")
	}
	b.deadline, b.period = o.RenewDeadline, o.RetryPeriod
	if b.period == 0 {
		b.period = min(cmp.Or(b.likely("RetryPeriod"), period(b)), cmp.Or(b.deadline, b.lease)*3/4)
	}
	if b.guessed = b.deadline == 0; b.guessed {
		least := time.Duration(machine.JitterFactor*float64(b.period)) + 1
		b.deadline = max(cmp.Or(b.likely("RenewDeadline"), b.lease*2/3), least+(b.lease-least)/4)
		b.assume("RenewDeadline %v", b.deadline)
	}
	if o.RetryPeriod == 0 {
		b.assume("RetryPeriod %v", b.period)
	}
	return nil
}

// likely is the value of a timing that the logs make likely, 0 if none.
func (b *builder) likely(name string) time.Duration {
	for i := range b.story.Timings {
		if t := &b.story.Timings[i]; t.Name == name {
			return t.Likely
		}
	}
	return 0
}

// gaps are the times between renewals, the shortest first, without those that come at once, as a process's first one does.
func (b *builder) gaps() (all []time.Duration) {
	for i := b.first + 1; i <= b.last; i++ {
		if gap := b.gap(i); b.renews(i) && !b.acquires(i-1) && gap > 10*b.delay {
			all = append(all, gap-3*b.delay)
		}
	}
	slices.Sort(all)
	return all
}

// usualGap is a usual time between renewals, for the RetryPeriod: the shortest one that is not far below their lower quartile,
// since some are late. If there is none it is defaultPeriod.
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

// middleGap is the middle one of the times between renewals: some come soon after one another, if a process begins again, or was not answered.
func (b *builder) middleGap() time.Duration {
	if all := b.gaps(); len(all) > 0 {
		return all[len(all)/2].Truncate(time.Millisecond)
	}
	return b.defaultPeriod()
}

// defaultPeriod is to LeaseDuration as Kubernetes' defaults are.
func (b *builder) defaultPeriod() time.Duration { return b.lease * 2 / 15 }

// fitting returns the recorded lease or, if takeovers came up to a second earlier, the shortest time that one took: electors may
// round up to the whole seconds of a record.
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

func (b *builder) assume(format string, args ...any) {
	b.assumed = append(b.assumed, fmt.Sprintf(format, args...))
}

// gap is the time from the write before the i-th one to that.
func (b *builder) gap(i int) time.Duration { return b.at(i).Sub(b.at(i - 1)) }

// renews tells whether the i-th write is by the holder of the one before.
func (b *builder) renews(i int) bool {
	return i > b.first && b.holder(i) != "" && b.holder(i) == b.holder(i-1)
}

// acquires tells whether the i-th write begins a term.
func (b *builder) acquires(i int) bool { return b.holder(i) != "" && !b.renews(i) }

func (b *builder) holder(i int) string { return b.story.Writes[i].Record.Holder }

// at is when the i-th write is taken to be applied.
func (b *builder) at(i int) time.Time { return b.when[i] }

// between is how long it takes from one write to the next one at least.
const between = time.Millisecond

// applied returns when writes are taken to be applied: in the middle of what the audit log says and their order leaves. The server may have worked on one for long, and
// on the next one meanwhile.
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

// compare returns how far the writes of a run are at most from when the server applied them; an error if they are not the same writes.
func (b *builder) compare(r *scenarios.Result) (off time.Duration, err error) {
	if len(r.Writes) != b.last-b.first+1 {
		return 0, fmt.Errorf("no scenario was found: its run has %d writes, and logged are %d", len(r.Writes), b.last-b.first+1)
	}
	for i := range r.Writes {
		w, at := &b.story.Writes[b.first+i], b.start.Add(time.Duration(r.Writes[i].AtNs))
		if r.Writes[i].Holder != w.Record.Holder {
			return 0, fmt.Errorf("no scenario was found: write %d of its run is by %q, and logged is one by %q", i+1, r.Writes[i].Holder, w.Record.Holder)
		}
		off = max(off, at.Sub(w.Received), w.Answered.Sub(at))
	}
	return off, nil
}

// strays returns how far the writes of a run are at most from the times in which the server may have applied them.
func (b *builder) strays(r *scenarios.Result) (far time.Duration) {
	for i := range r.Writes {
		w, at := &b.story.Writes[b.first+i], b.start.Add(time.Duration(r.Writes[i].AtNs))
		far = max(far, w.Received.Sub(at), at.Sub(w.Answered))
	}
	return far
}

// shrink makes the scenario smaller, with the same candidates, timings, writes and overlap.
func (b *builder) shrink(of *scenarios.Result) (*scenarios.Scenario, error) {
	want := overlapOf(of)
	run := func(s *scenarios.Scenario) (*scenarios.Result, error) {
		for i := range s.Candidates {
			c := &s.Candidates[i]
			if c.LeaseDuration != b.lease || c.RenewDeadline != b.deadline || c.RetryPeriod != b.period {
				return &scenarios.Result{}, nil
			}
		}
		return scenarios.Run(s, scenarios.Options{})
	}
	keeps := func(r *scenarios.Result) bool {
		_, err := b.compare(r)
		return err == nil && b.strays(r) <= max(b.strays(of), MaxError/2) && (overlapOf(r)-want).Abs() <= MaxError && (overlapOf(r) > 0) == (want > 0)
	}
	small, err := search.ShrinkWhile(b.scenario, run, keeps)
	if err != nil {
		return nil, err
	}
	return small.Scenario, nil
}

// overlapOf is for how long two worked at once at most.
func overlapOf(r *scenarios.Result) time.Duration {
	if p := check.Named(r.Properties, check.SingleWork); p != nil {
		return time.Duration(p.OverlapNs)
	}
	return 0
}
