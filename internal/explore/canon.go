package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// digest is the hash of a state, times relative to now, versions as current or not, candidates in the order that makes
// it least. States of one digest have the same future.
type digest [16]byte

// canon writes states down.
type canon struct {
	cfg    *Config
	orders [][]int
	// limit is an age from which on a reading is as good as older ones, and idle that between two attempts.
	limit, idle int64

	now time.Duration
	// past are the seconds before this one that wall times fall into, and of which only the order counts: a wall time is
	// compared with others, never with now.
	past    []int64
	facets  []machine.Facet
	ends    []int
	version uint64
	buf     []byte
	least   []byte
}

func newCanon(c *Config) *canon {
	k := &canon{cfg: c, limit: int64(c.limit()), idle: int64(c.LeaseDuration + time.Second)}
	order := make([]int, c.Candidates)
	for i := range order {
		order[i] = i
	}
	k.orders = [][]int{order}
	if !c.Unreduced {
		k.orders = permutations(order)
	}
	return k
}

// permutations are all orders of some numbers.
func permutations(of []int) [][]int {
	if len(of) == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for i, first := range of {
		for _, rest := range permutations(slices.Delete(slices.Clone(of), i, i+1)) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

// digest is the hash of a state.
func (k *canon) digest(w *world) digest {
	k.now = w.now
	k.collect(w)
	k.least = k.least[:0]
	for i, order := range k.orders {
		k.buf = k.buf[:0]
		k.world(w, order)
		if i == 0 || bytes.Compare(k.buf, k.least) < 0 {
			k.buf, k.least = k.least, k.buf
		}
	}
	sum := sha256.Sum256(k.least)
	return digest(sum[:16])
}

// collect takes down the facets: of the record in the store, then of each candidate and of its messages. ends[i] is
// where those of part i end.
func (k *canon) collect(w *world) {
	get, in := simlock.Op{Verb: machine.Get, Key: lockKey}, simlock.Result{}
	w.store.ApplyTo(&get, &in)
	k.version = in.Version
	k.facets = in.Record.Facets(k.facets[:0])
	k.ends = append(k.ends[:0], len(k.facets))
	for i := range w.nodes {
		n := &w.nodes[i]
		k.facets = n.machine.Facets(k.facets)
		for j := range n.messages {
			k.facets = n.messages[j].facets(k.facets)
		}
		k.ends = append(k.ends, len(k.facets))
	}
	k.past = k.past[:0]
	for i := range k.facets {
		if f := &k.facets[i]; f.Kind == machine.FacetWall {
			k.past = append(k.past, second(f))
		}
	}
	slices.Sort(k.past)
	k.past = slices.Compact(k.past)
}

// second is the one that a wall time falls into.
func second(f *machine.Facet) int64 { return int64(machine.Wall(f.Number).Truncate(time.Second)) }

// world writes a state down, its candidates in an order.
func (k *canon) world(w *world, order []int) {
	k.number(int64(w.now % time.Second)) // what a whole second is to others
	k.flag(k.version > 0)
	k.facetsOf(0, k.ends[0], 0, order)
	for _, i := range order {
		limit := k.idle
		if w.nodes[i].waiting {
			limit = k.limit
		}
		k.node(&w.nodes[i])
		k.facetsOf(k.ends[i], k.ends[i+1], limit, order)
	}
}

// facetsOf writes down some of the facets.
func (k *canon) facetsOf(from, to int, limit int64, order []int) {
	for i := from; i < to; i++ {
		switch f := &k.facets[i]; f.Kind {
		case machine.FacetName:
			k.number(int64(slices.IndexFunc(order, func(i int) bool { return ids[i] == f.Name })))
		case machine.FacetMono:
			k.number(min(int64(k.now)-f.Number, limit))
		case machine.FacetWall:
			k.wall(f)
		default:
			k.number(f.Number)
		}
	}
}

// wall writes down a wall time: which second it falls into and, within it, when.
func (k *canon) wall(f *machine.Facet) {
	s := second(f)
	rank, _ := slices.BinarySearch(k.past, s)
	k.number(int64(len(k.past) - rank))
	k.number(f.Number - s)
	k.flag(s == int64(epoch+machine.Wall(k.now.Truncate(time.Second))))
}

// node writes down what a candidate has beside its machine.
func (k *canon) node(n *node) {
	k.number(int64(len(n.messages)))
	for i := range n.messages {
		k.message(&n.messages[i])
	}
	k.flag(n.running)
	if !n.running && !n.timers[startTimer].armed {
		return
	}
	k.number(int64(n.wait))
	k.flag(n.cut)
	k.flag(n.hit && k.cfg.Bystanders)
	k.flag(n.waiting)
	k.number(int64(n.verb))
	k.flag(n.working)
	if n.working {
		k.number(int64(min(k.now-n.since, k.cfg.Exceeds+k.cfg.Grid)))
	}
	for _, t := range n.timers {
		k.flag(t.armed)
		if t.armed {
			k.number(int64(t.at - k.now))
		}
	}
	var op simlock.Op
	k.flag(n.lock.Prepare(machine.Update, &machine.Record{}, &op))
	k.seen(n.lock.Version())
}

// facets are those of the record that a message brings.
func (m *message) facets(out []machine.Facet) []machine.Facet {
	switch {
	case !m.answer && m.op.Verb != machine.Get:
		return m.op.Record.Facets(out)
	case m.answer && m.op.Verb == machine.Get:
		return m.result.Record.Facets(out)
	}
	return out
}

func (k *canon) message(m *message) {
	k.flag(m.unsettled)
	k.flag(m.answer)
	k.flag(m.awaited)
	k.number(int64(m.at - k.now))
	k.number(int64(m.fate.kind))
	k.number(int64(m.fate.back))
	k.number(int64(m.op.Verb))
	k.seen(m.op.Version)
	k.number(int64(m.result.Status))
	k.seen(m.result.Version)
}

// seen writes down what a version is good for: an old one never comes back.
func (k *canon) seen(version uint64) { k.flag(version == k.version) }

func (k *canon) number(n int64) { k.buf = binary.AppendVarint(k.buf, n) }

func (k *canon) flag(on bool) {
	if on {
		k.buf = append(k.buf, 1)
		return
	}
	k.buf = append(k.buf, 0)
}
