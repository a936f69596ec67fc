package replay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/plan"
	"interregnum/scenarios"
)

// requestsOf returns for each write its request, nil if it is not there.
func requestsOf(e *evidence.Evidence, writes []investigate.Write) []*evidence.Request {
	by := make(map[evidence.Place]*evidence.Request, len(e.Requests))
	for i := range e.Requests {
		if q := &e.Requests[i]; by[q.Place] == nil {
			by[q.Place] = q
		}
	}
	all := make([]*evidence.Request, len(writes))
	for i := range writes {
		all[i] = by[writes[i].Place]
	}
	return all
}

// byKubectl tells whether kubectl made the i-th write.
func (b *builder) byKubectl(i int) bool { return strings.HasPrefix(b.story.Writes[i].By, "kubectl") }

// undone tells whether somebody else than the holder of the (i-1)-th write took the lock from it by the i-th write, which names nobody:
// kubectl, or a client that did not make that write, but one that names another holder.
func (b *builder) undone(i int) bool {
	if b.holder(i) != "" || i == b.first || b.holder(i-1) == "" {
		return false
	}
	if c := b.cause(i - 1); b.byKubectl(i) || c == investigate.Undone || c == investigate.Edited {
		return true
	}
	q, own := b.requests[i], b.requests[i-1]
	if q == nil || own == nil || sameClient(q, own) {
		return false
	}
	others := false
	for k := range b.story.Writes {
		if x := b.requests[k]; b.holder(k) != "" && x != nil && sameClient(x, q) {
			if b.holder(k) == b.holder(i-1) {
				return false
			}
			others = true
		}
	}
	return others
}

// sameClient tells whether two requests came from one address, with one agent and user.
func sameClient(a, b *evidence.Request) bool {
	return a.From == b.From && a.Agent == b.Agent && a.User == b.User
}

// undo makes somebody edit the object by the i-th write. The holder is kept from writing again until another process of it begins (see
// stops), unless it goes on itself (see regains).
func (b *builder) undo(i int) {
	b.own = b.applied
	if !b.regains(i + 1) {
		b.stops(i - 1)
	}
	b.edits = append(b.edits, i)
	b.fault(plan.Fault{Kind: plan.FaultEdit, At: b.time(i), Edit: plan.Edit{Holder: new(string)}})
	b.applied = b.time(i)
}

// regains tells whether the i-th write is that by which a holder takes the lock back that another took from it by the write before,
// and goes on: its log does not say that it gave up, stood for election or acquired the lock.
func (b *builder) regains(i int) bool {
	return i-2 >= b.first && i <= b.last && b.undone(i-1) && b.holder(i) == b.holder(i-2) && !b.byKubectl(i) &&
		!b.saysBetween(b.at(i-2), b.at(i), b.holder(i), evidence.Lost, evidence.Tries, evidence.Acquired)
}

// regain makes the holder take the lock back by the i-th write. Its next renewal meets a conflict; it reads, and writes at once. If that
// renewal would come later by itself, or so early that no delay explains it, a new process of the holder writes.
func (b *builder) regain(i int) {
	at, asks := b.time(i), b.own+b.delay+b.period
	if b.fresh[i-2] {
		asks = b.own + b.delay
	}
	late := at - asks - 5*b.delay
	if at-4*b.delay <= b.time(i-1) || late < -near || late >= b.deadline*9/10 {
		b.begin(b.holder(i), at-3*b.delay)
		b.fresh[i], b.applied = true, at
		return
	}
	b.applied = asks + 5*b.delay
	b.delays(i, asks, late)
	b.polled = asks
}

// writes returns the writes of the run, with those of its edits, and those that change nothing in it, where the log has them.
func (b *builder) writes(r *scenarios.Result) []scenarios.Write {
	all := slices.Clone(r.Writes)
	more := slices.Concat(b.edits, b.repeated)
	slices.Sort(more)
	for _, i := range more {
		if at := i - b.first; at <= len(all) {
			all = slices.Insert(all, at, scenarios.Write{AtNs: int64(b.time(i)), Holder: b.holder(i)})
			if slices.Contains(b.repeated, i) {
				all[at].AtNs = max(all[at].AtNs, all[at-1].AtNs)
			}
		}
	}
	return all
}

// sameEdits tells whether the scenario has the edits that b has made, at the same times.
func (b *builder) sameEdits(s *scenarios.Scenario) bool {
	var at, want []time.Duration
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Kind == plan.FaultEdit {
			at = append(at, f.At)
		}
	}
	for _, i := range b.edits {
		want = append(want, b.time(i))
	}
	return slices.Equal(at, want)
}

// byHand returns an error if kubectl made a write that names a holder. It says which one, and what to do about it.
func (b *builder) byHand() error {
	for i := b.first; i <= b.last; i++ {
		if b.byKubectl(i) && b.holder(i) != "" {
			return fmt.Errorf("no scenario was found: the write that was received at %s is by kubectl and names a holder, "+
				"and in a scenario only candidates do that: give the part of the audit log before it, or after it",
				b.story.Writes[i].Received.UTC().Format(time.RFC3339Nano))
		}
	}
	return nil
}
