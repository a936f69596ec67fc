package perfetto

import (
	"slices"

	"interregnum/internal/trace"
)

// election is what the file shows of one election's lock: who holds it, and how many work.
type election struct {
	*file
	pid int
	// objects are what the locks are on, nil for the Lease alone; holders are by object.
	objects []trace.Object
	holders [trace.Objects]slice
	// working is the counter that must never be 2.
	working int
}

// thread returns the thread that shows the holders of one object. For further objects it takes thread numbers that
// otherwise only candidates use.
func (l *election) thread(o trace.Object) int {
	return [...]int{holderThread, runThread, beliefThread, frozenThread, markThread}[max(slices.Index(l.objects, o), 0)]
}

// threads returns the threads that show holders, one for each object, with their names.
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

// held shows whom the record names, in slices from one change to the next.
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

// gone shows that there is no record any more, and how that is called.
func (l *election) gone(e *trace.Event, how string) {
	l.end(&l.holders[e.Object])
	l.happened(e, how)
}

// happened shows what somebody else than a candidate did to the record.
func (l *election) happened(e *trace.Event, what string) {
	l.instant(l.pid, l.thread(e.Object), what, nil)
}

// count changes the counter of those who do guarded work.
func (l *election) count(change int) {
	l.working += change
	l.emit(chromeEvent{
		Name: "working leaders", Phase: "C", PID: l.pid, TID: tid(l.pid, 0), Args: args{"leaders": l.working},
	})
}

// close ends the slices of holders that have not ended.
func (l *election) close() {
	for o := range l.holders {
		l.end(&l.holders[o])
	}
}
