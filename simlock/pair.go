package simlock

import (
	"encoding/binary"
	"time"

	"interregnum/elector/machine"
)

// UnknownLeader is whom a Pair names where its two records name different holders.
const UnknownLeader = "leaderelection.k8s.io/unknown"

// Pair is a client's lock on two objects, for the time of a migration from the one to the other: resourcelock.MultiLock
// of k8s.io/client-go v0.20.15. Each call is several requests, one after the other: a Get two, a Create two, an Update
// three. Nothing makes them one: what comes between them finds half of what was written. The zero value but for its
// exported fields has called nothing yet.
type Pair struct {
	Primary, Secondary *Single
	// Identity is whom the lock is for.
	Identity string

	call  machine.Verb
	stage stage
	// record is what the call writes.
	record machine.Record
	// found and raw are what the last Get that succeeded has found.
	found machine.Record
	raw   []byte
}

// stage is which request of a call is the last one.
type stage uint8

const (
	// onPrimary is the first.
	onPrimary stage = iota
	// onSecondary is the second, of an Update a Get.
	onSecondary
	// onceMore is the third of an Update, after a Get that has found an object, or none.
	onceMore
	onceMoreMissing
)

// Apart is the same lock for a call that goes on by itself while others are made: it has the same objects.
func (p *Pair) Apart() *Pair {
	apart := *p
	apart.raw = nil
	return &apart
}

// Prepare begins a call and turns it into its first request. It fails, and nothing is sent, for an Update without an
// object of the primary kind.
func (p *Pair) Prepare(verb machine.Verb, record *machine.Record, op *Op) bool {
	p.call, p.stage = verb, onPrimary
	if verb != machine.Get {
		p.record.Set(record)
	}
	return p.Primary.Prepare(verb, record, op)
}

// Next is the request that follows one for which Answered returned 0. It can always be sent.
func (p *Pair) Next(op *Op) { p.Secondary.Prepare(p.verb(), &p.record, op) }

// verb is that of the request of the secondary object.
func (p *Pair) verb() machine.Verb {
	switch {
	case p.stage == onceMoreMissing:
		return machine.Create
	case p.stage == onSecondary && p.call == machine.Update:
		return machine.Get
	}
	return p.call
}

// Answered takes the service's answer to the last request, whose verb that is. It returns what has become of the call, 0
// where Next follows.
func (p *Pair) Answered(verb machine.Verb, r *Result) machine.Outcome {
	if p.stage == onPrimary {
		return p.primary(verb, r)
	}
	o := p.Secondary.Answered(verb, r)
	if p.stage == onSecondary {
		switch p.call {
		case machine.Get:
			return p.compare(o, r)
		case machine.Update:
			return p.updateNext(o)
		}
	}
	return o
}

// primary takes the answer of the primary object. That it is there already does not keep a Create from its second half:
// not even where it names somebody else by then.
func (p *Pair) primary(verb machine.Verb, r *Result) machine.Outcome {
	o := p.Primary.Answered(verb, r)
	if o != machine.Done && (verb != machine.Create || o != machine.Conflict) {
		return o
	}
	if verb == machine.Get {
		p.found.Set(&r.Record)
	}
	p.stage = onSecondary
	return 0
}

// compare ends a Get with what it has found of the secondary object.
func (p *Pair) compare(o machine.Outcome, r *Result) machine.Outcome {
	switch {
	case o == machine.NotFound && p.found.Holder != p.Identity:
		// The holder is a client that knows the primary object alone.
		p.raw = appendRecord(p.raw[:0], &p.found)
		return machine.Done
	case o != machine.Done:
		return o
	}
	if p.found.Holder != r.Record.Holder {
		p.found.Holder = UnknownLeader
	}
	p.raw = appendRecord(appendRecord(p.raw[:0], &p.found), &r.Record)
	return machine.Done
}

// updateNext goes on with an Update after it has read the secondary object: whatever that says is overwritten. Where it
// could not be read the library updates the empty object that it is left with, which is not sent.
func (p *Pair) updateNext(o machine.Outcome) machine.Outcome {
	switch o {
	case machine.Done:
		p.stage = onceMore
	case machine.NotFound:
		p.stage = onceMoreMissing
	default:
		return machine.Failed
	}
	return 0
}

// Failed takes the end of a call whose last request, of that verb, has no answer or was not sent. No other follows.
func (p *Pair) Failed(verb machine.Verb) {
	if p.stage == onPrimary {
		p.Primary.Failed(verb)
		return
	}
	p.Secondary.Failed(verb)
}

// Found is what a Get that succeeded has found: the primary's record and, for comparison, both in whole seconds.
func (p *Pair) Found(*Result) (record *machine.Record, raw []byte) { return &p.found, p.raw }

// Version is the version that the lock last saw of the secondary object: right after a write of its own, the fencing
// token. The primary's would not grow from who created the secondary alone, or who holds that alone, to a successor that
// had the primary before.
func (p *Pair) Version() uint64 { return p.Secondary.Version() }

// appendRecord appends a form of the record that is the same where its JSON text is.
func appendRecord(b []byte, r *machine.Record) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.Holder)))
	b = append(b, r.Holder...)
	b = binary.AppendVarint(b, r.DurationSeconds)
	b = binary.AppendVarint(b, int64(r.Acquire.Truncate(time.Second)))
	b = binary.AppendVarint(b, int64(r.Renew.Truncate(time.Second)))
	return binary.AppendVarint(b, r.Transitions)
}

// Life is that of both objects.
func (p *Pair) Life() uint64 { return p.Primary.Life()<<32 ^ p.Secondary.Life() }
