package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// mostTerms is how many terms of a lock are listed. The last ones are.
const mostTerms = 30

// Locks writes one line for each lock: who is known to have held it, and whether two worked at once. Lines have at most width columns.
func Locks(w io.Writer, stories []*investigate.Story, width int) error {
	s := newSheet(width)
	t := &table{headed: true}
	t.add("lock", "holders", "terms", "writes", "two worked at once")
	for _, story := range stories {
		var holders []string
		for i := range story.Terms {
			if h := story.Terms[i].Holder; !slices.Contains(holders, h) {
				holders = append(holders, h)
			}
		}
		t.add(lockName(story.Lock), fmt.Sprint(len(holders)), fmt.Sprint(len(story.Terms)), fmt.Sprint(len(story.Writes)), verdictWords(story))
	}
	s.table(t)
	return s.write(w)
}

// Investigation writes what follows from the logs for one lock. Lines have at most width columns.
func Investigation(w io.Writer, e *evidence.Evidence, story *investigate.Story, width int) error {
	s := newSheet(width)
	s.line(lockName(story.Lock) + ": " + verdictWords(story))
	s.blank()
	s.terms(story)
	s.together(e, story)
	s.endings(e, story)
	s.clocks(e, story)
	s.inferred(story)
	for _, n := range story.Notes {
		s.line(n)
	}
	s.line("What this assumes stands in docs/investigate-method.md.")
	return s.write(w)
}

// Sources writes what was read. Lines have at most width columns.
func Sources(w io.Writer, e *evidence.Evidence, width int) error {
	s := newSheet(width)
	s.blank()
	s.line("read:")
	for i := range e.Sources {
		x := &e.Sources[i]
		what := string(x.Kind)
		if x.Process != "" {
			what += " of " + words.Visible(x.Process, words.MaxName)
			if x.Assumed {
				what += ", as its file's name says"
			}
		}
		var left int64
		for _, k := range x.Skipped {
			left += k.Count
		}
		s.say(fmt.Sprintf("%s: %s: %d lines or objects, of which %d say nothing of an election", words.Visible(x.File, words.MaxName), what, x.Lines, left))
		for _, n := range x.Notes {
			s.say("  " + n)
		}
	}
	return s.write(w)
}

func lockName(l evidence.Lock) string {
	return words.Visible(l.Resource+" "+l.Namespace+"/"+l.Name, words.MaxName)
}

// verdictWords says in short whether two worked at once.
func verdictWords(story *investigate.Story) string {
	certain, possible := 0, 0
	for i := range story.Pairs {
		switch story.Pairs[i].Worked.Verdict {
		case investigate.Certain:
			certain++
		case investigate.Possible:
			possible++
		}
	}
	switch {
	case certain > 0:
		return fmt.Sprintf("CERTAIN at %s", changes(certain))
	case possible > 0:
		return fmt.Sprintf("not known at %s", changes(possible))
	case len(story.Pairs) > 0:
		return fmt.Sprintf("impossible at %s", changes(len(story.Pairs)))
	case len(story.Terms) == 0:
		return "nobody is known to have held it"
	}
	return "no change of the holder is logged"
}

func changes(n int) string {
	if n == 1 {
		return "1 change of the holder"
	}
	return fmt.Sprintf("%d changes of the holder", n)
}

// terms adds the table of terms.
func (s *sheet) terms(story *investigate.Story) {
	if len(story.Terms) == 0 {
		return
	}
	t := &table{headed: true, indent: "  "}
	t.add("holder", "first write", "last write", "certainly worked")
	from := max(0, len(story.Terms)-mostTerms)
	for i := from; i < len(story.Terms); i++ {
		x := &story.Terms[i]
		t.add(words.Visible(x.Holder, words.MaxLabel*2), clockTime(story.Writes[x.First].Received), clockTime(story.Writes[x.Last].Received), surely(&x.Worked))
	}
	s.table(t)
	if from > 0 {
		s.say(fmt.Sprintf("%d earlier terms are left out.", from))
	}
	s.blank()
}

// surely is the time in which something certainly was so.
func surely(x *investigate.Span) string {
	from, until := x.Start.High, x.End.Low
	if from.IsZero() || until.IsZero() || !from.Before(until) {
		return "not known"
	}
	return clockTime(from) + " to " + clockTime(until)
}

// together adds the changes at which two certainly worked at once.
func (s *sheet) together(e *evidence.Evidence, story *investigate.Story) {
	for i := range story.Pairs {
		p := &story.Pairs[i]
		if p.Worked.Verdict != investigate.Certain {
			continue
		}
		s.line(fmt.Sprintf("CERTAIN: %s and %s worked at once:", words.Visible(story.Terms[p.Old].Holder, words.MaxLabel*2), words.Visible(story.Terms[p.New].Holder, words.MaxLabel*2)))
		s.chain(e, p.Worked.Chain)
		s.blank()
	}
}

// chain adds the steps of a chain of evidence.
func (s *sheet) chain(e *evidence.Evidence, chain []investigate.Link) {
	for _, l := range chain {
		var at []string
		for _, p := range l.Places {
			at = append(at, fmt.Sprintf("%s:%d", words.Visible(e.Sources[p.Source].File, words.MaxName), p.Line))
		}
		text := l.Text
		if len(at) > 3 {
			at = append(at[:3], fmt.Sprintf("and %d more", len(l.Places)-3))
		}
		if len(at) > 0 {
			text += " (" + strings.Join(at, ", ") + ")"
		}
		s.say("- " + text)
	}
}

// endings adds why terms ended.
func (s *sheet) endings(e *evidence.Evidence, story *investigate.Story) {
	for i := range story.Losses {
		l := &story.Losses[i]
		if l.Cause == investigate.Unknown || len(story.Terms)-l.Term > mostTerms {
			continue
		}
		t := &story.Terms[l.Term]
		s.line(fmt.Sprintf("The term of %s that began at %s ended since %s:", words.Visible(t.Holder, words.MaxLabel*2), clockTime(story.Writes[t.First].Received), l.Cause))
		s.chain(e, l.Chain)
		s.blank()
	}
}

// clocks adds what must be added to the processes' clocks to get the server's.
func (s *sheet) clocks(e *evidence.Evidence, story *investigate.Story) {
	if len(story.Offsets) == 0 {
		return
	}
	s.line("to be added to each log's times to get the API server's:")
	for i := range story.Offsets {
		o := &story.Offsets[i]
		s.say(fmt.Sprintf("%s: %s", words.Visible(e.Sources[o.Source].File, words.MaxName), rangeOf(o.Low, o.High)))
	}
	s.blank()
}

// inferred adds the timings.
func (s *sheet) inferred(story *investigate.Story) {
	for i := range story.Timings {
		x := &story.Timings[i]
		how := "as given"
		if x.Inferred {
			how = "inferred from the records"
		}
		s.line(fmt.Sprintf("%s: %s, %s", x.Name, rangeOf(x.Low, x.High), how))
	}
}

// rangeOf says where a value lies; nil is not known.
func rangeOf(low, high *time.Duration) string {
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

// clockTime is a time by the API server's clock.
func clockTime(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05.000") }
