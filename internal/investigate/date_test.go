package investigate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/evidence"
)

// TestInterval: a pair of which it is certain has from when until when both worked, and each step that a log shows has its time.
func TestInterval(t *testing.T) {
	l := frozen(40, deadline)
	l.say("b", 61, evidence.Lost, deadline)
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	p := &s.Pairs[0].Worked
	assert.Equal(t, Certain, p.Verdict)
	assert.WithinDuration(t, after(30.02), p.From, 50*time.Millisecond)
	assert.WithinDuration(t, after(40), p.Until, 50*time.Millisecond)
	for _, l := range p.Chain {
		if len(l.Places) > 0 {
			at := s.When[l.Places[0]]
			assert.False(t, at.Low.IsZero() || at.High.Before(at.Low), l.Text)
		}
	}
}

// TestLogTwice: a pod's log that is given twice counts once.
func TestLogTwice(t *testing.T) {
	l := frozen(40, deadline)
	l.e.Sources = append(l.e.Sources, evidence.Source{File: "copy.log", Kind: evidence.Log, Process: "b"})
	for _, x := range l.e.Sayings {
		if l.e.Sources[x.Source].Process == "b" {
			x.Source = len(l.e.Sources) - 1
			l.e.Sayings = append(l.e.Sayings, x)
		}
	}
	s, err := Tell(&l.e, lock, nil)
	require.NoError(t, err)
	assert.Equal(t, Certain, s.Verdict())
	for _, p := range s.Processes {
		if p.Name == "b" {
			assert.Equal(t, 1, p.Stands)
		}
	}
}

// TestTwoLed: that the metrics of two processes say at once that they lead is told, and is not certain.
func TestTwoLed(t *testing.T) {
	for _, later := range []float64{0, 600} {
		l := newLogs()
		for k, process := range []string{"a", "b"} {
			for i := range 4 {
				at := after(float64(k)*later + 15*float64(i))
				l.e.Samples = append(l.e.Samples, evidence.Sample{Place: evidence.Place{Line: k}, Process: process, Name: lock.Name, At: at, Leads: true})
			}
		}
		s, err := Tell(&l.e, lock, nil)
		require.NoError(t, err)
		assert.Equal(t, later == 0, s.TwoLed)
		assert.Empty(t, s.Verdict())
		assert.Equal(t, map[bool]int{true: 0, false: 1}[later == 0], Count(&l.e, s).Transitions.Least)
		assert.Equal(t, later == 0, len(s.Notes) > 0 && s.Notes[1][:len("The metrics of a and b both said")] == "The metrics of a and b both said")
	}
}

// TestTokens: no token of a line is shown.
func TestTokens(t *testing.T) {
	assert.Equal(t, "sent Authorization: Bearer … and … too", WithoutSecrets("sent Authorization: Bearer abc.def-1== and eyJhbGciOi.eyJzdWIi.c2ln too"))
}
