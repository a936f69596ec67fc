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
	retracer
	canon *canon
}

// expansion is all that a state leads to: ways to other states, by events steps. runs counts the schedules that ended or came
// to a known state.
type expansion struct {
	ways         []way
	events, runs int
}

// way is a state to which another leads, with the index and the cost of the choice; where overlap is not 0 it is a
// violation.
type way struct {
	state
	choice  int
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
	order := workers[0].paths.order(some)
	var taken atomic.Int64
	var group sync.WaitGroup
	for _, k := range workers {
		group.Go(func() {
			for {
				from := int(taken.Add(share)) - share
				if from >= len(order) {
					return
				}
				for _, i := range order[from:min(from+share, len(order))] {
					k.follow(k.worldOf(&some[i]), &found[i])
				}
			}
		})
	}
	group.Wait()
	return found
}

// worldOf returns the world of a state. If the state has none, it makes the world again.
func (k *worker) worldOf(s *state) *world {
	if s.world == nil {
		return k.retrace(s.number)
	}
	return s.world
}

// follow explores from the state w, and adds what it finds to x. It goes on for as long as there is only one choice and no time
// passes, and then takes every choice. The caller must not use w afterwards.
func (k *worker) follow(w *world, x *expansion) {
	w.scratch = &k.scratch
	all, events := k.forced(w, k.faults)
	x.events += events + len(all)
	if len(all) == 0 {
		x.runs++
		k.stuck(w, x)
	}
	for i := range all {
		k.branch(w, all, i, x)
	}
}

// forced moves the world w on, with at most that many more faults, as long as there is only one choice and no time
// passes. It returns the choices then, and how many it has taken.
func (k *worker) forced(w *world, faults int) (all []choice, taken int) {
	for ; ; taken++ {
		all = k.choices(w, faults)
		if len(all) != 1 || all[0].kind == pass {
			return all, taken
		}
		w.take(&all[0])
	}
}

// forever is the overlap of two works that nothing ends.
const forever = time.Duration(1<<63 - 1)

// stuck handles a state in which nothing more happens. If two candidates work in it, they do so for ever: it adds that violation
// to x. Otherwise it discards w.
func (k *worker) stuck(w *world, x *expansion) {
	if w.overlap(w.now+w.cfg.Grid) == 0 {
		w.discard()
		return
	}
	x.ways = append(x.ways, way{state: state{world: w}, overlap: forever})
}

// branch takes the choice with that index in all, and adds the state to which it leads to x. If that state is known, it only
// counts a run, which is over. If time passes in the choice and works overlap for too long by then, it does not take the choice,
// but adds a copy of w as a violation, and counts a run. It changes w itself only for the last choice in all, and a copy of it
// for the others.
func (k *worker) branch(w *world, all []choice, index int, x *expansion) {
	c := &all[index]
	if c.kind == pass || c.kind == cancel {
		if overlap := w.overlap(c.until); overlap > w.cfg.Exceeds {
			x.runs++
			x.ways = append(x.ways, way{state: state{world: w.clone()}, overlap: overlap})
			return
		}
	}
	if index < len(all)-1 {
		w = w.clone()
	}
	w.take(c)
	digest := k.canon.digest(w)
	if !k.isNew(digest, c.cost) {
		x.runs++
		w.discard()
		return
	}
	x.ways = append(x.ways, way{state: state{world: w, digest: digest}, choice: index, cost: c.cost})
}
