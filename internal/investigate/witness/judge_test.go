package witness

import (
	"fmt"
	"time"

	"interregnum/internal/investigate"
)

// slack is the error of times that the judge allows, since servers and processes write down microseconds.
const slack = 5 * time.Microsecond

// Judge compares a story with the truth. wrong has each claim of the story that is not true, as text; it is empty if all are
// true. counts says what the run and the story contain. The places of the story's writes must be lines of l.Audit, as those of
// l.Evidence are.
func Judge(l *Logs, s *investigate.Story) (wrong []string, counts Counts) {
	j := &judge{l: l, s: s, truth: l.Run.Truth()}
	for i := range s.Terms {
		j.of = append(j.of, j.termsOf(i))
	}
	for i := range s.Terms {
		j.term(i)
	}
	for i := range s.Pairs {
		j.pair(&s.Pairs[i])
	}
	for i := range s.Losses {
		j.loss(&s.Losses[i])
	}
	for i := range s.Sightings {
		j.sighting(&s.Sightings[i])
	}
	j.unseen()
	j.timings()
	j.offsets()
	j.count()
	return j.wrong, j.counts
}

// Counts is what runs and stories contain. An overlap is a time in which two worked at once.
type Counts struct {
	Runs, Terms, SaidTerms int
	// CertainWork and CertainBelief are the terms of stories of which some of the time is certain.
	CertainWork, CertainBelief int
	// Said is what stories say of overlaps; Whole counts only those where nothing was lost, at the level RequestResponse, and Leases those of
	// Whole in which the lock is a Lease.
	Said, Whole, Leases Overlaps
	// Apart are the pairs whose work did not overlap, and Impossible those of them of which the story says so. AtMost are the pairs of which
	// the story says for how long their work overlapped at most.
	Apart, Impossible, AtMost int
	// BelievedAtOnce are the pairs of which the story says that both certainly believed at once. That they did not is hardly ever known: a holder believes until it reads
	// another's record.
	BelievedAtOnce int
	// Losses are the ends of terms of which stories speak, and Caused those of them of which they say a cause.
	Losses, Caused int
	// Ends has the losses by what really happened.
	Ends map[Ending]Ends
	// Bounded are the timings of which the story says something.
	Bounded, Offsets int
	// Likely are those of which it says a likely value, where the true one is one that people write, and Right those where that is it.
	Likely, Right int
	// Sightings are what stories say that objects, events and metrics show.
	Sightings int
}

// Add adds the counts of o to c.
func (c *Counts) Add(o *Counts) {
	c.Runs += o.Runs
	c.Terms += o.Terms
	c.SaidTerms += o.SaidTerms
	c.CertainWork += o.CertainWork
	c.CertainBelief += o.CertainBelief
	c.Said.add(&o.Said)
	c.Whole.add(&o.Whole)
	c.Leases.add(&o.Leases)
	c.Apart += o.Apart
	c.Impossible += o.Impossible
	c.AtMost += o.AtMost
	c.BelievedAtOnce += o.BelievedAtOnce
	c.Losses += o.Losses
	c.Caused += o.Caused
	c.Likely += o.Likely
	c.Right += o.Right
	for k, v := range o.Ends {
		c.end(k, v)
	}
	c.Bounded += o.Bounded
	c.Offsets += o.Offsets
	c.Sightings += o.Sightings
}

// Ending says what really happened to a holder that lost the lock. Whole: nothing of the logs was lost. Traced: the logs have
// something about the holder between its last write and the next one.
type Ending struct {
	What          string
	Whole, Traced bool
}

// Ends counts losses, and how many of them have a cause in the story.
type Ends struct{ All, Caused int }

// ended counts a loss with that ending in Ends. If caused is true, the story gives a cause: then the loss counts in Caused,
// too.
func (c *Counts) ended(how Ending, caused bool) {
	n := Ends{All: 1}
	if caused {
		n.Caused = 1
	}
	c.Caused += n.Caused
	c.end(how, n)
}

// end adds n to the losses with that ending.
func (c *Counts) end(how Ending, n Ends) {
	if c.Ends == nil {
		c.Ends = map[Ending]Ends{}
	}
	all := c.Ends[how]
	c.Ends[how] = Ends{all.All + n.All, all.Caused + n.Caused}
}

// Overlaps counts overlaps by what stories say of them. Of Overlaps, Certain and Possible are those that were said to be so;
// Unsaid are those of which no pair of the story speaks. Undecidable are those of which another world shows that no reader of
// the logs can know of them, whatever was said; only whole logs are looked at.
type Overlaps struct{ Overlaps, Certain, Possible, Unsaid, Undecidable int }

// Decidable returns how many overlaps are not known to be undecidable.
func (n *Overlaps) Decidable() int { return n.Overlaps - n.Undecidable }

// count counts an overlap. said is the verdict of the story on it, "" if it says nothing. undecidable is true if no reader of
// the logs can know of the overlap.
func (n *Overlaps) count(said investigate.Verdict, undecidable bool) {
	n.Overlaps++
	if undecidable {
		n.Undecidable++
	}
	switch said {
	case investigate.Certain:
		n.Certain++
	case investigate.Possible:
		n.Possible++
	case "":
		n.Unsaid++
	}
}

// add adds the counts of o to n.
func (n *Overlaps) add(o *Overlaps) {
	n.Overlaps += o.Overlaps
	n.Certain += o.Certain
	n.Possible += o.Possible
	n.Unsaid += o.Unsaid
	n.Undecidable += o.Undecidable
}

// judge compares one story with the truth.
type judge struct {
	l     *Logs
	s     *investigate.Story
	truth *Truth
	// of has for each term of the story the terms of the truth that it speaks of, as indexes into Truth.Terms.
	of     [][]int
	wrong  []string
	counts Counts
}

// fail adds a text to j.wrong: a claim of the story is not true. It returns, and judging goes on.
func (j *judge) fail(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf("seed %d: ", j.l.Run.Seed)+fmt.Sprintf(format, args...))
}

// termsOf returns the indices of the terms of the truth that the i-th term of the story speaks of: their holder made one of the
// story's writes while they lasted, or to begin them.
func (j *judge) termsOf(i int) (all []int) {
	t := &j.s.Terms[i]
	for k := range j.truth.Terms {
		if u := &j.truth.Terms[k]; u.Identity == t.Holder && j.wrote(u, t) {
			all = append(all, k)
		}
	}
	return all
}

// wrote tells whether one of the writes of t, a term of the story, was made in u, a term of the truth, or began u.
func (j *judge) wrote(u *Term, t *investigate.Term) bool {
	for k := max(0, t.First); k <= min(t.Last, len(j.s.Writes)-1); k++ {
		c := j.l.Audit[j.s.Writes[k].Line-1]
		sent := start.Add(c.Sent)
		within := !sent.Before(u.From) && sent.Before(u.End)
		if c.Candidate == u.Candidate && identity(c.Op.Record.Holder) == t.Holder && (within || c.ID == u.Acquired) {
			return true
		}
	}
	return false
}

// term judges what the story says of its i-th term: when its holder worked and believed that it leads. It fails the story if the
// term's writes are not among the story's.
func (j *judge) term(i int) {
	t := &j.s.Terms[i]
	name := fmt.Sprintf("term %d of %s", i, t.Holder)
	if t.First < 0 || t.Last < t.First || t.Last >= len(j.s.Writes) {
		j.fail("%s: want writes %d to %d among %d", name, t.First, t.Last, len(j.s.Writes))
		return
	}
	var worked []Span
	for k := range j.truth.Terms {
		if u := &j.truth.Terms[k]; u.Identity == t.Holder {
			worked = append(worked, Span{u.From, u.End})
		}
	}
	j.certain(name+": worked", &t.Worked, worked)
	j.certain(name+": believed", &t.Belief, j.truth.Beliefs[t.Holder])
	for _, k := range j.of[i] {
		u := &j.truth.Terms[k]
		j.possible(name+": worked", &t.Worked, Span{u.From, u.End})
		for _, b := range j.truth.beliefs(u) {
			if b.Until.After(j.s.Writes[t.First].Received) { // otherwise it is by an earlier write, which the work has outlasted
				j.possible(name+": believed", &t.Belief, b)
			}
		}
	}
}

// sure returns the time in which the span's statement is certain. The bool is false if there is no such time.
func sure(s *investigate.Span) (Span, bool) {
	from, until := s.Start.High, s.End.Low
	return Span{from, until}, !from.IsZero() && !until.IsZero() && from.Before(until)
}

// certain fails the story if the time in which the span is certain is not within one of the times so, in which it was really so.
// what names the claim.
func (j *judge) certain(what string, s *investigate.Span, so []Span) {
	c, any := sure(s)
	if !any {
		return
	}
	for _, t := range so {
		if !c.From.Before(t.From.Add(-slack)) && !c.Until.After(t.Until.Add(slack)) {
			return
		}
	}
	j.fail("%s: it is certain from %s to %s, but it was so %s", what, timeOfDay(c.From), timeOfDay(c.Until), spans(so))
}

// possible fails the story if the time so, in which it was really so, is not within the time in which the span is possible. Of
// what was so until the end of the run, nobody knows how much longer it went on: the span must then only not end before that.
// what names the claim.
func (j *judge) possible(what string, s *investigate.Span, so Span) {
	low, high := s.Start.Low, s.End.High
	if !low.IsZero() && so.From.Before(low.Add(-slack)) || !high.IsZero() && so.Until.After(high.Add(slack)) && so.Until.Before(j.truth.End) ||
		!high.IsZero() && so.Until.Equal(j.truth.End) && high.Before(j.truth.End) {
		j.fail("%s: it is possible from %s to %s, but it was so %s", what, timeOfDay(low), timeOfDay(high), spans([]Span{so}))
	}
}

// timeOfDay returns a time without its date as text, "any" for the zero time, which is no bound.
func timeOfDay(t time.Time) string {
	if t.IsZero() {
		return "any"
	}
	return t.UTC().Format("15:04:05.000000")
}

// spans returns spans as text, "never" for none.
func spans(all []Span) (text string) {
	if len(all) == 0 {
		return "never"
	}
	for i, s := range all {
		if i > 0 {
			text += ", "
		}
		text += timeOfDay(s.From) + " to " + timeOfDay(s.Until)
	}
	return text
}
