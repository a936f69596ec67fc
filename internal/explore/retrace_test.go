package explore

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// drawn is a world that can be searched in a moment, without any reduction too.
func drawn(t *rapid.T) Config {
	deadline := rapid.IntRange(2, 3).Draw(t, "deadline")
	c := Config{
		Config: bound.Config{
			Timings: timings(deadline+rapid.IntRange(1, 2).Draw(t, "margin"), deadline, 1),
			Profile: rapid.SampledFrom([]machine.Profile{
				machine.ClientGo, machine.ClientGoV024, machine.Strict,
			}).Draw(t, "profile"),
			ReleaseOnCancel: rapid.Bool().Draw(t, "release"),
			RequestTimeout:  time.Duration(rapid.IntRange(0, 2).Draw(t, "timeout")) * time.Second,
		},
		Candidates: 2, Grid: time.Second, Waits: 1,
		MaxRoundTrip: time.Duration(rapid.IntRange(0, 1).Draw(t, "roundTrip")) * time.Second,
		Faults:       rapid.IntRange(0, 1).Draw(t, "faults"),
		Rerun:        rapid.Bool().Draw(t, "rerun"), Bystanders: rapid.Bool().Draw(t, "bystanders"),
	}
	if err := c.Validate(); err != nil {
		t.Skip(err)
	}
	return c
}

// TestRetracedWorldsAreTheSame makes every world again to which a search comes before the last layer. The worker that
// does so visits them in the order in which the search finds them.
func TestRetracedWorldsAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn(t)
		c.Candidates += rapid.IntRange(0, 1).Draw(t, "third")
		c.Faults++
		c.Unreduced = rapid.Bool().Draw(t, "unreduced")
		e := newExplorer(&c)
		again := &worker{chooser: chooser{common: &e.common}, canon: newCanon(&c)}
		e.roots()
		for used := range c.Faults {
			e.faults, e.queued = c.Faults-used, map[digest]struct{}{}
			for worlds := 0; len(e.here) > 0 && worlds < 1000; {
				some := e.takeChunk()
				for i, x := range expand(e.workers, some) {
					for _, way := range x.ways {
						if way.overlap == 0 {
							worlds++
							e.compare(t, again, some[i].number, way)
						}
					}
				}
			}
			e.here, e.next = e.next, nil
		}
	})
}

// compare queues a state, and makes its world again.
func (e *explorer) compare(t *rapid.T, again *worker, from number, way way) {
	got := again.retrace(e.paths.add(origin{from, uint32(way.choice)}))
	require.Equal(t, way.digest, again.canon.digest(got))
	require.True(t, reflect.DeepEqual(plain(way.world), plain(got)), "want %+v, got %+v", way.world, got)
	e.queue(from, &way)
}

// plain is a copy of a world without what says which memory it shares.
func plain(w *world) *world {
	c := *w
	c.mine, c.scratch = [maxCandidates]bool{}, nil
	for i, n := range w.all() {
		own := *n
		own.messages = append([]message(nil), n.messages...)
		c.nodes[i] = &own
	}
	return &c
}

// TestOrderKeepsWhatIsTogether: states whose paths have the same beginning come one after the other, and those that have
// worlds come first.
func TestOrderKeepsWhatIsTogether(t *testing.T) {
	var p paths
	one, two := p.add(origin{}), p.add(origin{})
	a, b := p.add(origin{before: one}), p.add(origin{before: two})
	c, d := p.add(origin{before: two}), p.add(origin{before: one})
	require.Equal(t, []number{one, d}, p.path(d))
	some := []state{{number: b}, {number: a}, {number: one, world: &world{}}, {number: c}, {number: d}}
	require.Equal(t, []int{2, 1, 4, 0, 3}, p.order(some))
}

// TestPathsGrow keeps more origins than a block has.
func TestPathsGrow(t *testing.T) {
	var p paths
	for i := range uint32(2*blockSize + 1) {
		require.Equal(t, number(i+1), p.add(origin{number(i), i}))
	}
	for _, i := range []uint32{0, blockSize - 1, blockSize, 2 * blockSize} {
		require.Equal(t, origin{number(i), i}, p.origin(number(i+1)))
	}
}
