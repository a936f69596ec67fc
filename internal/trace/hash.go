package trace

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Hash is the running hash of a stream of events. It takes in an event as two to four pairs of numbers. Each pair is
// multiplied to 128 bits, of which the two halves are folded into one number, as wyhash does
// (https://github.com/wangyi-fudan/wyhash). Texts are hashed once, by XXH64, when they first occur, and are numbers from
// then on. The kind decides which fields of an event count. Use NewHash.
type Hash struct {
	state   uint64
	numbers map[string]uint64
	// last is the text that came last, and lastNum is its number. Most texts are the same as the one before.
	last    string
	lastNum uint64
}

// Each number of a pair is combined with a key of its own, so that no usual number makes the product 0, and numbers that
// change places change the hash. The keys are random odd numbers; those of wyhash are among them.
const (
	key0 = 0xa0761d6478bd642f
	key1 = 0xe7037ed1a0b428db
	key2 = 0x8ebc6af09c88c6e3
	key3 = 0x589965cc75374cc3
	key4 = 0x1d8e4e27c47d124f
	key5 = 0xeb44accab455d165
	key6 = 0x9e3779b97f4a7c15
	key7 = 0xc2b2ae3d27d4eb4f
)

// fold returns the exclusive or of the two halves of the product of a and b, which has 128 bits.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// moment returns the hash of what all events have: the time at, in nanoseconds since the start of the run, and who, the pair of
// candidate and incarnation.
func moment(at int64, who uint64) uint64 { return fold(uint64(at)^key0, who^key1) }

// matter returns the hash of what an event is about: its kind and, as number, its request, or its term and fault.
func matter(what, number uint64) uint64 { return fold(what^key2, number^key3) }

// object returns the hash of four numbers of an event: for a request, what it has found or left in the lock object; for other
// kinds the amount, the version, and whatever the caller puts in the place of the others.
func object(amount int64, version, base uint64, transitions int64) uint64 {
	return fold(uint64(amount)^key4, version^key5) ^ fold(base^key6, uint64(transitions)^key7)
}

// NewHash returns the hash of no events.
func NewHash() *Hash { return &Hash{state: key3, numbers: map[string]uint64{}} }

// add takes in an event that has become one number.
func (h *Hash) add(event uint64) { h.state = fold(h.state^event^key4, key6) }

// Observe adds an event to the hash. It leaves out RequestHeld: what that says follows from the scenario and the events before, and
// hashes that people have pinned are older than that kind.
func (h *Hash) Observe(e *Event) {
	if e.Kind == RequestHeld {
		return
	}
	what := h.text(e.Holder)<<40 | uint64(uint16(e.Status))<<24 |
		uint64(e.Kind)<<16 | uint64(e.Object)<<12 | uint64(e.Verb)<<8 | uint64(e.Cause)
	event := moment(e.At, pair(e.Candidate, e.Incarnation))
	switch {
	case e.Kind == ResponseHandled:
		event ^= matter(what, e.Request)
	case e.Kind == RequestSent:
		event ^= matter(what, e.Request) ^ uint64(e.Amount)
	case e.Kind.message():
		event ^= matter(what, e.Request) ^ object(e.Amount, e.Version, e.Base, e.Transitions)
	default:
		event ^= matter(what, pair(e.Term, e.Fault)) ^
			object(e.Amount, e.Version, pair(e.Election, e.Rate), 0)
	}
	h.add(event)
}

// Sum is the hash of a run's events.
type Sum uint64

// String returns the hash in hexadecimal, as people and files have it.
func (s Sum) String() string { return fmt.Sprintf("%016x", uint64(s)) }

// Sum returns the hash of all events so far.
func (h *Hash) Sum() Sum { return Sum(h.state) }

// Reset makes h the hash of no events.
func (h *Hash) Reset() {
	clear(h.numbers)
	*h = Hash{state: key3, numbers: h.numbers}
}

// pair packs two numbers into one, a into the upper half.
func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// text returns the number that stands for a text, 0 for "". If the text is new, it is added to the hash.
func (h *Hash) text(text string) uint64 {
	if text == "" {
		return 0
	}
	if text != h.last {
		h.last, h.lastNum = text, h.number(text)
	}
	return h.lastNum
}

// isLast tells whether a text is the one before, in the same memory. It does not look at the bytes, and is false for an equal
// text in other memory.
func (h *Hash) isLast(text string) bool {
	return unsafe.StringData(text) == unsafe.StringData(h.last) && len(text) == len(h.last)
}

// number returns the number that stands for a text, from 1. If the text is new, it gets the next number, and is added to the
// hash.
func (h *Hash) number(text string) uint64 {
	n, ok := h.numbers[text]
	if !ok {
		n = uint64(len(h.numbers) + 1)
		h.numbers[text] = n
		h.state = fold(h.state^xxhash.Sum64String(text)^key0, key2)
	}
	return n
}
