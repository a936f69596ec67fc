package explore

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// fate says what becomes of a request after it is sent.
type fate struct {
	kind outcome
	// out and back are how long the request and its answer are on their way.
	out, back time.Duration
}

// outcome says whether a request is applied, and whether it is answered.
type outcome uint8

const (
	answered outcome = iota
	// refused: the service answers with an error and does not apply the request; hidden: it does so after it has applied
	// the request.
	refused
	hidden
	// lost: the request never arrives; unheard: it is applied, and its answer is lost. Both cut the candidate off, until a
	// later request of its gets through.
	lost
	unheard
	// open: any of these outcomes; which of them is decided as late as possible.
	open
)

// fates returns all fates that a request with the verb v can have. The first is to be answered at once, which is no
// fault; each of the others is one fault. Unless the search is unreduced these others are a single one, which is
// open.
func (c *Config) fates(v machine.Verb) []fate {
	if !c.Unreduced {
		return []fate{{}, {kind: open}}
	}
	all := []fate{{}}
	for out := time.Duration(0); out <= c.MaxRoundTrip; out += c.Grid {
		for back := time.Duration(0); out+back <= c.MaxRoundTrip; back += c.Grid {
			if out+back > 0 {
				all = append(all, fate{answered, out, back})
			}
			if out == 0 {
				all = append(all, fate{refused, 0, back}) // where it spends its time is all the same
			}
			if v != machine.Get {
				all = append(all, fate{hidden, out, back})
			}
		}
		if v != machine.Get {
			all = append(all, fate{unheard, out, 0})
		}
	}
	return append(all, fate{kind: lost})
}

// message is a request on its way, or its answer.
type message struct {
	// at is when the message arrives or, while its fate is open, the last instant at which it can. answer: it is the
	// answer on its way back. awaited: its sender still waits.
	at              time.Duration
	answer, awaited bool
	// unsettled: its fate has not been chosen yet.
	unsettled bool
	// request is the number of the request among those of its sender.
	request int
	fate    fate
	op      simlock.Op
	result  simlock.Result
}

// stale tells whether the message is a write that the service refuses whenever it arrives; version is the present one
// in the store. There is one object that nobody deletes, so that no version comes back.
func (m *message) stale(version uint64) bool {
	return m.op.Verb == machine.Update && m.op.Version != version || m.op.Verb == machine.Create && version > 0
}

// trail is the history of a state: what happened before it and need not have happened, the last event first.
type trail struct {
	before *trail
	node   int
	// request is the number of the node's request to which it happened.
	request int
	event   event
	fate    fate
	// at is when it happened.
	at time.Duration
}

// event says what happened.
type event uint8

const (
	// met: a request got a fate that is not the usual one. healed: a request got through after a cut.
	met event = iota
	healed
	cancelled
	// reached, replied and failed: a request whose fate was open was applied, was answered, or ended with an error.
	reached
	replied
	failed
)
