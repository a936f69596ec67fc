package investigate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// Sign is one thing that an object, an event, a metric or a process's log can show of a holder.
type Sign string

// The signs.
const (
	// Held: the record named it, and nobody else meanwhile, from the write that acquired the lock, to which the holder set out at First, until the one
	// that is stamped Last.
	Held Sign = "the record named it"
	// Freed: the record named nobody, by the write that is stamped Last.
	Freed Sign = "the record named nobody"
	// Began and Stopped: it has reported that it became the leader, or stopped leading, at First, at Last, and so often in all.
	Began   Sign = "reported that it became the leader"
	Stopped Sign = "reported that it stopped leading"
	// Leads and Idle: its metric said that it leads, or does not, at First, at Last, and so often in all. It may have changed between.
	Leads Sign = "its metric said that it leads"
	Idle  Sign = "its metric said that it does not lead"
	// Acquired and GaveUp: its log says that it has acquired the lock, or given up renewing it, at First. These are told only where no write is logged.
	Acquired Sign = "its log says that it acquired the lock"
	GaveUp   Sign = "its log says that it gave up renewing"
	// Named: the log of By says that it held the lock, at First, at Last, and so often in all. It is told only where no write is logged.
	Named Sign = "a log says that it held the lock"
)

// Sighting is what an object, an event, a metric or a log shows of a holder. Its times are not by the API server's clock: those of records, events and logs are by
// the holder's, those of metrics by Prometheus'. It was so at an instant within First, and at one within Last; each has Low, and ends before High.
type Sighting struct {
	Sign Sign
	// Holder is its name in records or events; of metrics it is the pod, or the instance; of logs the process; of Freed it is "".
	Holder string
	// By is the process whose log it is, of Named, and "" otherwise. Relayed: the times are those of what gathered the log, and later.
	By          string
	Relayed     bool
	First, Last Instant
	Times       int
	// Transitions is the record's own count, -1 if it is none of an object.
	Transitions int
	// Places has where the first and the last time stand.
	Places []evidence.Place
}

// scrapeTakes is how long a scrape of Prometheus takes at most, by default.
const scrapeTakes = 10 * time.Second

// sightings returns what objects, events, metrics and logs show of the lock, sorted by the first time of each, then by the last
// one and the holder.
func (t *teller) sightings() (all []Sighting) {
	all = append(t.held(), t.reported()...)
	all = append(all, t.measured()...)
	all = append(all, t.logged()...)
	slices.SortStableFunc(all, func(a, b Sighting) int {
		return cmp.Or(a.First.Low.Compare(b.First.Low), a.Last.Low.Compare(b.Last.Low), cmp.Compare(a.Holder, b.Holder))
	})
	return all
}

// held returns what objects show: one sighting for all objects of one term. client-go keeps the record's acquireTime while the
// holder is the same, and counts each change of the holder. An object is a sighting of its own if its record names nobody
// (Freed), if its acquireTime is missing or later than its stamp, or if a client is perhaps not client-go. Objects without a
// stamp are left out.
func (t *teller) held() (all []Sighting) {
	index := map[recordTerm]int{}
	foreign := slices.ContainsFunc(t.s.Terms, func(x Term) bool { return x.Foreign }) ||
		slices.ContainsFunc(t.e.Sayings, func(s evidence.Saying) bool {
			return s.Client != "" && s.Lock.Namespace == t.s.Lock.Namespace && s.Lock.Name == t.s.Lock.Name
		})
	for i := range t.e.Snapshots {
		n := &t.e.Snapshots[i]
		r := &n.Record
		if n.Lock != t.s.Lock || r.Renew.IsZero() {
			continue
		}
		s := Sighting{Sign: Held, Holder: r.Holder, First: t.stamped(r.Acquire), Last: t.stamped(r.Renew), Times: 1, Transitions: r.Transitions, Places: []evidence.Place{n.Place}}
		if r.Holder == "" {
			s.Sign = Freed
		}
		if s.Sign == Freed || foreign || r.Acquire.IsZero() || r.Acquire.After(r.Renew) {
			s.First = s.Last
			all = append(all, s)
			continue
		}
		key := termOf(r)
		k, known := index[key]
		if !known {
			index[key] = len(all)
			all = append(all, s)
			continue
		}
		all[k].Times++
		if s.Last.Low.After(all[k].Last.Low) {
			all[k].Last, all[k].Places = s.Last, []evidence.Place{all[k].Places[0], n.Place}
		}
	}
	return all
}

// recordTerm is what all records of one term have in common, as a key.
type recordTerm struct {
	holder      string
	acquired    time.Time
	transitions int
}

// termOf returns the key of a record's term: holder, time of acquisition and count of transitions.
func termOf(r *evidence.Record) (t recordTerm) {
	t.holder, t.acquired, t.transitions = r.Holder, r.Acquire, r.Transitions
	return t
}

// stamped returns the time, by the writer's clock, in which a record was stamped whose stamp is at: from at until a unit later, a
// microsecond for a Lease and otherwise a second.
func (t *teller) stamped(at time.Time) Instant { return Instant{at, at.Add(t.stamp)} }

// reported returns what Kubernetes events show of the lock, a sighting for each.
func (t *teller) reported() (all []Sighting) {
	for i := range t.e.Notices {
		n := &t.e.Notices[i]
		if n.Lock != t.s.Lock {
			continue
		}
		first, last := reportedAt(n)
		s := Sighting{Sign: Stopped, Holder: n.Identity, First: first, Last: last, Times: n.Count, Transitions: -1, Relayed: n.Relayed, Places: []evidence.Place{n.Place}}
		if n.Leads {
			s.Sign = Began
		}
		all = append(all, s)
	}
	return all
}

// reportedAt returns two instants: when the thing that an event reports happened for the first time, and when for the last time.
// Each lies between the time that the event gives for it and one Unit later.
func reportedAt(n *evidence.Notice) (first, last Instant) {
	first.Low, last.Low = n.First, n.At
	first.High = n.First.Add(n.Unit)
	last.High = n.At.Add(n.Unit)
	return first, last
}

// measuredAt returns the bounds of the time, by the clock of Prometheus, at which a sample's value was so: from its Age before
// its time to the longest duration of a scrape after it.
func measuredAt(n *evidence.Sample) (i Instant) {
	i.Low = n.At.Add(-n.Age)
	i.High = n.At.Add(scrapeTakes)
	return i
}

// measured returns what metrics of elections with the lock's name show: one sighting for each stretch of samples of a series with
// the same value. Samples without a process are left out.
func (t *teller) measured() (all []Sighting) {
	var before *evidence.Sample
	for i := range t.e.Samples {
		n := &t.e.Samples[i]
		if n.Name != t.s.Lock.Name || n.Process == "" {
			continue
		}
		at := measuredAt(n)
		if before != nil && before.Place == n.Place && before.Leads == n.Leads && !n.At.Before(before.At) {
			all[len(all)-1].Last = at
			all[len(all)-1].Times++
		} else {
			s := Sighting{Sign: Idle, Holder: n.Process, First: at, Last: at, Times: 1, Transitions: -1, Places: []evidence.Place{n.Place}}
			if n.Leads {
				s.Sign = Leads
			}
			all = append(all, s)
		}
		before = n
	}
	return all
}

// logged returns what processes' logs say of the lock: when they acquired it and gave up, and who held it: a sighting for all
// lines of a process that name the same holder, up to one that names another or says that the process has acquired the lock. If a
// write of the lock is logged it returns nil.
func (t *teller) logged() (all []Sighting) {
	if len(t.s.Writes) > 0 {
		return nil
	}
	signs := map[evidence.Step]Sign{evidence.Acquired: Acquired, evidence.Lost: GaveUp}
	for _, p := range t.pods {
		named := -1
		for _, s := range p.sayings {
			at := Instant{s.At, s.At.Add(unit(s))}
			x := Sighting{Sign: signs[s.Step], Holder: p.name, First: at, Last: at, Times: 1, Transitions: -1, Relayed: s.Relayed, Places: []evidence.Place{s.Place}}
			switch {
			case x.Sign != "":
				named = -1
			case s.Identity == "":
				continue
			case named >= 0 && all[named].Holder == s.Identity && all[named].Relayed == s.Relayed:
				all[named].Last, all[named].Places = at, []evidence.Place{all[named].Places[0], s.Place}
				all[named].Times++
				continue
			default:
				x.Sign, x.Holder, x.By = Named, s.Identity, p.name
				named = len(all)
			}
			all = append(all, x)
		}
	}
	return all
}

// twoLed returns a note on the first two processes whose metrics said at once that they lead, by Prometheus' clock, and sets TwoLed of the story; "" if there are
// none. The sightings must be sorted.
func (s *Story) twoLed() string {
	var ends []*Sighting // of each process the sighting up to here that lasted longest
	for i := range s.Sightings {
		b := &s.Sightings[i]
		if b.Sign != Leads {
			continue
		}
		own := slices.IndexFunc(ends, func(a *Sighting) bool { return a.Holder == b.Holder })
		for _, a := range ends {
			if a.Holder == b.Holder || b.First.Low.After(a.Last.Low) {
				continue
			}
			s.TwoLed = true
			const form = "2006-01-02 15:04:05"
			return fmt.Sprintf("The metrics of %s and %s both said that they lead, from %s to %s by Prometheus' clock, which the alert LeaderElectionTwoLeaders is about. It is not certain that both "+
				"worked: a metric says what its process believed when it was scraped last, and a process that stands still, or is cut off, says it until it has read another's record. The logs of both, and the audit log "+
				"(level RequestResponse), show more.", a.Holder, b.Holder, b.First.Low.UTC().Format(form), sooner(a.Last.High, b.Last.High).UTC().Format(form))
		}
		if own < 0 {
			ends = append(ends, b)
		} else if b.Last.Low.After(ends[own].Last.Low) {
			ends[own] = b
		}
	}
	return ""
}

// counts returns the least and the greatest count of transitions in the sightings of records with a holder, and how many
// different counts there are. All are 0 if there is none. A count below zero is left out.
func counts(all []Sighting) (least, greatest, seen int) {
	var found []int
	for i := range all {
		if s := &all[i]; s.Sign == Held && s.Transitions >= 0 {
			found = append(found, s.Transitions)
		}
	}
	if len(found) == 0 {
		return 0, 0, 0
	}
	slices.Sort(found)
	return found[0], found[len(found)-1], len(slices.Compact(found))
}

// unseen returns how many terms no object shows, at least, by the records' own counts: there is a term for each count from the
// least to the greatest.
func unseen(all []Sighting) int {
	least, greatest, seen := counts(all)
	if seen == 0 {
		return 0
	}
	return greatest - least + 1 - seen
}

// sightNotes returns the notes on the story's sightings: how many terms they miss, and whose clocks they are by.
func sightNotes(s *Story) (all []string) {
	if why := s.twoLed(); why != "" {
		all = append(all, why)
	}
	if s.Unseen > 0 {
		all = append(all, fmt.Sprintf("By the record's own count there were %d more terms between those that the objects show, if all clients are client-go's.", s.Unseen))
	}
	if len(s.Sightings) > 0 {
		all = append(all, "What objects, events and logs show is by the clock of the holder, what metrics show by Prometheus' clock; a scrape is taken to last for 10 s at most. Of "+
			"clocks that differ nothing shows which came first.")
	}
	return all
}
