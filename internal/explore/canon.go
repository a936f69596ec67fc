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

// digest is the hash of a state, with times relative to now, versions as present or not, and the candidates in the
// order that makes the text least. States with one digest have the same future.
type digest [16]byte

// canon writes states down in a form in which equal states look the same.
type canon struct {
	cfg    *Config
	orders [][]int
	// limit is the age, in nanoseconds, from which on a reading of a clock is as good as an older one.
	limit int64

	now time.Duration
	// past are the whole seconds into which the wall times of the state fall. Only their order counts: a wall time is
	// compared with others, never with now.
	past []int64
	// facets are those of the record in the store, and then those of each candidate; ends[i] is where those of part i end.
	facets []machine.Facet
	ends   []int
	// version and transitions are those of the record in the store.
	version     uint64
	transitions int64
	// parts are the texts of the store and of each candidate.
	parts [1 + maxCandidates]part
	buf   []byte
	least []byte
}

// part is a text in which the names of candidates are left out. names are the candidates that the text mentions, in
// order, -1 for none.
type part struct {
	text  []byte
	names []int
}

// newCanon returns a canon, which writes and hashes the worlds of a configuration.
func newCanon(c *Config) *canon {
	k := &canon{cfg: c, limit: int64(c.LeaseDuration + time.Second)}
	k.orders = [][]int{indices(c.Candidates)}
	if !c.Unreduced {
		k.orders = permutations(k.orders[0])
	}
	return k
}

// permutations returns all orders of some numbers.
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

// digest returns a hash that is the same for all states that differ only in the names of candidates. It writes the
// state in each order of the candidates that is sorted by their texts, and hashes the least result. In an unreduced
// search there is just one order, so that names count.
func (k *canon) digest(w *world) digest {
	k.now = w.now
	k.collect(w)
	k.write(w)
	k.least = k.least[:0]
	for _, order := range k.orders {
		if len(k.orders) > 1 && !k.sorted(order) {
			continue
		}
		k.buf = k.buf[:0]
		k.named(0, order)
		for _, i := range order {
			k.named(i+1, order)
		}
		if len(k.least) == 0 || bytes.Compare(k.buf, k.least) < 0 {
			k.buf, k.least = k.least, k.buf
		}
	}
	sum := sha256.Sum256(k.least)
	return digest(sum[:16])
}

// sorted tells whether the candidates in that order are sorted by their texts.
func (k *canon) sorted(order []int) bool {
	return slices.IsSortedFunc(order, func(i, j int) int { return bytes.Compare(k.parts[i+1].text, k.parts[j+1].text) })
}

// named appends the i-th part to k.buf. It replaces the candidates that the part mentions by their places in an order
// of the candidates.
func (k *canon) named(i int, order []int) {
	p := &k.parts[i]
	k.number(int64(len(p.text)))
	k.buf = append(k.buf, p.text...)
	for _, candidate := range p.names {
		k.number(int64(slices.Index(order, candidate)))
	}
}

// collect stores in k the version and transitions of the record, all values of the record and of each candidate with its
// messages (facets, ends), and the whole seconds of their wall times (past).
func (k *canon) collect(w *world) {
	get, in := simlock.Op{Verb: machine.Get, Key: lockKey}, simlock.Result{}
	w.store.ApplyTo(&get, &in)
	k.version, k.transitions = in.Version, in.Record.Transitions
	k.facets = in.Record.Facets(k.facets[:0])
	k.ends = append(k.ends[:0], len(k.facets))
	for _, n := range w.all() {
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

// second returns the whole second that a wall time falls into, in nanoseconds.
func second(f *machine.Facet) int64 { return int64(machine.Wall(f.Number).Truncate(time.Second)) }

// write fills k.parts: it writes the store into the first part, and each candidate into one of the others. collect must have been
// called for w before.
func (k *canon) write(w *world) {
	k.begin(0)
	k.number(int64(w.now % time.Second)) // what a whole second is to others
	k.flag(k.version > 0)
	k.facetsOf(0, k.ends[0], 0)
	k.end(0)
	for i := range w.all() {
		k.begin(i + 1)
		k.node(w, i)
		k.facetsOf(k.ends[i], k.ends[i+1], i+1)
		k.end(i + 1)
	}
}

// begin makes k.buf the emptied text of the i-th part, so that all writes go there until end.
func (k *canon) begin(i int) {
	k.buf, k.parts[i].text = k.parts[i].text[:0], k.buf
	k.parts[i].names = k.parts[i].names[:0]
}

// end stores k.buf as the text of the i-th part, and restores what k.buf was before begin.
func (k *canon) end(i int) { k.buf, k.parts[i].text = k.parts[i].text, k.buf }

// facetsOf writes k.facets[from:to] to k.buf, in a form in which equal states look the same. The candidates that they name go
// to k.parts[part].names instead.
func (k *canon) facetsOf(from, to, part int) {
	for i := from; i < to; i++ {
		switch f := &k.facets[i]; f.Kind {
		case machine.FacetName:
			k.parts[part].names = append(k.parts[part].names, slices.Index(ids[:], f.Name))
		case machine.FacetMono:
			k.number(min(int64(k.now)-f.Number, k.limit))
		case machine.FacetWall:
			k.wall(f)
		case machine.FacetStamp:
			k.number(max(f.Number-int64(epoch)-int64(k.now), -1))
		case machine.FacetTransitions:
			k.number(f.Number - k.transitions)
		default:
			k.number(f.Number)
		}
	}
}

// wall appends a wall time to k.buf: the rank of its second among those of the state, the time within that second,
// and whether the second is the present one.
func (k *canon) wall(f *machine.Facet) {
	s := second(f)
	rank, _ := slices.BinarySearch(k.past, s)
	k.number(int64(len(k.past) - rank))
	k.number(f.Number - s)
	k.flag(s == int64(epoch+machine.Wall(k.now.Truncate(time.Second))))
}

// node appends to k.buf what the i-th candidate has besides its machine: messages, timers, work, and the state of its lock. Of a
// candidate that no longer runs, and does not start again, it writes the messages and that alone.
func (k *canon) node(w *world, i int) {
	n := w.nodes[i]
	k.number(int64(len(n.messages)))
	for i := range n.messages {
		k.message(&n.messages[i])
	}
	k.flag(n.running)
	if !n.running && !n.timers[startTimer].armed {
		return
	}
	if n.machine.Phase() <= machine.Acquiring { // nobody waits so after that
		k.number(int64(n.wait))
	}
	k.flag(n.cut)
	k.flag(n.hit && k.cfg.Bystanders)
	k.flag(n.waiting)
	if n.waiting {
		k.number(int64(n.verb))
	}
	k.flag(n.working)
	if n.working {
		k.number(int64(w.age(i)))
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

// age returns for how long the i-th candidate has worked, as far as that matters: 0 unless another candidate works that began
// no later, and no more than a step of the grid above Config.Exceeds. Of two, the later start decides how long both have
// worked.
func (w *world) age(i int) time.Duration {
	n := w.nodes[i]
	for j, other := range w.all() {
		if j != i && other.working && other.since <= n.since {
			return min(w.now-n.since, w.cfg.Exceeds+w.cfg.Grid)
		}
	}
	return 0
}

// facets appends the values of the record that a message carries to out; none if it carries no record.
func (m *message) facets(out []machine.Facet) []machine.Facet {
	switch {
	case !m.answer && m.op.Verb != machine.Get:
		return m.op.Record.Facets(out)
	case m.answer && m.op.Verb == machine.Get:
		return m.result.Record.Facets(out)
	}
	return out
}

// message appends a message to k.buf: its state, when it arrives, and what it carries.
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

// seen appends to k.buf whether a version is the present one in the store. Nothing else about it matters, since no
// version comes back.
func (k *canon) seen(version uint64) { k.flag(version == k.version) }

// number appends a number to k.buf.
func (k *canon) number(n int64) { k.buf = binary.AppendVarint(k.buf, n) }

// flag appends 1 to k.buf if on is true, otherwise 0.
func (k *canon) flag(on bool) {
	if on {
		k.buf = append(k.buf, 1)
		return
	}
	k.buf = append(k.buf, 0)
}

// indices returns the numbers from 0 to n-1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
