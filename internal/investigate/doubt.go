package investigate

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// doubtsOf returns sentences that say why nothing is certain of a lock, whatever its processes have logged; nil if there is no
// reason. t.owners must be set.
func (t *teller) doubtsOf() (all []string) {
	if why := t.unsure(); why != "" {
		t.s.Several = true
		all = append(all, why+" Nothing is certain, and nothing impossible.")
	} else if a, b, several := t.severalClocks(); several {
		all = append(all, fmt.Sprintf("The audit logs %s and %s are not known to be of one API server: they are of the same time, or their names are not those of one log that was rotated, "+
			"such as audit.log and audit-2026-03-01T12-00-00.000.log. Each may have a clock of its own. Nothing is certain, and nothing impossible, that would need these to agree.", t.logName(a), t.logName(b)))
	} else if why := t.contradiction(); why != "" {
		all = append(all, why+" So the audit log has the times of two clocks, as of two API servers or clusters, or who wrote is no elector. Nothing is certain, and nothing impossible.")
	}
	if why := t.mixture(); why != "" {
		t.s.Mixed = true
		all = append(all, why+": several objects of that name are written in turns, as by several clusters. Nothing is certain, and nothing impossible: want the logs of one.")
	}
	return all
}

// mixture returns the beginning of a sentence that says what shows that the requests about the lock are about several objects in turns; "" if nothing does.
func (t *teller) mixture() string {
	if a, b, several := severalObjects(t.e, t.s.Lock); several {
		return fmt.Sprintf("The UIDs of the objects at %s and %s come in turns", t.at(a), t.at(b))
	}
	if a, b, twice := t.versionTwice(); twice {
		return fmt.Sprintf("The writes at %s and %s made one version, or replaced one, and an API server takes but one of two such writes", t.at(a), t.at(b))
	}
	return ""
}

// versionTwice returns two writes of different records that made the same version, or that replaced the same one; twice is false if there are none. A write
// that changes nothing makes no version, and replaces none.
func (t *teller) versionTwice() (a, b evidence.Place, twice bool) {
	made, replaced := map[uint64]*evidence.Request{}, map[uint64]*evidence.Request{}
	for _, q := range t.by {
		from, to := version(q.Sent), version(q.Got)
		if to == 0 || from == to {
			continue
		}
		for _, other := range []*evidence.Request{made[to], replaced[from]} {
			if other != nil && *other.Wrote != *q.Wrote {
				return other.Place, q.Place, true
			}
		}
		if made[to] = q; from > 0 {
			replaced[from] = q
		}
	}
	return a, b, false
}

// unsure returns why the times of requests about the lock are not known to be those of one clock, by the sources that have them; "" if they are.
func (t *teller) unsure() string {
	for i := range t.e.Requests {
		if q := &t.e.Requests[i]; q.Lock == t.s.Lock && t.e.Sources[q.Source].Unsure != "" {
			return t.e.Sources[q.Source].Unsure
		}
	}
	return ""
}

// logName returns the words for an audit log: its file, and the server that it says that it is of.
func (t *teller) logName(source int) string {
	x := &t.e.Sources[source]
	if x.Process != "" {
		return x.File + " of " + x.Process
	}
	return x.File
}

// severalClocks sets t.s.Several, and returns two audit logs with requests to write the lock that are of two servers as far as is known; several is false if all
// are of one. Only the parts of one rotated log are: neither their times nor the versions in them show that two logs have one clock.
func (t *teller) severalClocks() (a, b int, several bool) {
	ended := map[int]time.Time{} // when the first request of each log had ended: it can have begun in the time of the log before
	var logs []int
	for i := range t.e.Requests {
		q := &t.e.Requests[i]
		if first, has := ended[q.Source]; !has || q.Answered.Before(first) {
			ended[q.Source] = q.Answered
		}
		if q.Lock == t.s.Lock && writing(q) && !slices.Contains(logs, q.Source) {
			logs = append(logs, q.Source)
		}
	}
	for i, k := range logs {
		for _, l := range logs[:i] {
			first, second := &t.e.Sources[l], &t.e.Sources[k]
			order, one := rotated(first, second)
			if one && (order > 0 || !ended[k].After(first.Last)) && (order < 0 || !ended[l].After(second.Last)) {
				one = false
			}
			if !one && !several {
				a, b, several = l, k, true
			}
		}
	}
	t.s.Several = several
	return a, b, several
}

// sameClock tells whether the audit logs a and b are one, or parts of one that was rotated.
func (t *teller) sameClock(a, b int) bool {
	if a == b {
		return true
	}
	same, known := t.clocks[[2]int{a, b}]
	if !known {
		_, same = rotated(&t.e.Sources[a], &t.e.Sources[b])
		t.clocks[[2]int{a, b}] = same
	}
	return same
}

// contradiction returns a sentence that says which times of the audit log cannot be by one clock, if all that wrote are electors of client-go; "" if
// there are none. Each of these cannot be: a write replaced a record before the server had received that one, or an earlier version than the write before
// it; it was answered before a write of an earlier version was received; it did not count on (see miscounts); it took
// the lock from a holder whose lease had not run out; and a read by a process that stands for election found a record before the server had
// received it, or after the server had replaced it.
func (t *teller) contradiction() string {
	made := map[uint64]int{}
	newest := 0 // which write up to here was received last
	for i := range t.s.Writes {
		w := &t.s.Writes[i]
		if v := version(t.by[i].Got); v > 0 && v != version(t.by[i].Sent) { // a write that changes nothing makes no version
			made[v] = i
		}
		if i == 0 {
			continue
		}
		before, last := &t.s.Writes[i-1], &t.s.Writes[newest]
		if d := before.Received.Sub(w.Received); w.Follows && d > 0 {
			return fmt.Sprintf("The server received the write at %s %v before the one that it replaced.", t.at(w.Place), d)
		}
		if lease := t.early(i); w.Follows && lease > 0 {
			return fmt.Sprintf("The write at %s took the lock before the lease of %v had run out, by the audit log's times, and client-go does not do that.", t.at(w.Place), lease)
		}
		if from := version(t.by[i].Sent); from > 0 && from < version(t.by[i-1].Sent) {
			return fmt.Sprintf("The write at %s comes after the one at %s, and replaced an earlier version.", t.at(w.Place), t.at(before.Place))
		}
		if w.Answered.Before(last.Received) {
			return fmt.Sprintf("The write at %s was answered before that at %s was received, and its version is later.", t.at(w.Place), t.at(last.Place))
		}
		if t.miscounts(i) {
			return fmt.Sprintf("The record of the write at %s counts %d changes of the holder, and the one before it, at %s, %d.", t.at(w.Place), w.Record.Transitions,
				t.at(before.Place), before.Record.Transitions)
		}
		if w.Received.After(last.Received) {
			newest = i
		}
	}
	electors := map[client]bool{}
	for _, c := range t.owners {
		electors[c] = true
	}
	for i := range t.e.Requests {
		q := &t.e.Requests[i]
		if q.Lock != t.s.Lock || q.Verb != "get" || q.Status != 200 || !electors[clientOf(q)] {
			continue
		}
		k, known := made[version(q.Got)]
		if !known || !t.sameClock(q.Source, t.s.Writes[k].Source) {
			continue
		}
		if w := &t.s.Writes[k]; q.Answered.Before(w.Received) {
			return fmt.Sprintf("The read at %s found the record of the write at %s before the server received that.", t.at(q.Place), t.at(w.Place))
		}
		for k++; k < len(t.by) && t.by[k].Got == q.Got; k++ {
		}
		if k < len(t.by) && t.s.Writes[k].Follows && q.Received.After(t.s.Writes[k].Answered) {
			return fmt.Sprintf("The read at %s found a record that the write at %s had replaced before.", t.at(q.Place), t.at(t.s.Writes[k].Place))
		}
	}
	return ""
}

// miscounts tells whether the i-th write, of an elector of client-go, has a lower count of transitions than the record before it. It is false if the write
// created the object, or if another may be missing before it.
func (t *teller) miscounts(i int) bool {
	if i == 0 || t.by[i].Verb == "create" || !t.itself(t.by[i]) || foreign(t.s.Writes[i].By) {
		return false
	}
	known := t.s.Writes[i].Follows || t.by[i].Got == "" || t.by[i-1].Got == "" // where versions are not logged, no gap is seen
	return known && t.s.Writes[i].Record.Transitions < t.s.Writes[i-1].Record.Transitions
}

// at returns the file and the line of a place.
func (t *teller) at(p evidence.Place) string {
	return fmt.Sprintf("%s:%d", t.e.Sources[p.Source].File, p.Line)
}

// early returns the lease of the record that the i-th write replaced, if by the audit log's times that lease had not run out, and
// an elector of client-go wrote for another holder; 0 otherwise. It is also 0 if the new record's own lease is shorter, since
// versions of client-go wait for their own.
func (t *teller) early(i int) time.Duration {
	w, before := &t.s.Writes[i], &t.s.Writes[i-1]
	if before.Record.Holder == "" || w.Record.Holder == before.Record.Holder || w.Record.Duration < before.Record.Duration ||
		t.by[i].Verb == "create" || !t.itself(t.by[i]) || foreign(w.By) || !t.ranOn(i) {
		return 0
	}
	return before.Record.Duration
}

// ranOn tells whether the lease of the record that the i-th write replaced had not run out when the server received that write, by the
// audit log's times. It is false if that is not known, since a write may be missing. The lease runs from the first of the last writes whose stamps are in
// one second: candidates compare the times of records in whole seconds, so that a renewal within a second of the one before is none to them.
func (t *teller) ranOn(i int) bool {
	w, last := &t.s.Writes[i], &t.s.Writes[i-1].Record
	k := i - 1
	for second := last.Renew.Truncate(time.Second); k > 0 && !t.apart(k) && t.s.Writes[k-1].Record.Holder == last.Holder && !t.s.Writes[k-1].Record.Renew.Before(second); k-- {
	}
	lease := last.Duration - slope(last.Duration)
	whole := t.s.Writes[k].Follows || t.by[k].Verb == "create" // no other write of that second is missing
	return w.Follows && whole && lease > 0 && w.Received.Before(t.s.Writes[k].Received.Add(lease))
}

// spread returns a sentence if by the audit log the clocks of two logs are a second or more apart; "" if that is not known. Hosts whose clocks
// are kept right are not: then the audit log is of two servers that disagree.
func (t *teller) spread() string {
	var behind, ahead *Offset // the one with the greatest lower bound, and the one with the least upper bound
	for i := range t.s.Offsets {
		o := &t.s.Offsets[i]
		if o.Low == nil || o.High == nil {
			continue
		}
		if behind == nil || *o.Low > *behind.Low {
			behind = o
		}
		if ahead == nil || *o.High < *ahead.High {
			ahead = o
		}
	}
	if behind == nil || *behind.Low-*ahead.High < time.Second {
		return ""
	}
	return fmt.Sprintf("By the audit log, the clocks of %s and %s are %v apart, at least. If their hosts' clocks agree, it has the times of two API servers whose clocks do not, and what is certain or impossible above is not.",
		ahead.Identity, behind.Identity, (*behind.Low - *ahead.High).Truncate(time.Millisecond))
}

// severalObjects tells whether the requests about the lock cannot be about one object at a time, by their UIDs and the server's times, as happens when the
// logs of several clusters are read together: a request about one object was received when one about the next object had been answered. It returns
// such requests.
func severalObjects(e *evidence.Evidence, lock evidence.Lock) (a, b evidence.Place, several bool) {
	type object struct{ first, last *evidence.Request } // which of its requests was answered first, and which one received last
	by := map[string]*object{}
	var all []*object
	for i := range e.Requests {
		q := &e.Requests[i]
		if q.Lock != lock || q.UID == "" {
			continue
		}
		o := by[q.UID]
		if o == nil {
			o = &object{q, q}
			by[q.UID], all = o, append(all, o)
		}
		if q.Answered.Before(o.first.Answered) {
			o.first = q
		}
		if q.Received.After(o.last.Received) {
			o.last = q
		}
	}
	slices.SortStableFunc(all, func(a, b *object) int { return a.first.Answered.Compare(b.first.Answered) })
	for i, o := range all {
		if last := all[0].last; i > 0 && last.Received.After(o.first.Answered) {
			return last.Place, o.first.Place, true
		}
		if o.last.Received.After(all[0].last.Received) {
			all[0] = o // whose last request was received last, of those up to here
		}
	}
	return a, b, false
}
