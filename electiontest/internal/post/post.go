// Package post has the messages of a run that are on their way.
package post

import (
	"cmp"
	"slices"
	"time"
)

// Post has the messages that are on their way. It has no mutex: callers must lock.
type Post struct {
	// More is sent to where a message is new, unless nobody has received what was sent before.
	More chan struct{}

	parcels []*Parcel
	posted  uint64
}

// Parcel is a request that is due at the service, or an answer that is due at a candidate.
type Parcel struct {
	// At is when it is due.
	At time.Duration
	// Deliver does what is due then.
	Deliver func()

	// since is when it was sent.
	since time.Duration
	seat  int
	// about is "" for the lock: at one instant the order in which goroutines send other requests is free.
	about  string
	number uint64
}

// New returns a post without messages.
func New() *Post { return &Post{More: make(chan struct{}, 1)} }

// Send puts a message on its way: it adds a parcel that is due when delay has passed since now, and whose Deliver is deliver. It
// does not call deliver. now is the time since the run began; seat is the candidate's index; about is "" for a message on the lock.
// Send also sends to More, unless nobody has received what was sent there before.
func (p *Post) Send(now, delay time.Duration, seat int, about string, deliver func()) {
	p.posted++
	p.parcels = append(p.parcels, &Parcel{At: now + delay, since: now, seat: seat, about: about, number: p.posted, Deliver: deliver})
	select {
	case p.More <- struct{}{}:
	default:
	}
}

// First returns the message that is due first, and leaves it in the post; nil if there is none. Of several due at one instant it
// returns the one that was sent first. Of those sent at one instant too, it returns the one of the candidate with the lowest
// index, and for one candidate a message on its lock before others.
func (p *Post) First() *Parcel {
	if len(p.parcels) == 0 {
		return nil
	}
	return slices.MinFunc(p.parcels, func(a, b *Parcel) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.since, b.since), cmp.Compare(a.seat, b.seat),
			cmp.Compare(a.about, b.about), cmp.Compare(a.number, b.number))
	})
}

// Remove takes a message out of the post. It does not deliver it.
func (p *Post) Remove(gone *Parcel) {
	p.parcels = slices.DeleteFunc(p.parcels, func(p *Parcel) bool { return p == gone })
}
