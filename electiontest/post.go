package electiontest

import (
	"cmp"
	"slices"
	"time"
)

// post is the messages that are on their way. It is guarded by world.mu.
type post struct {
	parcels []*parcel
	posted  uint64
	// more is told of each that is new.
	more chan struct{}
}

// parcel is a request that is due at the service, or an answer that is due at a candidate.
type parcel struct {
	// at is when it is due, since when it was sent.
	at, since time.Duration
	seat      int
	// about is "" for the lock: at one instant the order in which goroutines send other requests is free.
	about   string
	number  uint64
	deliver func()
}

func newPost() *post { return &post{more: make(chan struct{}, 1)} }

// send puts a message of a seat on its way, to be delivered when the delay has passed since now.
func (p *post) send(now, delay time.Duration, seat int, about string, deliver func()) {
	p.posted++
	p.parcels = append(p.parcels, &parcel{at: now + delay, since: now, seat: seat, about: about, number: p.posted, deliver: deliver})
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// first is the message to be delivered first, nil for none. Of several at one instant it is the one that was sent
// first; of those, the one of the first candidate, and what is about its lock before the rest.
func (p *post) first() *parcel {
	if len(p.parcels) == 0 {
		return nil
	}
	return slices.MinFunc(p.parcels, func(a, b *parcel) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.since, b.since), cmp.Compare(a.seat, b.seat),
			cmp.Compare(a.about, b.about), cmp.Compare(a.number, b.number))
	})
}

// remove takes a message out, which is to be delivered now.
func (p *post) remove(gone *parcel) {
	p.parcels = slices.DeleteFunc(p.parcels, func(p *parcel) bool { return p == gone })
}
