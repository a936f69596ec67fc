package investigate

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// Tell returns the story of the lock: all that follows from the evidence. It returns an error if the evidence has nothing about
// the lock. A nil o is the same as no option set.
func Tell(e *evidence.Evidence, lock evidence.Lock, o *Options) (*Story, error) {
	if o == nil {
		o = &Options{}
	}
	if !mentioned(e, lock) {
		return nil, fmt.Errorf("want a lock that the logs name, got %s %s/%s", lock.Resource, lock.Namespace, lock.Name)
	}
	t := newTeller(attributed(e, lock), lock, o)
	t.own()
	t.comesBack()
	foreign := t.foreignZones()
	for _, p := range t.pods {
		t.follow(p)
		t.boundByRecords(p)
		t.boundByLines(p)
		p.lows.ready()
		p.highs.ready()
		p.judgeClock(t.s.Writes)
		for _, c := range p.courses {
			if t.place(c); c.term >= 0 {
				t.courses[c.term] = append(t.courses[c.term], c)
			}
		}
	}
	s := t.s
	s.Offsets = offsetsOf(e, t.pods)
	for i := range s.Terms {
		t.tellSpans(i)
	}
	s.Timings = t.timings()
	if !s.Mixed {
		s.Pairs, s.Losses = t.pairsOf(), t.lossesOf()
		t.date()
	}
	s.Processes = t.processesOf()
	s.Sightings = t.sightings()
	s.Unseen = unseen(s.Sightings)
	s.Reasons = t.reasonsOf()
	s.Notes = slices.Concat(t.notes(), t.nobodys(), t.shuffled(), foreign)
	return s, nil
}

// besides is how far a record's stamp may be from the log of its holder's pod, if that names no zone.
const besides = 5 * time.Minute

// foreignZones makes vague each pod whose logs name no zone, and that has stamped no record in the time of its logs, or near it: they
// may be in another zone than the one that was taken. It returns a note for each.
func (t *teller) foreignZones() (all []string) {
	for _, p := range t.pods {
		zoneless := slices.ContainsFunc(p.sources, func(i int) bool { return t.e.Sources[i].Zoneless })
		if !zoneless || len(p.attempts) == 0 || slices.ContainsFunc(p.attempts, func(q *evidence.Request) bool { return t.near(p, q.Wrote.Renew) }) {
			continue
		}
		p.vague = true
		all = append(all, fmt.Sprintf("The log of %s names no time zone, and no record of it is stamped in the time of its log, in the zone that was taken. Nothing is concluded from it: "+
			"if its stamps are in another zone, say --zone.", p.name))
	}
	return all
}

// near tells whether a time is in that of one of the pod's logs, or less than besides from it.
func (t *teller) near(p *pod, at time.Time) bool {
	return slices.ContainsFunc(p.sources, func(i int) bool {
		x := &t.e.Sources[i]
		return !at.Before(x.First.Add(-besides)) && !at.After(x.Last.Add(besides))
	})
}

// nobodys returns a note for each log whose process acquired the lock, but whose name is no holder's: nothing is concluded from
// it. If the story has no terms it returns nil.
func (t *teller) nobodys() (all []string) {
	for _, p := range t.pods {
		acquired := slices.ContainsFunc(p.sayings, func(s *evidence.Saying) bool { return s.Step == evidence.Acquired })
		if acquired && len(t.s.Terms) > 0 && !slices.ContainsFunc(t.s.Terms, func(term Term) bool { return t.podOf(term.Holder) == p }) {
			all = append(all, fmt.Sprintf("The log of %s says that it acquired the lock, and no holder has that name, up to an underscore. Nothing is concluded from it: "+
				"name its file after the holder, or after its host.", p.name))
		}
	}
	return all
}

// shuffled returns a note for each log whose lines are out of order by their stamps: nothing is concluded from it.
func (t *teller) shuffled() (all []string) {
	for _, p := range t.pods {
		if p.early != nil {
			all = append(all, fmt.Sprintf("The log of %s is out of order, or its clock was set: the line at %s is stamped before one that it follows. Nothing is concluded from it: "+
				"give the log as it was written.", p.name, t.at(p.early.Place)))
		}
	}
	return all
}

// teller has the evidence, the story as far as it is told, and what it needs to tell the rest.
type teller struct {
	e *evidence.Evidence
	o *Options
	s *Story
	// stamp is how finely the records say the time.
	stamp time.Duration
	// doubts are reasons why nothing is certain. There are no pods then.
	doubts []string
	// clocks has what sameClock has found.
	clocks map[[2]int]bool
	pods   []*pod
	// byHolder has the pods of holders' names that were asked for, nil for those of whom no log is there.
	byHolder map[string]*pod
	// by has for each write its request. gaps has for each write how many there are, up to it, before which others may be missing, or
	// one is of which it is not known whether its holder sent it. made has which ones created the object; created: the first one did.
	by      []*evidence.Request
	gaps    []int
	made    []bool
	created bool
	// received are the requests to write, in the order in which the server received them; sent has those that are to write a holder's
	// name; clients has all requests by who sent them.
	received []*evidence.Request
	sent     map[string][]*evidence.Request
	clients  map[client][]*evidence.Request
	// unread are the requests to write whose record is not logged, by who sent them; hosts has for each client whose host wrote from there, "" if
	// several did.
	unread map[client][]*evidence.Request
	// sole has what soleWriters has found.
	sole  map[string]client
	hosts map[client]string
	// owners has for each holder the client by which it writes itself, the zero value if it is not known which of several that is.
	owners map[string]client
	// shared has the holders whose name may be that of several processes; warnings say why.
	shared   map[string]bool
	warnings []string
	// steadOnly: only the API server itself writes the lock, or a tool.
	steadOnly bool
	// requests are what asked returns.
	requests []*evidence.Request
	// terms has for each write the term that it is of, -1 for none; courses for each term what its pod says of it.
	terms   []int
	courses [][]*course
	// back has what comesBack finds.
	back []int
}

// newTeller returns a teller with the writes, terms and pods of the lock, and the doubts. With doubts it has no pods; the pod of a
// holder whose name may be shared is vague. Requests are not distributed yet (see own), and nothing else is told.
func newTeller(e *evidence.Evidence, lock evidence.Lock, o *Options) *teller {
	t := &teller{e: e, o: o, s: &Story{Lock: lock}, stamp: stampUnit(lock), byHolder: map[string]*pod{}}
	t.sent, t.clients = map[string][]*evidence.Request{}, map[client][]*evidence.Request{}
	t.unread, t.clocks = map[client][]*evidence.Request{}, map[[2]int]bool{}
	t.s.Writes, t.by = writesOf(e, lock)
	t.created = len(t.by) > 0 && t.by[0].Verb == "create"
	t.s.Terms = termsOf(t.s.Writes)
	t.owners = t.ownersOf()
	if t.doubts = t.doubtsOf(); len(t.doubts) == 0 {
		t.pods = podsOf(e, lock, len(t.s.Writes) == 0)
		if why := t.crowd(); why != "" {
			t.doubts, t.pods, t.byHolder = append(t.doubts, why), nil, map[string]*pod{}
			t.s.Shared = true
		}
	}
	t.warnings = t.sharedBy()
	t.s.Shared = t.s.Shared || len(t.warnings) > 0
	for holder := range t.shared {
		if p := t.podOf(holder); p != nil {
			p.vague, p.set = true, true
		}
	}
	gaps := 0
	for i := range t.s.Writes {
		if !t.s.Writes[i].Follows || i > 0 && t.perhaps(t.by[i-1]) {
			gaps++
		}
		t.gaps, t.terms, t.made = append(t.gaps, gaps), append(t.terms, -1), append(t.made, t.by[i].Verb == "create")
	}
	for i := range t.s.Terms {
		x := &t.s.Terms[i]
		for k := x.First; k <= x.Last; k++ {
			t.terms[k] = i
		}
	}
	t.courses = make([][]*course, len(t.s.Terms))
	return t
}

// comesBack sets t.back to, for each term, the index of the next term of its holder that the holder itself began by replacing
// another's record, -1 if there is none.
func (t *teller) comesBack() {
	terms, next := t.s.Terms, map[string]int{}
	t.back = make([]int, len(terms))
	for i := len(terms) - 1; i >= 0; i-- {
		x := &terms[i]
		k, later := next[x.Holder]
		if t.back[i] = k; !later {
			t.back[i] = -1
		}
		if t.s.Writes[x.First].Follows && t.itself(t.by[x.First]) {
			next[x.Holder] = i
		}
	}
}

// mentioned tells whether anything in the evidence is about the lock. Samples need only have its name, lines of logs its name
// and namespace.
func mentioned(e *evidence.Evidence, lock evidence.Lock) bool {
	if slices.ContainsFunc(e.Samples, func(s evidence.Sample) bool { return s.Name == lock.Name }) || len(e.Snapshots)+len(e.Notices) > 0 && noted(e, lock) {
		return true
	}
	for i := range e.Requests {
		if e.Requests[i].Lock == lock {
			return true
		}
	}
	for i := range e.Sayings {
		if l := &e.Sayings[i].Lock; l.Namespace == lock.Namespace && l.Name == lock.Name {
			return true
		}
	}
	return false
}

// noted tells whether an object or a Kubernetes event in the evidence is about the lock.
func noted(e *evidence.Evidence, lock evidence.Lock) bool {
	return slices.ContainsFunc(e.Snapshots, func(s evidence.Snapshot) bool { return s.Lock == lock }) ||
		slices.ContainsFunc(e.Notices, func(n evidence.Notice) bool { return n.Lock == lock })
}

// notes returns notes that say what is missing in the evidence, and what therefore cannot be said; nil if there are none.
func (t *teller) notes() (all []string) {
	s := t.s
	if len(s.Writes) == 0 {
		all = append(all, "No write with its record is logged, so that nothing is known by the API server's clock. An audit policy of level RequestResponse logs them.")
	}
	all = append(all, sightNotes(s)...)
	for i := range s.Writes {
		if i > 0 && !s.Writes[i].Follows {
			all = append(all, "Between some writes others may be missing, or their versions are not logged. Nothing is certain across them.")
			break
		}
	}
	all = append(all, t.doubts...)
	if why := t.spread(); why != "" {
		all = append(all, why)
	}
	all = append(all, t.warnings...)
	all = append(all, t.others()...)
	for i := range s.Terms {
		if s.Terms[i].Foreign {
			all = append(all, "A holder's client is not known to be client-go's. Nothing is concluded from how client-go behaves.")
			break
		}
	}
	return all
}
