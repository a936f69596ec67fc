package explore

import (
	"sync"
	"sync/atomic"
	"time"
)

// worker explores from states. Workers share only what none of them changes.
type worker struct {
	chooser
	scratch
	canon *canon
}

// expansion is all that a state leads to.
type expansion struct {
	ways         []way
	events, runs int
}

// way is a state to which another leads, with the cost of the choice; where overlap is not 0 it is a violation.
type way struct {
	state
	cost    int
	overlap time.Duration
}

const (
	// chunk is how many states are explored from at once, and share how many of them a worker takes at a time.
	chunk = 4096
	share = 32
)

// expand returns what each of the states leads to. The workers share the states among them.
func expand(workers []*worker, some []state) []expansion {
	found := make([]expansion, len(some))
	var taken atomic.Int64
	var group sync.WaitGroup
	for _, k := range workers {
		group.Go(func() {
			for {
				from := int(taken.Add(share)) - share
				if from >= len(some) {
					return
				}
				for i := from; i < min(from+share, len(some)); i++ {
					k.follow(some[i].world, &found[i])
				}
			}
		})
	}
	group.Wait()
	return found
}

// follow explores from a state. As long as there is only one choice, and no time passes, it goes on from the next
// state; then it takes every choice.
func (k *worker) follow(w *world, x *expansion) {
	w.scratch = &k.scratch
	for {
		all := k.choices(w)
		if len(all) == 0 {
			x.runs++
			k.stuck(w, x)
			return
		}
		x.events += len(all)
		if len(all) == 1 && all[0].kind != pass {
			w.take(&all[0])
			continue
		}
		for i := range all {
			k.branch(w, &all[i], x, i == len(all)-1)
		}
		return
	}
}

// forever is the overlap of two works that nothing ends.
const forever = time.Duration(1<<63 - 1)

// stuck handles a state in which nothing more happens. Two candidates that work in it do so for ever, which is a
// violation.
func (k *worker) stuck(w *world, x *expansion) {
	if w.overlap(w.now+w.cfg.Grid) == 0 {
		w.discard()
		return
	}
	x.ways = append(x.ways, way{state: state{world: w}, overlap: forever})
}

// branch takes one choice, and keeps the state to which it leads if that is new, or a violation. Only for the last
// choice of a state does it change the state's world itself.
func (k *worker) branch(w *world, c *choice, x *expansion, last bool) {
	if c.kind == pass || c.kind == cancel {
		if overlap := w.overlap(c.until); overlap > w.cfg.Exceeds {
			x.runs++
			x.ways = append(x.ways, way{state: state{world: w.clone()}, overlap: overlap})
			return
		}
	}
	if !last {
		w = w.clone()
	}
	w.take(c)
	digest := k.canon.digest(w)
	if !k.isNew(digest, c.cost) {
		x.runs++
		w.discard()
		return
	}
	x.ways = append(x.ways, way{state: state{w, digest}, cost: c.cost})
}
