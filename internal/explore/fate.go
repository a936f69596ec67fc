package explore

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// fate is what becomes of a request, once it is sent.
type fate struct {
	kind outcome
	// out and back are how long the request and its answer are under way.
	out, back time.Duration
}

// outcome is whether a request is applied and answered.
type outcome uint8

const (
	answered outcome = iota
	// refused is an error in place of the operation, and hidden one after it.
	refused
	hidden
	// lost never arrives; unheard is applied, and its answer is lost. Either cuts the candidate off, until a later
	// request gets through.
	lost
	unheard
	// open is any of these, decided when it shows.
	open
)

// fates returns all that can become of a request, first that it is answered at once without a fault; each other fate is one fault. Unless the search
// is unreduced those are a single one, which is decided only when it matters.
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
	// at is when it arrives or, while its fate is open, the last instant at which it can; answer whether it is on its
	// way back, awaited whether its sender still waits.
	at              time.Duration
	answer, awaited bool
	// unsettled: its fate is still open.
	unsettled bool
	// request is the number that its sender gave it.
	request int
	fate    fate
	op      simlock.Op
	result  simlock.Result
}

// stale tells whether a write will be refused, whenever it arrives: of the one object that there is, and that nobody
// deletes, no version comes back.
func (m *message) stale(version uint64) bool {
	return m.op.Verb == machine.Update && m.op.Version != version || m.op.Verb == machine.Create && version > 0
}

// trail is what happened on the way to a state that was not bound to, the last first.
type trail struct {
	before *trail
	node   int
	// request is the number of the node's request that it happened to.
	request int
	event   event
	fate    fate
	// at is when.
	at time.Duration
}

type event uint8

const (
	// met: a request had a fate of its own. healed: one got through after a cut.
	met event = iota
	healed
	cancelled
	// reached, replied and failed: a request whose fate was open was applied, was answered, or ended with an error.
	reached
	replied
	failed
)
