package explore

import (
	"sync"
	"sync/atomic"
	"time"
)

// worker goes on from states. Workers share only what none of them changes.
type worker struct {
	chooser
	scratch
	canon *canon
}

// expansion is what a state leads to.
type expansion struct {
	ways         []way
	events, runs int
}

// way is a state that another leads to, with so many faults or, where there is an overlap, a violation.
type way struct {
	state
	cost    int
	overlap time.Duration
}

const (
	// chunk is how many states are gone on from at once, and share how many a worker takes of them.
	chunk = 4096
	share = 32
)

// expand returns what each of these states leads to; all workers share the states.
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

// follow goes on from a state for as long as there is one choice only and no time passes, and then goes every way.
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

// forever is an overlap that nothing ends.
const forever = time.Duration(1<<63 - 1)

// stuck handles a state in which nothing more happens. Where two work in it, they do so for ever.
func (k *worker) stuck(w *world, x *expansion) {
	if w.overlap(w.now+w.cfg.Grid) == 0 {
		w.discard()
		return
	}
	x.ways = append(x.ways, way{state: state{world: w}, overlap: forever})
}

// branch takes one choice and keeps where it leads, if that is new or an overlap that is too long. Only the last choice may use the world itself.
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
