package leasewatch

import (
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"interregnum/internal/evidence"
)

// lock is what was seen of a Lease.
type lock struct {
	record evidence.Record
	// version is that of the record's last write that was seen; whole: no version was missed since.
	version string
	whole   bool
	// wrote is when that write was seen.
	wrote time.Time
	// listed: it was there when the watch began, so that the write is older than wrote says.
	listed              bool
	writes, transitions int
	gap                 time.Duration
	gone                bool
}

// nodes is the namespace of the Leases of nodes, which are no locks.
const nodes = "kube-node-lease"

// about returns the name of the lock that a Lease is. The bool is false if the Lease is not watched, since it has another name than
// w.Name, or is a node's and w.Namespace does not name its namespace; the name is returned nevertheless.
func (w *Watch) about(namespace, name string) (evidence.Lock, bool) {
	l := evidence.Lock{Resource: "leases", Namespace: namespace, Name: name}
	return l, (w.Name == "" || w.Name == name) && (namespace != nodes || w.Namespace == nodes)
}

// lease keeps what a Lease says, as a write if its record has changed. listed is true for a Lease from a list: versions between
// the list and what was seen before perhaps are missing. It ignores a Lease that is not watched.
func (w *Watch) lease(x *coordinationv1.Lease, listed bool) {
	about, ok := w.about(x.Namespace, x.Name)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.locks[about]
	switch record := recordOf(x); {
	case k == nil:
		k = &lock{}
		w.locks[about] = k
		w.write(k, about, x, &record, listed)
		k.listed = listed
	case k.version == x.ResourceVersion && !k.gone:
	case k.record == record && !k.gone:
		k.whole = k.whole && !listed // the object was changed, and not the record
	default:
		k.whole = k.whole && !listed
		w.write(k, about, x, &record, false)
		k.listed = false
	}
}

// write keeps a write of a record as a request in the evidence, extends the source's times, and updates k. The request is a
// create if the Lease is new or was deleted before, otherwise an update; it names the version that it replaced if no version
// was missed. first is true if the Lease is seen for the first time, and in a list: another write perhaps created it, so that
// the request is an update. The caller holds w.mu.
func (w *Watch) write(k *lock, about evidence.Lock, x *coordinationv1.Lease, record *evidence.Record, first bool) {
	now := time.Now().UTC()
	s := &w.seen.Evidence.Sources[0]
	s.Lines++
	if s.First.IsZero() {
		s.First = now
	}
	s.Last = now
	q := evidence.Request{
		Place: evidence.Place{Source: 0, Line: int(s.Lines)}, Lock: about, Verb: "update", Received: now, Answered: now,
		Status: 200, Wrote: record, Saw: record, Got: x.ResourceVersion,
	}
	if k.version == "" && !first || k.gone {
		q.Verb = "create"
	}
	if k.version != "" && k.whole && !k.gone {
		q.Sent = k.version
	}
	if k.version != "" {
		k.gap = max(k.gap, now.Sub(k.wrote))
		if record.Holder != k.record.Holder && record.Holder != "" {
			k.transitions++
		}
	}
	k.record, k.version, k.wrote, k.whole, k.gone = *record, x.ResourceVersion, now, true, false
	k.writes++
	w.seen.Evidence.Requests = append(w.seen.Evidence.Requests, q)
}

// deleted marks the lock of a Lease as deleted. It does nothing for a Lease that is not known.
func (w *Watch) deleted(x *coordinationv1.Lease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if about, ok := w.about(x.Namespace, x.Name); ok && w.locks[about] != nil {
		w.locks[about].gone = true
	}
}

// deletedUnseen marks the known locks as deleted that are not in a list.
func (w *Watch) deletedUnseen(list *coordinationv1.LeaseList) {
	there := map[evidence.Lock]bool{}
	for i := range list.Items {
		about, _ := w.about(list.Items[i].Namespace, list.Items[i].Name)
		there[about] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for about, k := range w.locks {
		k.gone = k.gone || !there[about]
	}
}

// recordOf returns the record of a Lease. A field that the Lease does not have is zero in the record.
func recordOf(x *coordinationv1.Lease) (r evidence.Record) {
	s := &x.Spec
	if s.HolderIdentity != nil {
		r.Holder = *s.HolderIdentity
	}
	if s.LeaseDurationSeconds != nil {
		r.Duration = time.Duration(*s.LeaseDurationSeconds) * time.Second
	}
	if s.LeaseTransitions != nil {
		r.Transitions = int(*s.LeaseTransitions)
	}
	if s.AcquireTime != nil {
		r.Acquire = s.AcquireTime.UTC()
	}
	if s.RenewTime != nil {
		r.Renew = s.RenewTime.UTC()
	}
	return r
}

// event keeps an event that says that somebody has become the leader, or stopped leading, of a watched Lease. It leaves out an
// event that was seen before with the same count, one about another kind of object, and one without a time. It also leaves out
// events from a list (listed): they happened before the watch began, or while it was interrupted.
func (w *Watch) event(x *event, listed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := x.Namespace + "/" + x.Name
	if before, has := w.noted[key]; has && before == x.Count {
		return
	}
	w.noted[key] = x.Count
	text := strings.TrimPrefix(x.Message, "(combined from similar events): ") // its last time is that of this message
	who, leads := strings.CutSuffix(text, " became leader")
	if !leads {
		var stopped bool
		if who, stopped = strings.CutSuffix(text, " stopped leading"); !stopped {
			return
		}
	}
	about, ok := w.about(x.InvolvedObject.Namespace, x.InvolvedObject.Name)
	at, unit := x.EventTime.Time, time.Microsecond
	if x.Series != nil {
		at = x.Series.LastObservedTime.Time
	}
	if at.IsZero() {
		at, unit = x.LastTimestamp.Time, time.Second
	}
	if !ok || listed || x.InvolvedObject.Kind != "Lease" || at.IsZero() {
		return
	}
	s := &w.seen.Evidence.Sources[1]
	s.Lines++
	w.seen.Evidence.Notices = append(w.seen.Evidence.Notices, evidence.Notice{
		Place: evidence.Place{Source: 1, Line: int(s.Lines)}, First: at.UTC(), At: at.UTC(), Count: 1, Unit: unit, Lock: about, Identity: who, Leads: leads,
	})
}
