package sim

import (
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// lookAt schedules a check of an election's key at the time at which its entry runs out. It schedules none if there is no
// entry, or if a check that is due no later is scheduled already.
func (w *world) lookAt(election int32) {
	if at, wanted := w.service.LookAt(election); wanted {
		w.Schedule(at, expiryDue, election)
	}
}

// expiryUp handles the scheduled check e of a key: it expires the key's entry if its time is over, and schedules the next
// check if the entry was refreshed. It does nothing if another check has replaced e.
func (w *world) expiryUp(e *queue.Entry) {
	if w.service.Looks(e.At, e.Ref) {
		w.expire(e.Ref)
		w.lookAt(e.Ref)
	}
}

// expire removes the entry of an election's key if its time is over. It then emits Expired and answers the key's watches.
// Otherwise it does nothing.
func (w *world) expire(election int32) {
	if w.service.Expire(w.Now, election) {
		e := w.EventOfNobody(trace.Expired)
		e.Object, e.Election = trace.Key, election
		w.Emit(e)
		w.wake(election)
	}
}

// changeService changes the service's clock as fault f says, emits the event ServiceClock, and reschedules the expiry
// of all keys. Before that, it ends the entries whose time is over.
func (w *world) changeService(f *plan.Fault) {
	for i := range w.elections {
		w.expire(int32(i))
	}
	e := w.EventOfNobody(trace.ServiceClock)
	e.Amount, e.Rate = int64(f.Jump), w.service.ChangeClock(w.Now, f)
	w.Emit(e)
	for i := range w.elections {
		w.lookAt(int32(i))
	}
}

// wake answers all watches of an election's key, which has changed. Watches that come meanwhile wait for the next
// change.
func (w *world) wake(election int32) {
	for _, ref := range w.service.Wake(election) {
		w.respond(ref)
	}
}
