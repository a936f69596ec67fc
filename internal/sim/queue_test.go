package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is a queue that is sorted from scratch whenever it is looked at.
type model []entry

func (m *model) pop() entry {
	slices.SortFunc(*m, func(a, b entry) int {
		if a.before(&b) {
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
		var q queue
		var m model
		last := instant(0)
		push := func(at instant) {
			e := entry{at: at, seq: q.number(), ref: int32(len(m)), kind: entryKind(at % 7)}
			q.push(e)
			m = append(m, e)
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) { push(last + instant(rapid.IntRange(0, 40).Draw(t, "in"))) },
			"push many": func(t *rapid.T) {
				for range rapid.IntRange(1, 60).Draw(t, "n") {
					push(last + instant(rapid.IntRange(0, 1000).Draw(t, "in")))
				}
			},
			"push in front":   func(*rapid.T) { push(last) },
			"push to the end": func(*rapid.T) { push(last + 2000) },
			"push an old number": func(t *rapid.T) { // as a timer does that is put back
				if len(m) == 0 {
					t.Skip()
				}
				e := rapid.SampledFrom(m).Draw(t, "of")
				e.at += 5
				q.push(e)
				m = append(m, e)
			},
			"pop": func(t *rapid.T) {
				if len(m) == 0 {
					t.Skip()
				}
				want := m.pop()
				assert.Equal(t, want, q.pop())
				last = want.at
			},
			"pop many": func(t *rapid.T) {
				for range min(len(m), rapid.IntRange(1, 60).Draw(t, "n")) {
					want := m.pop()
					assert.Equal(t, want, q.pop())
					last = want.at
				}
			},
			"": func(t *rapid.T) { require.Equal(t, len(m) == 0, q.empty()) },
		})
		for len(m) > 0 {
			require.Equal(t, m.pop(), q.pop())
		}
		require.True(t, q.empty())
	})
}

// TestQueueOfManySorts: more than any number that is kept apart from the heap, in every order of pushing.
func TestQueueOfManySorts(t *testing.T) {
	orders := map[string]func(i int) instant{
		"rising":   func(i int) instant { return instant(i) },
		"falling":  func(i int) instant { return instant(10_000 - i) },
		"the same": func(int) instant { return 7 },
		"two":      func(i int) instant { return instant(i % 2) },
		"random": func() func(int) instant {
			r := rand.New(rand.NewPCG(1, 2))
			return func(int) instant { return instant(r.IntN(500)) }
		}(),
	}
	for name, at := range orders {
		for _, n := range []int{1, 2, 5, 12, 13, 14, 100, 10_000} {
			var q queue
			for i := range n {
				q.push(entry{at: at(i), seq: q.number()})
			}
			before := q.pop()
			for range n - 1 {
				e := q.pop()
				require.True(t, before.before(&e), "%s %d", name, n)
				before = e
			}
			require.True(t, q.empty())
		}
	}
}
