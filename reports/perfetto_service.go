package reports

import (
	"fmt"
	"slices"

	"interregnum/internal/trace"
)

// holderThread returns the service's thread that shows the holders of one object. For further objects it takes thread
// numbers that otherwise only candidates use.
func (p *Perfetto) holderThread(o trace.Object) int {
	return [...]int{holderThread, runThread, beliefThread, frozenThread, markThread}[max(slices.Index(p.objects, o), 0)]
}

// holderThreads returns the service's threads that show holders, one for each object, with their names.
func (p *Perfetto) holderThreads() []threadName {
	if p.objects == nil {
		return []threadName{{holderThread, "holder"}}
	}
	var names []threadName
	for _, o := range p.objects {
		names = append(names, threadName{p.holderThread(o), "holder of the " + o.String()})
	}
	return names
}

// held shows whom the record names, in slices from one change to the next.
func (p *Perfetto) held(e *trace.Event) {
	name := "held by " + e.Holder
	if e.Holder == "" {
		name = "released"
	}
	holder := p.holder(e)
	if holder.begun && holder.name == name {
		return
	}
	p.end(holder)
	p.begin(holder, p.serviceOf(p.election(e)), p.holderThread(e.Object), name, args{"version": e.Version, "transitions": e.Transitions})
}

// fault shows a window as an async slice of the service's, and anything else as an instant across all processes.
func (p *Perfetto) fault(e *trace.Event) {
	name, a, lasts := fmt.Sprintf("fault %d", e.Fault), args{"fault": e.Fault}, false
	if int(e.Fault) < len(p.faults) {
		f := &p.faults[e.Fault]
		name, lasts = faultLabel(f), f.Kind.Window()
		if len(f.On) > 0 {
			a["on"] = f.On
		}
	}
	switch {
	case e.Kind == trace.FaultVoid:
		p.global(name+" finds nobody", a)
	case e.Kind == trace.FaultEnded:
		if w, begun := p.windows[e.Fault]; begun {
			p.endAsync(w)
			delete(p.windows, e.Fault)
		}
	case lasts:
		p.windows[e.Fault] = p.beginAsync(perfettoAsync{servicePID, "fault", name, p.nextID()}, a)
	default:
		p.global(name, a)
	}
}

// global writes an instant that is shown across all processes.
func (p *Perfetto) global(name string, a args) {
	p.emit(chromeEvent{Name: name, Category: "fault", Phase: "i", PID: servicePID, TID: tid(servicePID, 0), Scope: "g", Args: a})
}
