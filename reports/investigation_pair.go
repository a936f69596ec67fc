package reports

import (
	"time"

	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// TogetherTitle returns a sentence on a pair of which it is certain that both worked at once: for how long at least, if that is known.
func (x *LockStory) TogetherTitle(p *investigate.Pair) string {
	title := x.Holder(p.Old) + " and " + x.Holder(p.New) + " worked at once"
	if p.Worked.From.IsZero() {
		return title
	}
	return title + ", for " + words.Duration(p.Worked.Until.Sub(p.Worked.From)) + " at least"
}

// intervals returns sentences that say from when until when both holders of the pair certainly worked at once, and when they
// possibly did; and the same of their belief that they lead. It leaves out what is impossible, and what nothing bounds.
func intervals(p *investigate.Pair) (all []string) {
	for _, one := range []struct {
		what string
		j    *investigate.Judgement
	}{{"worked", &p.Worked}, {"believed that they lead", &p.Believed}} {
		if text := interval(one.what, one.j); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// interval returns a sentence that says when both holders did something at once; "" if that is impossible, or nothing bounds it.
func interval(what string, j *investigate.Judgement) (text string) {
	switch {
	case j.Verdict == investigate.Impossible:
		return ""
	case !j.From.IsZero():
		text = "both certainly " + what + " from " + ClockTime(j.From) + " to " + ClockTime(j.Until) + ", for " + words.Duration(j.Until.Sub(j.From)) + " at least"
	case j.Verdict == investigate.Certain:
		text = "both certainly " + what + " at some instant"
	case j.Earliest.IsZero() && j.Latest.IsZero():
		return ""
	default:
		text = "both possibly " + what
	}
	if !j.Earliest.IsZero() {
		text += "; not before " + ClockTime(j.Earliest)
	}
	if !j.Latest.IsZero() {
		text += "; not after " + ClockTime(j.Latest)
	}
	if j.AtMost != nil {
		text += "; for " + words.Duration(*j.AtMost) + " at most"
	}
	return text
}

// SpanTable returns a table of when the holder of each term worked, and believed that it leads. It has no row for work or belief of
// which nothing is known. If there are more terms than most, it has rows for the last ones, as many as most says.
func (x *LockStory) SpanTable(most int) Table {
	t := Table{Columns: []string{"holder", "", "possibly from", "certainly from", "certainly to", "possibly to"}, Left: max(0, len(x.Terms)-most)}
	for i := t.Left; i < len(x.Terms); i++ {
		for _, one := range []struct {
			what string
			span *investigate.Span
		}{{"worked", &x.Terms[i].Worked}, {"believed", &x.Terms[i].Belief}} {
			u, day := one.span, x.Writes[x.Terms[i].First].Received
			from, until := u.Start.High, u.End.Low
			if from.IsZero() || !from.Before(until) {
				from, until = time.Time{}, time.Time{}
			}
			if u.Start.Low.IsZero() && u.End.High.IsZero() && from.IsZero() {
				continue
			}
			t.Rows = append(t.Rows, []string{x.Holder(i), one.what, dayTime(u.Start.Low, day), dayTime(from, day), dayTime(until, day), dayTime(u.End.High, day)})
		}
	}
	return t
}

// dayTime formats a time by the API server's clock, in UTC: without the date if it is on the same day as day; "not known" for the zero value.
func dayTime(at, day time.Time) string {
	switch {
	case at.IsZero():
		return "not known"
	case at.UTC().Format(time.DateOnly) == day.UTC().Format(time.DateOnly):
		return at.UTC().Format("15:04:05.000")
	}
	return ClockTime(at)
}
