package kubernetes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/investigate"
)

// judge holds a story against what the processes noted themselves.
type judge struct {
	*incident
	t *testing.T
	// work is when each holder really worked, by its name in the record.
	work map[string][]stretch
	// killed is by how much less the work of one that was killed may have lasted.
	killed time.Duration
	wrote  []wrote
	// wrong is what is not so.
	wrong []string
	// slack is by how much notes may be late: a process notes that its work begins, or has ended, once it runs.
	slack time.Duration
}

func newJudge(t *testing.T, one *incident, still time.Duration) *judge {
	j := &judge{incident: one, t: t, work: map[string][]stretch{}, slack: 5*time.Millisecond + still}
	for _, l := range one.leaders {
		d, err := l.did()
		require.NoError(t, err)
		j.work[l.ID] = d.terms
		j.wrote = append(j.wrote, d.wrote...)
		j.killed = max(j.killed, l.gone.Sub(l.killed))
		for _, p := range d.pauses {
			if l.frozen.IsZero() || p.until.Before(l.frozen) || p.from.After(l.woken) {
				j.slack = max(j.slack, 5*time.Millisecond+p.until.Sub(p.from))
			}
		}
	}
	return j
}

// most notes what is wrong if d is more than most.
func (j *judge) most(d, most time.Duration, format string, args ...any) {
	if d > most {
		j.wrong = append(j.wrong, fmt.Sprintf("%s: %v, expected %v at most", fmt.Sprintf(format, args...), d, most))
	}
}

// story returns what is said to be certain or impossible and is not so, and what was so and is not said to be possible.
func (j *judge) story(s *investigate.Story) (wrong []string) {
	j.wrong = nil
	for i := range s.Terms {
		j.term(s, i)
	}
	for i := range s.Pairs {
		j.pair(s, &s.Pairs[i])
	}
	for _, o := range s.Offsets {
		if o.Low != nil {
			j.most(*o.Low, j.slack, "all clocks are one, but that of %s is said to be behind", o.Identity)
		}
		if o.High != nil {
			j.most(-*o.High, j.slack, "all clocks are one, but that of %s is said to be ahead", o.Identity)
		}
	}
	return j.wrong
}

// canFail: the judge notices a certain overlap that is called impossible, the reverse, and work that is called certain a second too early or too late.
func (j *judge) canFail(s *investigate.Story) {
	for i := range s.Pairs {
		was := s.Pairs[i].Worked
		switch was.Verdict {
		case investigate.Certain:
			s.Pairs[i].Worked.Verdict = investigate.Impossible
		case investigate.Impossible:
			s.Pairs[i].Worked.Verdict = investigate.Certain
		default:
			continue
		}
		assert.NotEmpty(j.t, j.story(s), "a wrong verdict is not noticed")
		s.Pairs[i].Worked = was
	}
	for i := range s.Terms {
		was := s.Terms[i].Worked
		if !certain(&was) {
			continue
		}
		late := j.slack + time.Second
		s.Terms[i].Worked.Start.High = was.Start.High.Add(-late)
		assert.NotEmpty(j.t, j.story(s), "work that is said to begin too early is not noticed")
		s.Terms[i].Worked = was
		if w, ok := j.real(s, i); ok {
			s.Terms[i].Worked.End.High = w.until.Add(-late - j.killed)
			assert.NotEmpty(j.t, j.story(s), "work that lasts longer than is said to be possible is not noticed")
		}
		s.Terms[i].Worked = was
	}
}

// certain tells whether there is an instant at which it was certainly so.
func certain(s *investigate.Span) bool {
	return !s.Start.High.IsZero() && !s.End.Low.IsZero() && s.Start.High.Before(s.End.Low)
}

// real is when the holder of a term really worked in it; nothing if it never did. In these incidents nobody leads twice.
func (j *judge) real(s *investigate.Story, term int) (w stretch, ok bool) {
	its := j.work[s.Terms[term].Holder]
	if len(its) == 0 {
		return w, false
	}
	require.Len(j.t, its, 1)
	w = its[0]
	if w.until.IsZero() {
		w.until = time.Now()
	}
	return w, true
}

func (j *judge) term(s *investigate.Story, i int) {
	x := &s.Terms[i]
	w, ok := j.real(s, i)
	if !ok {
		if certain(&x.Worked) {
			j.wrong = append(j.wrong, x.Holder+" never worked")
		}
		return
	}
	if certain(&x.Worked) {
		j.most(w.from.Sub(x.Worked.Start.High), j.slack, "%s certainly worked before it did", x.Holder)
		j.most(x.Worked.End.Low.Sub(w.until), j.slack, "%s certainly worked after it did", x.Holder)
	}
	if low := x.Worked.Start.Low; !low.IsZero() {
		j.most(low.Sub(w.from), j.slack, "%s worked before it is called possible", x.Holder)
	}
	if high := x.Worked.End.High; !high.IsZero() {
		j.most(w.until.Sub(high), j.slack+j.killed, "%s worked after it is called possible", x.Holder)
	}
}

// both is for how long the holders of a pair really worked at once: less than zero is the time between.
func (j *judge) both(s *investigate.Story, p *investigate.Pair) (d time.Duration, ok bool) {
	before, was := j.real(s, p.Old)
	after, is := j.real(s, p.New)
	if !was || !is {
		return 0, false
	}
	end := before.until
	if after.until.Before(end) {
		end = after.until
	}
	start := after.from
	if before.from.After(start) {
		start = before.from
	}
	return end.Sub(start), true
}

func (j *judge) pair(s *investigate.Story, p *investigate.Pair) {
	both, ok := j.both(s, p)
	switch p.Worked.Verdict {
	case investigate.Certain:
		if !ok {
			j.wrong = append(j.wrong, "two certainly worked at once, and one never worked")
		}
		j.most(-both, j.slack, "two certainly worked at once, and did not for")
	case investigate.Impossible:
		j.most(both, j.slack+j.killed, "two worked at once, which is called impossible, for")
	}
	if most := p.Worked.AtMost; most != nil {
		j.most(both, *most+j.slack+j.killed, "two worked at once for")
	}
}
