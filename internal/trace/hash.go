package trace

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Hash is the running hash of a stream of events: XXH64 over each event's fields in a fixed form. Texts are hashed
// once, when they first occur, and are numbers from then on. The kind decides how long an event's form is. The two most
// common kinds have short forms, since they have few fields. Use NewHash.
type Hash struct {
	digest  *xxhash.Digest
	numbers map[string]uint32
	last    string
	lastNum uint32
	used    int
	pending [flushAt + sentSize + recordSize + handledSize]byte
}

// These are the lengths of the forms of events, in bytes: of RequestSent, of ResponseHandled, of events that are not about
// a request, and the longest, which all others have.
const (
	sentSize    = 40
	handledSize = 32
	otherSize   = 56
	recordSize  = 64
)

// flushAt is how many bytes are gathered at least before they go into the digest.
const flushAt = 32 * recordSize

// NewHash returns the hash of no events.
func NewHash() *Hash {
	return &Hash{digest: xxhash.New(), numbers: map[string]uint32{}}
}

// Observe adds an event to the hash.
func (h *Hash) Observe(e *Event) {
	text := h.text(e.Holder)
	if h.used >= flushAt {
		h.flush()
	}
	b := (*[recordSize]byte)(h.pending[h.used:])
	le := binary.LittleEndian
	le.PutUint64(b[0:], uint64(e.At))
	le.PutUint64(b[8:], pair(e.Candidate, e.Incarnation))
	le.PutUint64(b[16:], text<<40|uint64(uint16(e.Status))<<24|
		uint64(e.Kind)<<16|uint64(e.Object)<<12|uint64(e.Verb)<<8|uint64(e.Cause))
	switch {
	case e.Kind == ResponseHandled:
		le.PutUint64(b[24:], e.Request)
		h.used += handledSize
	case e.Kind == RequestSent:
		le.PutUint64(b[24:], e.Request)
		le.PutUint64(b[32:], uint64(e.Amount))
		h.used += sentSize
	case e.Kind.message():
		le.PutUint64(b[24:], e.Request)
		le.PutUint64(b[32:], uint64(e.Amount))
		le.PutUint64(b[40:], e.Version)
		le.PutUint64(b[48:], e.Base)
		le.PutUint64(b[56:], uint64(e.Transitions))
		h.used += recordSize
	default:
		le.PutUint64(b[24:], pair(e.Term, e.Fault))
		le.PutUint64(b[32:], uint64(e.Amount))
		le.PutUint64(b[40:], e.Version)
		le.PutUint64(b[48:], pair(e.Election, e.Rate))
		h.used += otherSize
	}
}

// Sum is the hash of a run's events.
type Sum uint64

// String returns the hash in hexadecimal, as people and files have it.
func (s Sum) String() string { return fmt.Sprintf("%016x", uint64(s)) }

// Sum returns the hash of all events so far.
func (h *Hash) Sum() Sum {
	h.flush()
	return Sum(h.digest.Sum64())
}

// Reset makes it the hash of no events.
func (h *Hash) Reset() {
	h.digest.Reset()
	clear(h.numbers)
	h.last, h.used = "", 0
}

// flush passes the events gathered in h.pending on to the digest.
func (h *Hash) flush() {
	_, _ = h.digest.Write(h.pending[:h.used])
	h.used = 0
}

// pair packs two numbers into one, a into the upper half.
func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// text returns the number that stands for a text, 0 for "". Most texts are the same as the one before.
func (h *Hash) text(text string) uint64 {
	if text == "" {
		return 0
	}
	if text != h.last {
		h.last, h.lastNum = text, h.number(text)
	}
	return uint64(h.lastNum)
}

// number returns the number that stands for a text, from 1. A text that is new is hashed itself, after the events
// gathered so far.
func (h *Hash) number(text string) uint32 {
	n, ok := h.numbers[text]
	if !ok {
		n = uint32(len(h.numbers) + 1)
		h.numbers[text] = n
		h.flush()
		_, _ = h.digest.WriteString(text)
	}
	return n
}
