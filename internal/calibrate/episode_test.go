package calibrate

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
)

// TestBehaviourOf: failures in a row are an outage, single ones are errors, and the text is one that the reader takes.
func TestBehaviourOf(t *testing.T) {
	var all []Request
	for i := range 1000 {
		at := time.Unix(int64(2*i), 0)
		r := Request{Verb: "update", Received: at, Answered: at.Add(time.Duration(i%10+1) * time.Millisecond), Status: 200}
		switch {
		case i >= 500 && i < 510: // 18 seconds and a little
			r.Status = 503
		case i == 100:
			r.Status = 0
		case i == 700:
			r.Status = 429
		case i == 800:
			r.Status = 409 // an answer
		}
		all = append(all, r)
	}
	text, err := BehaviourOf(all)
	require.NoError(t, err)
	b, _, err := behaviour.Read("test.yaml", strings.NewReader(text))
	require.NoError(t, err, text)
	require.Len(t, b.Episodes, 1)
	e := b.Episodes[0]
	assert.Equal(t, behaviour.Outage, e.Kind)
	assert.InDelta(t, 1998, e.Every.Seconds(), 1)
	assert.InDelta(t, 18, e.Lasts.Mean().Seconds(), 0.02)
	assert.Len(t, b.Errors, 2)
	for _, x := range b.Errors {
		assert.InDelta(t, 1.0/990, x.Probability, 1e-4)
	}
	_, err = BehaviourOf([]Request{{Status: 503}})
	assert.ErrorContains(t, err, "want requests that were answered, got none")
}
