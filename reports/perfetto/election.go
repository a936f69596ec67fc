package perfetto

import (
	"slices"

	"interregnum/internal/trace"
)

// election is the lock of one election in the file: who holds it, and how many leaders work.
type election struct {
	*file
	pid int
	// objects are the objects of the locks, nil for the Lease alone. holders has the open slice of each object.
	objects []trace.Object
	holders [trace.Objects]slice
	// working has, by the process id of each candidate, how much work of it goes on. More than one candidate is a split brain.
	working map[int]int
}

// thread returns the thread that shows who holds object o. From the second object on it uses thread numbers of candidates,
// which the lock service does not need.
func (l *election) thread(o trace.Object) int {
	return [...]int{holderThread, runThread, beliefThread, frozenThread, markThread}[max(slices.Index(l.objects, o), 0)]
}

// threads returns the threads of holders, one for each object, with their names.
func (l *election) threads() []threadName {
	if l.objects == nil {
		return []threadName{{holderThread, "holder"}}
	}
	var names []threadName
	for _, o := range l.objects {
		names = append(names, threadName{l.thread(o), "holder of the " + o.String()})
	}
	return names
}

// held writes who holds the object according to its record after e. It writes nothing if that is the same holder as before.
func (l *election) held(e *trace.Event) {
	name := "held by " + e.Holder
	if e.Holder == "" {
		name = "released"
	}
	holder := &l.holders[e.Object]
	if holder.begun && holder.name == name {
		return
	}
	l.end(holder)
	l.begin(holder, l.pid, l.thread(e.Object), name, args{"version": e.Version, "transitions": e.Transitions})
}

// gone writes that an object no longer exists. how says why.
func (l *election) gone(e *trace.Event, how string) {
	l.end(&l.holders[e.Object])
	l.happened(e, how)
}

// happened writes an instant for a change of the record that no candidate has made. what names the change.
func (l *election) happened(e *trace.Event, what string) {
	l.instant(l.pid, l.thread(e.Object), what, nil)
}

// count adds change to the number of works of a candidate that go on, and writes how many candidates of the election work. pid is
// the candidate's process id.
func (l *election) count(pid, change int) {
	if l.working[pid] += change; l.working[pid] == 0 {
		delete(l.working, pid)
	}
	l.emit(chromeEvent{
		Name: "working leaders", Phase: "C", PID: l.pid, TID: tid(l.pid, 0), Args: args{"leaders": len(l.working)},
	})
}

// close ends the slices of holders that have not ended.
func (l *election) close() {
	for o := range l.holders {
		l.end(&l.holders[o])
	}
}
