package witness

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/internal/few"
	"interregnum/internal/investigate"
)

// oracle returns the story that says all that is so, and no more.
func oracle(l *Logs) *investigate.Story {
	s := &investigate.Story{Lock: l.Lock()}
	truth := l.Run.Truth()
	for i, c := range l.Audit {
		if c.Op.Verb != machine.Get && (c.Changed || c.Version > 0) && c.Op.Record.Holder != "" {
			s.Writes = append(s.Writes, investigate.Write{Place: evidence.Place{Line: i + 1}, Record: *recordOf(c.Op.Record)})
		}
	}
	j := &judge{l: l, s: s, truth: truth}
	for i := range truth.Terms {
		u := &truth.Terms[i]
		for k := range s.Writes {
			t := investigate.Term{Holder: u.Identity, First: k, Last: k, Worked: exactly(u.From, u.End)}
			if !j.wrote(u, &t) {
				continue
			}
			for _, b := range truth.beliefs(u) {
				t.Belief = exactly(b.From, b.Until)
			}
			s.Terms = append(s.Terms, t)
			break
		}
	}
	for i := range s.Terms {
		j.of = append(j.of, j.termsOf(i))
	}
	for i := range s.Terms {
		for k := range s.Terms[:i] {
			s.Pairs = append(s.Pairs, investigate.Pair{Old: k, New: i, Worked: exact(&s.Terms[k], &s.Terms[i], false), Believed: exact(&s.Terms[k], &s.Terms[i], true)})
		}
	}
	return s
}

// exactly returns a span with one instant at each end.
func exactly(from, until time.Time) investigate.Span {
	return investigate.Span{Start: investigate.Instant{Low: from, High: from}, End: investigate.Instant{Low: until, High: until}}
}

// exact returns the true judgement of two terms.
func exact(a, b *investigate.Term, belief bool) investigate.Judgement {
	x, y := a.Worked, b.Worked
	if belief {
		x, y = a.Belief, b.Belief
	}
	d := earlier(x.End.High, y.End.High).Sub(later(x.Start.Low, y.Start.Low))
	if a.Holder == b.Holder || d <= 0 {
		return investigate.Judgement{Verdict: investigate.Impossible}
	}
	return investigate.Judgement{Verdict: investigate.Certain, AtMost: &d}
}

// plants are stories that claim too much, made from the true one.
var plants = map[string]func(*investigate.Story){
	"certain a millisecond longer": func(s *investigate.Story) {
		for i := range s.Terms {
			w := &s.Terms[i].Worked
			w.End.Low = w.End.Low.Add(time.Millisecond)
		}
	},
	"certain a millisecond earlier": func(s *investigate.Story) {
		for i := range s.Terms {
			w := &s.Terms[i].Worked
			w.Start.High = w.Start.High.Add(-time.Millisecond)
		}
	},
	"belief a millisecond longer": func(s *investigate.Story) {
		for i := range s.Terms {
			w := &s.Terms[i].Belief
			w.End.Low = w.End.Low.Add(time.Millisecond)
		}
	},
	"possible a millisecond shorter": func(s *investigate.Story) {
		for i := range s.Terms {
			w := &s.Terms[i].Worked
			w.End.Low, w.End.High = time.Time{}, w.End.High.Add(-time.Millisecond)
		}
	},
	"possible a millisecond later": func(s *investigate.Story) {
		for i := range s.Terms {
			w := &s.Terms[i].Worked
			w.Start.High, w.Start.Low = time.Time{}, w.Start.Low.Add(time.Millisecond)
		}
	},
	"always impossible": func(s *investigate.Story) {
		for i := range s.Pairs {
			s.Pairs[i].Worked = investigate.Judgement{Verdict: investigate.Impossible}
		}
	},
	"always certain": func(s *investigate.Story) {
		for i := range s.Pairs {
			s.Pairs[i].Worked = investigate.Judgement{Verdict: investigate.Certain}
		}
	},
	"at most a millisecond less": func(s *investigate.Story) {
		for i := range s.Pairs {
			if m := s.Pairs[i].Worked.AtMost; m != nil {
				*m -= time.Millisecond
			}
		}
	},
	"a pair of terms that are not there": func(s *investigate.Story) {
		s.Pairs = append(s.Pairs, investigate.Pair{Old: -1, New: len(s.Terms)})
	},
	"RetryPeriod of nothing": func(s *investigate.Story) {
		s.Timings = []investigate.Timing{{Name: "RetryPeriod", High: new(time.Duration)}}
	},
	"an offset of a minute": func(s *investigate.Story) {
		low := time.Minute
		for source := range 5 {
			s.Offsets = append(s.Offsets, investigate.Offset{Source: source, Low: &low})
		}
	},
}

// TestJudge: the judge finds nothing wrong in the true story, and something in each that claims more.
func TestJudge(t *testing.T) {
	caught := map[string]int{}
	for seed := range uint64(few.Of(200)) {
		r, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(r, DrawHabits(r))
		wrong, _ := Judge(l, oracle(l))
		assert.Empty(t, wrong)
		for name, plant := range plants {
			s := oracle(l)
			plant(s)
			if wrong, _ := Judge(l, s); len(wrong) > 0 {
				caught[name]++
			}
		}
	}
	for name := range plants {
		assert.Positive(t, caught[name], name)
	}
	t.Log(caught)
}
