package perfetto

import "interregnum/internal/trace"

// work is guarded work that has begun; draining is within it, from when its context has ended. That of two processes of
// one candidate may overlap, hence it is async.
type work struct {
	lock           *election
	work, draining async
	cancelled      bool
}

// start shows that a candidate's work begins, and counts one working leader more in its election.
func start(lock *election, pid int, e *trace.Event) *work {
	w := &work{lock: lock, work: async{pid, "work", "work", lock.nextID()}}
	lock.beginAsync(w.work, args{"incarnation": e.Incarnation, "term": e.Term, "token": e.Version})
	lock.count(1)
	return w
}

// cancel shows that the work's context ends.
func (w *work) cancel() {
	if !w.cancelled {
		w.cancelled = true
		w.draining = w.lock.beginAsync(async{w.work.pid, "work", "draining", w.work.id}, nil)
	}
}

// end shows that the work has ended, and counts one working leader less.
func (w *work) end() {
	if w.cancelled {
		w.lock.endAsync(w.draining)
	}
	w.lock.endAsync(w.work)
	w.lock.count(-1)
}
