package reports

import (
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/reports/internal/words"
)

// Chapter is something that has happened to a lock, under a title, with its evidence.
type Chapter struct {
	Title string
	Steps []Step
}

// Step is a step of a chain of evidence. Where lists the places at which it stands in the logs and, if that is known, when it was; it
// is empty for a step that follows from others.
type Step struct {
	Text  string
	Where []string
}

// Chapter returns a chapter about the lock x: a chain of evidence, and then what follows from it.
func (v *Investigation) Chapter(x *LockStory, title string, chain []investigate.Link, follows ...string) Chapter {
	c := Chapter{Title: title}
	for i := range chain {
		c.Steps = append(c.Steps, v.step(x, &chain[i]))
	}
	for _, text := range follows {
		c.Steps = append(c.Steps, Step{Text: text})
	}
	return c
}

// PairChapter returns a chapter about a change of the holder: the evidence, then when both worked, and believed that they lead.
func (v *Investigation) PairChapter(x *LockStory, title string, p *investigate.Pair) Chapter {
	return v.Chapter(x, title, p.Worked.Chain, intervals(p)...)
}

// ReasonChapter returns a chapter about a process whose log says why it gave up, or did not lead.
func (v *Investigation) ReasonChapter(x *LockStory, r *investigate.Reason) Chapter {
	who := words.Visible(r.Process, 2*words.MaxLabel)
	title := who + " gave up renewing at " + ClockTime(r.At.Low)
	if r.At.Low.IsZero() {
		title = "The log of " + who + " does not say that it ever led"
	}
	var said []investigate.Link
	for i := range r.Said {
		q := &r.Said[i]
		said = append(said, investigate.Link{Places: []evidence.Place{q.Place}, Text: "its own log says, at " + ClockTime(q.At.Low) + ": " + words.Visible(q.Text, words.MaxText)})
	}
	return v.Chapter(x, title, said)
}

// step returns a link of a chain of evidence about the lock x as a step.
func (v *Investigation) step(x *LockStory, l *investigate.Link) Step {
	s := Step{l.Text, v.Where(l)}
	if len(l.Places) == 0 {
		return s
	}
	if at, known := x.When[l.Places[0]]; known {
		first := ""
		if len(l.Places) > 1 {
			first = "the first "
		}
		s.Where = append(s.Where, first+"at "+instantText(at))
	}
	return s
}

// instantText returns an instant as text: one time if both bounds are shown alike.
func instantText(i investigate.Instant) string {
	low, high := ClockTime(i.Low), ClockTime(i.High)
	if low == high {
		return low
	}
	return low + " to " + high
}
