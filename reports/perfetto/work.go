package perfetto

import "interregnum/internal/trace"

// work is guarded work that has begun. draining is a slice within it, from the end of its context on. The slices are async,
// since the work of two processes of one candidate may overlap.
type work struct {
	lock           *election
	work, draining async
	cancelled      bool
}

// startWork writes that a candidate's work starts, adds it to the leaders that work, and returns it. pid is the candidate's
// process id.
func startWork(lock *election, pid int, e *trace.Event) *work {
	w := &work{lock: lock, work: async{pid, "work", "work", lock.nextID()}}
	lock.beginAsync(w.work, args{"incarnation": e.Incarnation, "term": e.Term, "token": e.Version})
	lock.count(pid, 1)
	return w
}

// cancel writes that the work's context has ended, the first time that it is called.
func (w *work) cancel() {
	if !w.cancelled {
		w.cancelled = true
		w.draining = w.lock.beginAsync(async{w.work.pid, "work", "draining", w.work.id}, nil)
	}
}

// end writes that the work has ended, and removes it from the leaders that work.
func (w *work) end() {
	if w.cancelled {
		w.lock.endAsync(w.draining)
	}
	w.lock.endAsync(w.work)
	w.lock.count(w.work.pid, -1)
}
