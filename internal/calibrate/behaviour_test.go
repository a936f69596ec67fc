package calibrate

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/behaviour"
	"interregnum/internal/gate"
)

// TestBehaviour: percentiles that few answers determine are left out, and the slowest is no maximum.
func TestBehaviour(t *testing.T) {
	var m Measurement
	for i := range 998 {
		m.answer("get", 200, time.Duration(i+1)*time.Millisecond)
	}
	m.answer("get", 409, 3*time.Second)
	m.answer("get", 503, time.Second)
	m.fail(Timeout, time.Minute)
	m.fail("panic", time.Minute)
	text := Behaviour(m.All(), m.Failed())
	assert.Contains(t, text, "\n  roundTrip: {p50: 500.223ms, p90: 899.071ms, p99: 989.183ms, p99.9: 3s}\n")
	assert.Contains(t, text, "\n  errors: [{status: 503, probability: 0.0998003%}, {lost: 0.199600%}]\n")
}

// TestBehaviourReadsBack: whatever was measured is a behaviour beside an environment, and contradicts no bound that has a margin.
func TestBehaviourReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Measurement
		took := rapid.Int64Range(0, int64(2*time.Hour))
		for range rapid.IntRange(1, 1200).Draw(t, "answers") {
			m.answer("get", 200, time.Duration(took.Draw(t, "took")))
		}
		for range rapid.IntRange(0, 20).Draw(t, "failures") {
			m.answer("get", rapid.SampledFrom([]int{408, 429, 500, 503, 504, 599}).Draw(t, "status"), 0)
			m.fail(rapid.SampledFrom([]string{Timeout, "connection", "panic"}).Draw(t, "failure"), 0)
		}
		e := File{Slowest: m.All().Max, Margin: 2, Behaviour: Behaviour(m.All(), m.Failed())}
		var text bytes.Buffer
		require.NoError(t, e.Write(&text))
		b, warnings, err := behaviour.Read("e.yaml", bytes.NewReader(text.Bytes()))
		require.NoError(t, err, text.String())
		require.Empty(t, warnings)
		n := float64(m.All().Count)
		require.InDelta(t, float64(m.All().Max), float64(b.RoundTrip.At(math.Floor(1e8*n/(n+1))/1e8)), 2e3)
		sum := 0.0
		for _, x := range b.Errors {
			require.True(t, x.Status == 0 || !isAnswer(x.Status))
			sum += x.Probability
		}
		failed := int64(0)
		for _, s := range m.Failed() {
			failed += s.Count
		}
		require.InDelta(t, float64(failed)/(n+float64(failed)), sum, 1e-4)
		_, err = gate.ReadEnvironment("e.yaml", &text)
		require.NoError(t, err)
	})
}
