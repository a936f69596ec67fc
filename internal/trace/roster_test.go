package trace

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// told returns a roster after these events, all at different instants.
func told(events ...Event) *Roster {
	var r Roster
	r.Reset()
	for i := range events {
		events[i].At = int64(i + 1)
		r.Observe(&events[i])
	}
	return &r
}

func work(k Kind, candidate, incarnation, term int32) Event {
	return Event{Kind: k, Candidate: candidate, Incarnation: incarnation, Term: term}
}

func TestRosterWork(t *testing.T) {
	r := told(work(WorkStarted, 1, 1, 1), work(WorkStarted, 0, 1, 1), work(WorkCancelled, 1, 1, 1), work(WorkStarted, 1, 1, 2))
	assert.Equal(t, []int32{0, 1, 1}, r.Workers, "work that drains is work")
	assert.True(t, r.Leads(1))
	drains := work(WorkEnded, 1, 1, 1)
	assert.Equal(t, &Work{TermID: TermID{1, 1, 1}, Order: 1, Cancelled: true}, r.Work(&drains))
	r.Observe(&drains)
	assert.Equal(t, []int32{0, 1}, r.Workers)
	assert.Nil(t, r.Work(&drains), "it has ended")
	assert.False(t, r.Leads(2))
}

// TestRosterCrash: a crash is the end of leading for its own process, and not for one that was there before.
func TestRosterCrash(t *testing.T) {
	r := told(work(WorkStarted, 0, 1, 1), work(WorkCancelled, 0, 1, 1), work(WorkStarted, 0, 2, 1), work(Crashed, 0, 2, 0))
	assert.Equal(t, []Work{{TermID: TermID{0, 1, 1}, Order: 1, Cancelled: true}, {TermID: TermID{0, 2, 1}, Order: 2, Crashed: true}}, r.Works)
	assert.False(t, r.Led())
	ended := work(WorkEnded, 0, 2, 1)
	r.Observe(&ended)
	assert.Equal(t, []int32{0}, r.Workers)
}

func TestRosterBelief(t *testing.T) {
	r := told(work(BeliefBegan, 2, 1, 0), work(BeliefBegan, 0, 1, 0), work(BeliefEnded, 1, 1, 0))
	assert.Equal(t, []int32{0, 2}, r.Believers)
	ended := work(BeliefEnded, 2, 1, 0)
	r.Observe(&ended)
	assert.Equal(t, []int32{0}, r.Believers)
}

func TestRosterRecord(t *testing.T) {
	wrote := Event{Kind: Written, Candidate: 1, Object: Row, Holder: "b", Version: 7, Transitions: 2, Amount: 15}
	held := Record{
		Known: true, Exists: true, Holder: "b", Version: 7, Transitions: 2, Claimant: 1, ClaimedAt: 1, Lease: 15,
	}
	deleted, edited, released := held, held, held
	deleted.Exists = false
	edited.Holder, edited.Version = "c", 8
	released.Holder, released.Version, released.Claimant, released.ClaimedAt, released.Lease = "", 8, Nobody, 2, 1
	anew := edited
	anew.Claimant = Nobody
	edit := Event{Kind: Edited, Candidate: Nobody, Object: Row, Holder: "c", Version: 8}
	for name, c := range map[string]struct {
		events []Event
		want   Record
	}{
		"nothing was written":    {nil, Record{Claimant: Nobody}},
		"written":                {[]Event{wrote}, held},
		"deleted":                {[]Event{wrote, {Kind: Deleted, Candidate: Nobody, Object: Row}}, deleted},
		"run out":                {[]Event{wrote, {Kind: Expired, Candidate: Nobody, Object: Row}}, deleted},
		"another object deleted": {[]Event{wrote, {Kind: Deleted, Candidate: Nobody, Object: Key}}, held},
		"edited":                 {[]Event{wrote, edit}, edited},
		"deleted, then edited":   {[]Event{wrote, {Kind: Deleted, Candidate: Nobody, Object: Row}, edit}, anew},
		"released": {[]Event{wrote, {
			Kind: Written, Candidate: 1, Object: Row, Version: 8, Transitions: 2, Amount: 1,
		}}, released},
	} {
		assert.Equal(t, c.want, told(c.events...).Records[Row], name)
	}
}

// TestRosterOfExchanges: by an exchange a record becomes what it becomes by the event at the service. Only an update of the
// record's version by who has the lock already is a renewal.
func TestRosterOfExchanges(t *testing.T) {
	wrote := Event{Kind: Written, Candidate: 1, Object: Row, Holder: "b", Version: 7, Transitions: 2, Amount: 15}
	deleted, released := Event{Kind: Deleted, Candidate: Nobody, Object: Row}, Event{Kind: Written, Candidate: 1, Object: Row, Version: 7}
	renewal := Exchange{
		Seq: 10, Candidate: 1, Verb: Update, Object: Row, Applied: 40, Changed: true, Base: 7, Version: 9, Holder: "b", Transitions: 3, LeaseSeconds: 20,
	}
	changed := func(change func(*Exchange)) Exchange {
		x := renewal
		change(&x)
		return x
	}
	for name, c := range map[string]struct {
		before []Event
		x      Exchange
		renews bool
	}{
		"renewal":        {[]Event{wrote}, renewal, true},
		"another name":   {[]Event{wrote}, changed(func(x *Exchange) { x.Holder = "b-2" }), true},
		"nothing there":  {nil, renewal, false},
		"deleted":        {[]Event{wrote, deleted}, renewal, false},
		"released":       {[]Event{wrote, released}, renewal, false},
		"another's":      {[]Event{wrote}, changed(func(x *Exchange) { x.Candidate = 2 }), false},
		"releases":       {[]Event{wrote}, changed(func(x *Exchange) { x.Holder = "" }), false},
		"old version":    {[]Event{wrote}, changed(func(x *Exchange) { x.Base = 6 }), false},
		"same version":   {[]Event{wrote}, changed(func(x *Exchange) { x.Version = 7 }), false},
		"another verb":   {[]Event{wrote}, changed(func(x *Exchange) { x.Verb = Create }), false},
		"another object": {[]Event{wrote}, changed(func(x *Exchange) { x.Object = Key }), false},
		"no change":      {[]Event{wrote}, changed(func(x *Exchange) { x.Changed = false }), false},
	} {
		one, other := told(c.before...), told(c.before...)
		assert.Equal(t, c.renews, one.Renews(&c.x), name)
		if !c.x.Changed {
			continue
		}
		one.exchange(&c.x)
		other.Observe(c.x.AtService())
		assert.Equal(t, other, one, name)
	}
}

// notes is an observer that keeps what it is told, and how many worked just before.
type notes struct {
	roster *Roster
	heard  []Event
	before []int
}

func (n *notes) Wants() KindSet { return KindsOf(WorkStarted, Deleted, ServiceClock) }

func (n *notes) Observe(e *Event) {
	n.heard, n.before = append(n.heard, *e), append(n.before, len(n.roster.Works))
}

func newNotes(_ *Header, r *Roster) *notes { return &notes{roster: r} }

func TestByElection(t *testing.T) {
	h := &Header{Elections: []string{"x", "y"}, Candidates: []Candidate{{ID: "a", Election: "x"}, {ID: "a", Election: "y"}}}
	b := NewByElection(h, newNotes)
	assert.True(t, b.Wants().Has(Deleted))
	assert.False(t, b.Wants().Has(WorkEnded))
	ofAll := Event{Kind: ServiceClock, Candidate: Nobody}
	for _, e := range []Event{
		work(WorkStarted, 1, 1, 1), work(WorkEnded, 1, 1, 1), {Kind: Deleted, Candidate: Nobody, Election: 1}, ofAll,
	} {
		b.Observe(&e)
	}
	x, y := b.Observers[0], b.Observers[1]
	assert.Equal(t, []Event{ofAll}, x.heard)
	assert.Equal(t, []Event{work(WorkStarted, 0, 1, 1), {Kind: Deleted, Candidate: Nobody}, ofAll}, y.heard)
	assert.Equal(t, []int{0, 1, 1}, y.before, "the roster shows how things stood before, and no end that nobody wants")
	assert.Equal(t, []int{0}, x.before)
}

// TestJoin: an observer that joins a run is told what it is told alone. The roster that it asks also knows what others want.
func TestJoin(t *testing.T) {
	for _, h := range []*Header{
		{Candidates: []Candidate{{ID: "a"}, {ID: "b"}}},
		{Elections: []string{"x", "y"}, Candidates: []Candidate{{ID: "a", Election: "x"}, {ID: "a", Election: "y"}}},
	} {
		var run ByElection[*ear]
		run.Reset(h, newEar)
		alone := NewByElection(h, newNotes)
		var joined ByElection[*notes]
		joined.Join(&run, func(_ *notes, h *Header, r *Roster) *notes { return newNotes(h, r) })
		for _, e := range []Event{
			work(WorkStarted, 1, 1, 1), work(WorkEnded, 1, 1, 1), {Kind: ServiceClock, Candidate: Nobody}, work(WorkStarted, 0, 1, 1),
		} {
			run.Observe(&e)
			alone.Observe(&e)
		}
		last := len(h.Elections) / 2
		assert.Equal(t, alone.Observers[last].heard, joined.Observers[last].heard)
		assert.Equal(t, []int{0, 1}, alone.Observers[last].before[:2])
		assert.Equal(t, []int{0, 0}, joined.Observers[last].before[:2])
	}
}

func TestOneElection(t *testing.T) {
	b := NewByElection(&Header{Candidates: []Candidate{{ID: "a"}, {ID: "b"}}}, newNotes)
	for _, e := range []Event{work(WorkStarted, 1, 1, 1), work(Paused, 1, 1, 0), work(WorkStarted, 0, 1, 1)} {
		b.Observe(&e)
	}
	assert.Equal(t, []Event{work(WorkStarted, 1, 1, 1), work(WorkStarted, 0, 1, 1)}, b.Observers[0].heard)
	assert.Equal(t, []int{0, 1}, b.Observers[0].before)
}

// TestByElectionForgets: observers of a run are told the same whatever run was before.
func TestByElectionForgets(t *testing.T) {
	two := &Header{Elections: []string{"x", "y"}, Candidates: []Candidate{
		{ID: "a", Election: "x"}, {ID: "a", Election: "y"}, {ID: "b", Election: "y"},
	}}
	other := &Header{Elections: []string{"y", "z", "x"}, Candidates: []Candidate{
		{ID: "a", Election: "z"}, {ID: "b", Election: "y"}, {ID: "b", Election: "x"}, {ID: "c", Election: "x"},
	}}
	one := &Header{Candidates: []Candidate{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}}
	told := func(h *Header, b *ByElection[*ear]) (all [][]string) {
		for i := range h.Candidates {
			b.Observe(&Event{At: int64(i), Kind: WorkStarted, Candidate: int32(i), Term: 1})
		}
		b.Observe(&Event{Kind: FaultBegan, Candidate: Nobody, On: []int32{1, 2}})
		b.Observe(&Event{Kind: FaultBegan, Candidate: Nobody})
		for _, o := range b.Observers {
			all = append(all, o.heard)
		}
		return all
	}
	var used ByElection[*ear]
	for _, h := range []*Header{two, other, two, one, other, one, two, two} {
		var blank ByElection[*ear]
		blank.Reset(h, newEar)
		used.Reset(h, newEar)
		assert.Equal(t, told(h, &blank), told(h, &used))
	}
}

// ear hears everything.
type ear struct {
	header *Header
	roster *Roster
	heard  []string
}

func newEar(_ *ear, h *Header, r *Roster) *ear { return &ear{header: h, roster: r} }

func (*ear) Wants() KindSet { return AllKinds }

func (a *ear) Observe(e *Event) {
	a.heard = append(a.heard, fmt.Sprintf("%v of %d on %#v among %v, working %v", e.Kind, e.Candidate, e.On, a.header.Candidates, a.roster.Workers))
}
