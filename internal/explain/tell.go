package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"interregnum/internal/trace"
)

// teller puts one overlap into words.
type teller struct {
	f             *electionFold
	first, second *work
	// a and b are the names of the first and of the second candidate.
	a, b     string
	from, to int64
	// hold is what the first one's term rested on.
	hold  hold
	steps []Step
}

// explain adds the explanation of an overlap that has ended; one of no length is left out.
func (f *electionFold) explain(o *overlap, to int64) {
	if to <= o.from {
		return
	}
	t := &teller{f: f, first: o.first, second: o.second, from: o.from, to: to, hold: o.first.hold}
	t.a, t.b = f.name(o.first.Candidate), f.name(o.second.Candidate)
	if o.first.cancelledAt == never {
		t.hold = f.candidates[o.first.Candidate].hold
	}
	start, because := t.start()
	end, still := t.end()
	slices.SortStableFunc(t.steps, func(x, y Step) int { return cmp.Compare(x.AtNs, y.AtNs) })
	f.done = append(f.done, Explanation{
		FromNs: o.from, ToNs: to, First: t.a, Second: t.b,
		Summary: because + "; " + still, Steps: t.steps, Sum: newSum(end, start),
	})
}

func (f *electionFold) name(candidate int32) string { return f.header.Candidates[candidate].ID }

// step adds an event to the steps, unless it has not happened or is there already.
func (t *teller) step(at int64, candidate int32, kind trace.Kind, text string) {
	if at == never {
		return
	}
	s := Step{AtNs: at, Event: kind.String(), Text: text}
	if candidate != trace.Nobody {
		s.Candidate = t.f.name(candidate)
	}
	same := func(x Step) bool { return x.AtNs == s.AtNs && x.Candidate == s.Candidate && x.Event == s.Event }
	if !slices.ContainsFunc(t.steps, same) {
		t.steps = append(t.steps, s)
	}
}

// newSum returns the two sums as one explanation, nil where one of them is not known.
func newSum(end, start []Summand) *Sum {
	if len(end) == 0 || len(start) == 0 {
		return nil
	}
	s := &Sum{End: end, EndNs: total(end), Start: start, StartNs: total(start)}
	s.Text = spell(end) + " > " + spell(start)
	return s
}

// total adds up the terms.
func total(terms []Summand) (sum int64) {
	for _, t := range terms {
		sum += t.Ns
	}
	return sum
}

// spell writes a sum as text: "a 1 s + b 2 s = 3 s".
func spell(terms []Summand) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = t.Name + " " + seconds(t.Ns)
	}
	text := strings.Join(parts, " + ")
	if len(terms) > 1 {
		text += " = " + seconds(total(terms))
	}
	return text
}

// seconds is a time in seconds, exactly: what stands in a sum has to add up.
func seconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	const second = 1_000_000_000
	text := sign + strconv.FormatInt(ns/second, 10)
	if rest := ns % second; rest != 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(second+rest, 10)[1:], "0")
	}
	return text + "s"
}
