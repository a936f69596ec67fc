package forecast

import (
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/trace"
)

// Observe implements trace.Sink. It updates from the event what is known of the replica, p.leader and p.tally, and ends the
// excursion when that is over. It also acts on the run: where a process has ended that is to come back, it adds a restart to
// p.due.
func (p *play) Observe(e *trace.Event) {
	at := time.Duration(e.At)
	i := int(e.Candidate)
	r := &p.replicas[i]
	p.reach(at)
	switch e.Kind {
	case trace.RunStarted:
		r.cancelled = false
		if !r.started {
			r.started, r.began = true, p.w.real(at)
		}
	case trace.CancelAsked:
		r.cancelled = true
	case trace.RunReturned:
		if r.cancelled {
			p.restartAfter(i, at, behaviour.Shutdown, behaviour.NodeDrain)
		}
	case trace.Crashed:
		p.crashed(i, e.Cause, at)
	case trace.ResponseHandled:
		p.handled(i, e, at)
	case trace.WorkStarted:
		r.working, r.success, p.leader = true, at, i
		r.busy++
		p.tally.works(p, at)
	case trace.WorkCancelled:
		r.working = false
		p.tally.works(p, at)
		p.termEnded(i, at)
	case trace.WorkEnded:
		r.busy--
		p.tally.works(p, at)
	}
	p.settle()
}

// crashed counts the restart of replica i, whose process has ended at the time at, and adds to p.due when a new process starts.
// If the process has exited, this is after the time that Restart gives; otherwise it is at the end of the last episode of crashes
// that has begun, or at once if that is over. It does nothing if the cause why is that of a rollout, which replaces the process.
func (p *play) crashed(i int, why trace.Cause, at time.Duration) {
	if why == trace.Terminated || why == trace.Killed {
		return // a rollout has another one in its place
	}
	p.tally.restart(p, at)
	if why == trace.Exited {
		p.restart(i, at+p.s.Restart.At(p.draw()))
		return
	}
	p.restartAfter(i, at, behaviour.Crash)
}

// handled updates replica i by an answer that it has handled. An answer to anything but a Get clears r.asked. A write that
// succeeded and is no release becomes the replica's last success: r.success and r.tried are set, and r.loose is cleared. Such a
// success also ends the replica's excursion, unless that is lost already.
func (p *play) handled(i int, e *trace.Event, at time.Duration) {
	r := &p.replicas[i]
	f, known := r.fateOf(e.Request)
	r.asked = r.asked && e.Verb == trace.Get
	if !known || f.frees || e.Verb == trace.Get || e.Status >= 400 {
		return
	}
	r.success, r.tried, r.loose = at, f.tried, false
	if p.on && p.replica == i && !p.lost {
		p.on = false
	}
}

// termEnded updates the play at the time at, when the context of the work of replica i ends: it counts the term in p.early if the
// measured time has not begun, and raises p.silence. Unless the process was told to stop, this end is a loss: it sets p.lost if
// the replica's excursion is under way, and counts the loss in the tally if it belongs to the run. The end of work is the loss,
// and not the end of a belief: a candidate that has lost the lock believes again as soon as it reads its own name in the record,
// before it has acquired anything.
func (p *play) termEnded(i int, at time.Duration) {
	r := &p.replicas[i]
	if !p.entered {
		p.early++
	}
	p.silence = max(p.silence, at-r.success)
	if r.cancelled {
		return
	}
	if p.on && p.replica == i {
		p.lost = true
	}
	p.tally.loss(p, i, at)
}

// settle sets p.lost if an excursion is under way whose leader no longer works. If the excursion is lost, settle ends it as soon
// as one replica works and no other has work that has not ended.
func (p *play) settle() {
	p.lost = p.lost || p.on && !p.replicas[p.replica].working
	if !p.on || !p.lost {
		return
	}
	if working, busy := p.present(); working == 1 && busy == 1 {
		p.on = false
	}
}
