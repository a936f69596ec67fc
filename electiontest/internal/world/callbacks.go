package world

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/internal/trace"
)

// Noted returns callbacks that call those given. The new OnStartedLeading guards the work of the given one. If the given one
// panics, the new one ends the process and fails the run. If it returns before its context has ended, the new one notes that
// (p.returned, p.returns, p.seat.early), and looks for goroutines that it has left behind. The other two callbacks add each call to the trace.
// In a scenario of several elections, OnStoppedLeading also ends the Run when the given one has returned; if releases is true, a
// release may follow, and the Run goes on: see stoppedRun. A nil OnStartedLeading or OnStoppedLeading stays nil; OnNewLeader never
// is.
func (p *Part) Noted(callbacks leaderelection.LeaderCallbacks, releases bool) leaderelection.LeaderCallbacks {
	out := callbacks
	if callbacks.OnStartedLeading != nil {
		out.OnStartedLeading = func(ctx context.Context) {
			p.startsLeading(ctx)
			p.guardsAll(true)
			ctx, done := p.Guard(ctx)
			defer done()
			defer p.process.recover("OnStartedLeading")
			callbacks.OnStartedLeading(ctx)
			if ctx.Err() == nil {
				p.guardsAll(false)
			}
			p.startedReturned(ctx)
			p.noteReturn(ctx)
			p.leftBehind(ctx)
		}
	}
	if callbacks.OnStoppedLeading != nil {
		out.OnStoppedLeading = func() {
			p.stoppedLeading()
			defer p.stoppedRun(releases)
			callbacks.OnStoppedLeading()
		}
	}
	out.OnNewLeader = func(identity string) {
		p.tell(trace.Event{Kind: trace.LeaderReported, Holder: identity})
		if callbacks.OnNewLeader != nil {
			callbacks.OnNewLeader(identity)
		}
	}
	return out
}

// guardsAll sets p.seat.whole: whether the kit itself guards all that the candidate does while it leads. does is true when
// OnStartedLeading is called, and false when it has returned while the candidate still leads. After a first false, whole stays
// false.
func (p *Part) guardsAll(does bool) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.seat.whole, p.seat.early = does && !p.seat.early, p.seat.early || !does
}

// EventRecorder returns a recorder of Kubernetes events for a lock. It adds their texts to the trace.
func (p *Part) EventRecorder() resourcelock.EventRecorder { return recorder{p} }

// recorder adds the texts of Kubernetes events to the trace.
type recorder struct{ part *Part }

// Eventf adds the text of an event to the trace.
func (r recorder) Eventf(_ runtime.Object, _, _, format string, args ...any) {
	r.part.tell(trace.Event{Kind: trace.EventRecorded, Holder: fmt.Sprintf(format, args...)})
}
