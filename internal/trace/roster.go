package trace

import "slices"

// TermID identifies a term: its candidate, the incarnation of that candidate, and its number there, from 1.
type TermID struct{ Candidate, Incarnation, Number int32 }

// TermID returns the term that an event about work belongs to.
func (e *Event) TermID() TermID { return TermID{e.Candidate, e.Incarnation, e.Term} }

// Work is the work of a term.
type Work struct {
	TermID
	// Order is its place among all works that have started, from 1.
	Order uint64
	// Cancelled tells that it was told to end, Crashed that its process has crashed.
	Cancelled, Crashed bool
}

// Record is what the record on one object says since it was written last.
type Record struct {
	// Known tells that a record was ever written, Exists that it has been neither deleted since nor run out.
	Known, Exists bool
	Holder        string
	Version       uint64
	Transitions   int64
	// Claimant is the candidate that wrote last, or Nobody if that write was a release. The write was at ClaimedAt, for
	// Lease seconds. A delete changes none of them.
	Claimant         int32
	ClaimedAt, Lease int64
}

// Roster is how things stand in one election: whose work goes on, who believes that it leads, and what the records say.
// It knows only what the events that it was given show. Use Reset.
type Roster struct {
	// Started is how many works have started. Works are those that go on, in the order in which they started.
	Started uint64
	Works   []Work
	// Workers are the candidates of Works. Believers are the candidates that believe that they lead. Both are in
	// ascending order; a candidate is in them as many times as it works or believes.
	Workers, Believers []int32
	Records            [Objects]Record
	// claims counts the writes by which a lock passed from one candidate to another. claimed has, for those that have made any, the place of
	// each candidate's last one among them, from 1.
	claims  uint64
	claimed []uint64
}

// Reset makes r the roster of an election that is about to begin.
func (r *Roster) Reset() {
	*r = Roster{Works: r.Works[:0], Workers: r.Workers[:0], Believers: r.Believers[:0], claimed: r.claimed[:0]}
	for o := range r.Records {
		r.Records[o].Claimant = Nobody
	}
}

// Observe updates the works, believers and records by an event. It ignores events of all kinds that are not in rosterKinds.
func (r *Roster) Observe(e *Event) {
	if rosterKinds.Has(e.Kind) {
		r.observe(e)
	}
}

// rosterKinds are the kinds of event that change a roster.
const rosterKinds = KindSet(1<<Written | 1<<Edited | 1<<Deleted | 1<<Expired | 1<<BeliefBegan | 1<<BeliefEnded |
	1<<WorkStarted | 1<<WorkCancelled | 1<<WorkEnded | 1<<Crashed)

// claim counts a write by which a candidate takes the lock, and stores its place among these writes as that of the candidate's
// last one.
func (r *Roster) claim(candidate int32) {
	r.claims++
	for len(r.claimed) <= int(candidate) {
		r.claimed = append(r.claimed, 0)
	}
	r.claimed[candidate] = r.claims
}

// ClaimOf returns the place, from 1, of the candidate's last claim among the claims of all candidates: the writes by which the
// lock passed to another. It is 0 if the candidate has made none.
func (r *Roster) ClaimOf(candidate int32) uint64 {
	if int(candidate) < len(r.claimed) {
		return r.claimed[candidate]
	}
	return 0
}

// observe updates the works, believers, records and claims by an event of a kind in rosterKinds.
func (r *Roster) observe(e *Event) {
	switch e.Kind {
	case Written:
		of := &r.Records[e.Object]
		if e.Holder != "" && !(of.Exists && of.Claimant == e.Candidate) {
			r.claim(e.Candidate)
		}
		of.observe(e)
	case Edited, Deleted, Expired:
		r.Records[e.Object].observe(e)
	case BeliefBegan:
		r.Believers = with(r.Believers, e.Candidate)
	case BeliefEnded:
		r.Believers = without(r.Believers, e.Candidate)
	case WorkStarted:
		r.Started++
		r.Works = append(r.Works, Work{TermID: e.TermID(), Order: r.Started})
		r.Workers = with(r.Workers, e.Candidate)
	case WorkCancelled:
		if w := r.Work(e); w != nil {
			w.Cancelled = true
		}
	case WorkEnded:
		id := e.TermID()
		if i := slices.IndexFunc(r.Works, func(w Work) bool { return w.TermID == id }); i >= 0 {
			r.Works = slices.Delete(r.Works, i, i+1)
		}
		r.Workers = without(r.Workers, e.Candidate)
	case Crashed:
		for i := range r.Works {
			w := &r.Works[i]
			w.Crashed = w.Crashed || w.Candidate == e.Candidate && w.Incarnation == e.Incarnation
		}
	}
}

// Renews tells whether x, of whose events the roster does not know yet, is a renewal as usual: an Update, conditioned on the
// version that the record has, by which the candidate that has the lock keeps it.
func (r *Roster) Renews(x *Exchange) bool {
	of := &r.Records[x.Object]
	return x.Changed && x.Verb == Update && x.Holder != "" && of.Exists && of.Claimant == x.Candidate && x.Base == of.Version && x.Version > x.Base
}

// exchange does what Observe does with the write of x, which has changed its object.
func (r *Roster) exchange(x *Exchange) {
	if !r.Renews(x) {
		r.Observe(x.AtService())
		return
	}
	of := &r.Records[x.Object]
	of.ClaimedAt, of.Lease, of.Transitions, of.Holder, of.Version = x.Applied, x.LeaseSeconds, x.Transitions, x.Holder, x.Version
}

// observe updates the record by an event about its object. A delete and an expiry only clear r.Exists. An edit leaves the
// claimant, but a record that it makes has none.
func (r *Record) observe(e *Event) {
	switch e.Kind {
	case Deleted, Expired:
		r.Exists = false
		return
	case Edited:
		if !r.Exists {
			r.Claimant = Nobody
		}
	case Written:
		r.Claimant, r.ClaimedAt, r.Lease, r.Transitions = e.Candidate, e.At, e.Amount, e.Transitions
		if e.Holder == "" {
			r.Claimant = Nobody
		}
	}
	r.Known, r.Exists, r.Holder, r.Version = true, true, e.Holder, e.Version
}

// Work returns the work that an event is about, nil if that work does not go on.
func (r *Roster) Work(e *Event) *Work {
	id := e.TermID()
	for i := range r.Works {
		if r.Works[i].TermID == id {
			return &r.Works[i]
		}
	}
	return nil
}

// Leads tells whether a candidate does work that nothing has told to end.
func (r *Roster) Leads(candidate int32) bool {
	for i := range r.Works {
		if w := &r.Works[i]; w.Candidate == candidate && w.leads() {
			return true
		}
	}
	return false
}

// Led tells whether any candidate does work that nothing has told to end.
func (r *Roster) Led() bool {
	return slices.ContainsFunc(r.Works, func(w Work) bool { return w.leads() })
}

// leads tells whether the work goes on and nothing has told it to end.
func (w *Work) leads() bool { return !w.Cancelled && !w.Crashed }

// with returns the numbers with n inserted once more, in ascending order.
func with(numbers []int32, n int32) []int32 {
	i, _ := slices.BinarySearch(numbers, n)
	return slices.Insert(numbers, i, n)
}

// without returns the numbers, which are sorted, with n removed once, if it is among them. The result is in the memory of
// numbers.
func without(numbers []int32, n int32) []int32 {
	if i, found := slices.BinarySearch(numbers, n); found {
		return slices.Delete(numbers, i, i+1)
	}
	return numbers
}
