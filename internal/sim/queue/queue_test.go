package queue

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/sim/clock"
)

// model is a queue that is sorted from scratch whenever it is looked at.
type model []Entry

func (m *model) pop() Entry {
	slices.SortFunc(*m, func(a, b Entry) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	first := (*m)[0]
	*m = (*m)[1:]
	return first
}

// TestQueue holds the queue against the model: any pushes and pops, times that fall together, entries that go
// to the front and to the end.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue
		q.Reset()
		var m model
		last, settled := clock.Instant(0), false
		push := func(at clock.Instant) {
			e := Entry{At: at, Seq: q.Number(), Ref: int32(len(m)), Kind: Kind(at % 7)}
			q.Push(e)
			m = append(m, e)
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) { push(last + clock.Instant(rapid.IntRange(0, 40).Draw(t, "in"))) },
			"push many": func(t *rapid.T) {
				for range rapid.IntRange(1, 60).Draw(t, "n") {
					push(last + clock.Instant(rapid.IntRange(0, 1000).Draw(t, "in")))
				}
			},
			"push in front":   func(*rapid.T) { push(last) },
			"push to the end": func(*rapid.T) { push(last + 2000) },
			"push an old number": func(t *rapid.T) { // as a timer does that is put back
				if len(m) == 0 {
					t.Skip()
				}
				e := rapid.SampledFrom(m).Draw(t, "of")
				e.At += 5
				q.Push(e)
				m = append(m, e)
			},
			"settle": func(t *rapid.T) {
				if settled {
					t.Skip()
				}
				settled = true
				q.Settle()
			},
			"pop": func(t *rapid.T) {
				if len(m) == 0 {
					t.Skip()
				}
				want := m.pop()
				assert.Equal(t, want, *q.First())
				assert.Equal(t, want.At, q.NextAt())
				assert.Equal(t, want, q.Pop())
				last = want.At
			},
			"pop many": func(t *rapid.T) {
				for range min(len(m), rapid.IntRange(1, 60).Draw(t, "n")) {
					want := m.pop()
					assert.Equal(t, want, q.Pop())
					last = want.At
				}
			},
			"": func(t *rapid.T) { require.Equal(t, len(m) == 0, q.Empty()) },
		})
		for len(m) > 0 {
			require.Equal(t, m.pop(), q.Pop())
		}
		require.True(t, q.Empty())
	})
}

// TestQueueOfManySorts: more than any number that is kept apart from the heap, in every order of pushing.
func TestQueueOfManySorts(t *testing.T) {
	orders := map[string]func(i int) clock.Instant{
		"rising":   func(i int) clock.Instant { return clock.Instant(i) },
		"falling":  func(i int) clock.Instant { return clock.Instant(10_000 - i) },
		"the same": func(int) clock.Instant { return 7 },
		"two":      func(i int) clock.Instant { return clock.Instant(i % 2) },
		"random": func() func(int) clock.Instant {
			r := rand.New(rand.NewPCG(1, 2))
			return func(int) clock.Instant { return clock.Instant(r.IntN(500)) }
		}(),
	}
	for name, at := range orders {
		for _, n := range []int{1, 2, 5, 12, 13, 14, 100, 10_000} {
			var q Queue
			q.Reset()
			for i := range n {
				q.Push(Entry{At: at(i), Seq: q.Number()})
			}
			before := q.Pop()
			for range n - 1 {
				e := q.Pop()
				require.True(t, before.Before(e), "%s %d", name, n)
				before = e
			}
			require.True(t, q.Empty())
		}
	}
}
