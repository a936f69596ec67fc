package simlock

import (
	"encoding/binary"
	"time"

	"interregnum/elector/machine"
)

// UnknownLeader is the holder that a Pair names if its two records name different holders.
const UnknownLeader = "leaderelection.k8s.io/unknown"

// Pair is a client's lock on two objects, for the time of a migration from one to the other: resourcelock.MultiLock of
// k8s.io/client-go v0.20.15. Each call makes several requests, one after the other: up to two for a Get or a Create, up to three
// for an Update. Other clients' requests can come between them, and find half of what a call writes. A Pair with only the
// exported fields set has called nothing yet.
type Pair struct {
	Primary, Secondary *Single
	// Identity is the candidate that the lock is for.
	Identity string

	call  machine.Verb
	stage stage
	// record is what the call writes.
	record machine.Record
	// found and raw are the result of the last Get that succeeded.
	found machine.Record
	raw   []byte
}

// stage says which request of a call was sent last.
type stage uint8

const (
	// onPrimary is the first.
	onPrimary stage = iota
	// onSecondary is the second; in an Update it is a Get.
	onSecondary
	// onceMore is the third of an Update, after a Get that found an object, and onceMoreMissing after a Get that found
	// none.
	onceMore
	onceMoreMissing
)

// Reset makes p a lock on these two objects, for the candidate identity, that has called nothing yet. It keeps nothing of p but
// allocated memory.
func (p *Pair) Reset(primary, secondary *Single, identity string) {
	*p = Pair{Primary: primary, Secondary: secondary, Identity: identity, raw: p.raw[:0]}
}

// Apart returns a copy of the lock, for a call that goes on by itself while others are made. The copy shares Primary and
// Secondary with the original.
func (p *Pair) Apart() *Pair {
	apart := *p
	apart.raw = nil
	return &apart
}

// Prepare begins a call and stores its first request in op. It returns false, so that nothing is sent, for an Update if
// the lock has no primary object.
func (p *Pair) Prepare(verb machine.Verb, record *machine.Record, op *Op) bool {
	p.call, p.stage = verb, onPrimary
	if verb != machine.Get {
		p.record.Set(record)
	}
	return p.Primary.Prepare(verb, record, op)
}

// Next fills op with the call's next request, after Answered has returned 0. It can always be sent.
func (p *Pair) Next(op *Op) { p.Secondary.Prepare(p.verb(), &p.record, op) }

// verb returns the verb of the call's next request, which is on the secondary object.
func (p *Pair) verb() machine.Verb {
	switch {
	case p.stage == onceMoreMissing:
		return machine.Create
	case p.stage == onSecondary && p.call == machine.Update:
		return machine.Get
	}
	return p.call
}

// Answered takes the service's answer to the last request, which had that verb. It returns the outcome of the call, or 0 if the
// call is not over: then Next makes its next request.
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

// primary handles the answer about the primary object. It returns the outcome of the call, or 0 if the call goes on with the
// secondary object. An error ends the call, except that a Create goes on if the primary object is there already, even if that
// names another holder.
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

// compare ends a Get with the outcome and the answer for the secondary object, and returns the outcome of the call. If the two
// objects name different holders, the record found names UnknownLeader. If the secondary object is missing and the primary one
// names another client, the primary's record is the result.
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

// updateNext goes on with an Update after its Get of the secondary object. It overwrites whatever was found, and
// creates a missing object. If the Get failed, the Update has failed: the library would then update an empty object,
// which is not sent.
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

// Failed tells the lock that the call has ended because its last request, of that verb, was not answered or not sent. The lock
// of the object that the request was on is then perhaps left with an empty object: see Single.Failed. No other request of the
// call follows.
func (p *Pair) Failed(verb machine.Verb) {
	if p.stage == onPrimary {
		p.Primary.Failed(verb)
		return
	}
	p.Secondary.Failed(verb)
}

// Found returns the primary's record as the last successful Get found it, with UnknownLeader as its holder if the two objects
// differed. raw encodes the records of both objects, times in whole seconds: it differs from that of an earlier Get if one of
// them has changed. The Result is not used, since the Pair keeps what it needs.
func (p *Pair) Found(*Result) (record *machine.Record, raw []byte) { return &p.found, p.raw }

// Version returns the version of the secondary object that the lock last saw: right after a write of its own, that is the
// fencing token. The primary's version would not do. It need not grow when the lock passes from a client that wrote the
// secondary object alone to one that had the primary object before.
func (p *Pair) Version() uint64 { return p.Secondary.Version() }

// appendRecord appends a binary form of the record to b, and returns the result. Two records have the same form if their JSON
// texts, with times in whole seconds, are the same.
func appendRecord(b []byte, r *machine.Record) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.Holder)))
	b = append(b, r.Holder...)
	b = binary.AppendVarint(b, r.DurationSeconds)
	b = binary.AppendVarint(b, int64(r.Acquire.Truncate(time.Second)))
	b = binary.AppendVarint(b, int64(r.Renew.Truncate(time.Second)))
	return binary.AppendVarint(b, r.Transitions)
}

// Life returns a number made of the UIDs of both objects, so that it changes if one of them was deleted and made anew.
func (p *Pair) Life() uint64 { return p.Primary.Life()<<32 ^ p.Secondary.Life() }
