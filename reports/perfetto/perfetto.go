// Package perfetto writes a run in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
//
// The lock service is a process, and so is each candidate. Requests, work and faults can overlap others of their kind, and
// are async slices. Everything else is on a thread. If there are several elections, each but the first has another process,
// after all candidates, which shows who holds its lock and how many leaders work. Requests and faults are with the first.
//
// A Writer is a Sink of scenarios.Options. The events and the Header have types of packages below internal.
package perfetto

import (
	"encoding/json"
	"fmt"
	"io"

	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/scenarios"
)

// Writer writes the events of a run as they come. It keeps only what has begun and not ended. It is a trace.Sink. New makes
// one, and Close must be called at the end.
type Writer struct {
	*file
	horizon    int64
	faults     []scenarios.Fault
	candidates []candidate
	// elections are in the order of Header.Elections. electionOf maps a candidate to its election.
	elections  []*election
	electionOf trace.CandidateElections
	// windows are the faults that have begun and not ended.
	windows map[int32]async
}

// New returns a Writer to w for a run of a scenario with these faults. The file begins with the names of all processes and
// threads.
func New(w io.Writer, h *trace.Header, faults []scenarios.Fault) *Writer {
	p := &Writer{file: &file{w: w}, horizon: int64(h.Horizon), faults: faults, windows: map[int32]async{},
		electionOf: h.CandidateElections()}
	p.buffer = fmt.Appendf(p.buffer, `{"displayTimeUnit":"ms","otherData":{"scenario":%s,"seed":"%d"},"traceEvents":[`,
		jsonText(h.Scenario), h.Seed)
	p.openElections(h)
	for i := range h.Candidates {
		c := &h.Candidates[i]
		p.candidates = append(p.candidates, candidate{file: p.file, pid: pidOf(int32(i)), name: c.Name(),
			lock: p.elections[p.electionOf[i]], requests: map[uint64]*request{}, terms: map[trace.TermID]*work{}})
		p.nameProcess(pidOf(int32(i)), c.Name(), i+1)
		p.nameThreads(pidOf(int32(i)), candidateThreads)
	}
	for _, lock := range p.elections {
		lock.count(0, 0)
	}
	return p
}

// openElections fills p.elections, and writes the names of their processes and threads.
func (p *Writer) openElections(h *trace.Header) {
	first := &election{file: p.file, pid: servicePID, objects: h.Objects(), working: map[int]int{}}
	p.elections = []*election{first}
	p.nameProcess(servicePID, "lock service", 0)
	p.nameThreads(servicePID, append(first.threads(), threadName{requestThread, "requests"}))
	for i, name := range h.Elections {
		if i == 0 {
			p.nameProcess(servicePID, "lock of "+name, 0)
			continue
		}
		lock := &election{file: p.file, pid: pidOf(int32(len(h.Candidates) + i - 1)), objects: first.objects, working: map[int]int{}}
		p.elections = append(p.elections, lock)
		p.nameProcess(lock.pid, "lock of "+name, i+len(h.Candidates))
		p.nameThreads(lock.pid, lock.threads())
	}
}

// Observe writes an event. Close returns the first error of the underlying writer. Events must come in order.
func (p *Writer) Observe(e *trace.Event) {
	p.now = e.At
	switch e.Kind {
	case trace.RequestSent, trace.RequestLost, trace.RequestRefused, trace.RequestApplied, trace.Written,
		trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate, trace.GaveUp, trace.RequestQueued:
		p.candidates[e.Candidate].request(e)
	case trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		p.candidates[e.Candidate].work(e)
	case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
		p.fault(e)
	case trace.RunStarted, trace.RunReturned, trace.Crashed, trace.BeliefBegan, trace.BeliefEnded, trace.Paused,
		trace.Resumed:
		p.candidates[e.Candidate].state(e)
	case trace.Deleted:
		p.lock(e).gone(e, "deleted")
	case trace.Edited:
		p.lock(e).happened(e, "edited")
	case trace.Expired:
		p.lock(e).gone(e, "expired")
	case trace.ServiceClock:
		p.global("the service's clock", args{"jumpNs": e.Amount, "driftPPM": e.Rate})
	default:
		name, a := markOf(e)
		p.instant(pidOf(e.Candidate), markThread, name, a)
	}
	if e.Kind == trace.Written || e.Kind == trace.Edited {
		p.lock(e).held(e)
	}
}

// lock returns the lock of the election that an event is about.
func (p *Writer) lock(e *trace.Event) *election {
	return p.elections[p.electionOf.Of(e)]
}

// fault writes the fault that e reports: a window as an async slice of the lock service, and any other fault, also one without
// effect, as an instant across all processes. It ignores the end of a window that it does not know.
func (p *Writer) fault(e *trace.Event) {
	name, a, lasts := reports.FaultLabel(p.faults, e.Fault), args{"fault": e.Fault}, false
	if int(e.Fault) < len(p.faults) {
		f := &p.faults[e.Fault]
		lasts = f.Kind.Lasts()
		if len(f.On) > 0 {
			a["on"] = f.On
		}
	}
	switch {
	case e.Kind == trace.FaultVoid:
		p.global(reports.VoidLabel(p.faults, e.Fault), a)
	case e.Kind == trace.FaultEnded:
		if w, begun := p.windows[e.Fault]; begun {
			p.endAsync(w)
			delete(p.windows, e.Fault)
		}
	case lasts:
		p.windows[e.Fault] = p.beginAsync(async{servicePID, "fault", name, p.nextID()}, a)
	default:
		p.global(name, a)
	}
}

// Close ends all slices at the horizon, completes the file and returns the first error.
func (p *Writer) Close() error {
	p.now = max(p.now, p.horizon)
	for i := range p.candidates {
		p.candidates[i].close()
	}
	for _, lock := range p.elections {
		lock.close()
	}
	for _, fault := range sortedKeys(p.windows) {
		p.endAsync(p.windows[fault])
	}
	p.buffer = append(p.buffer, "\n]}\n"...)
	p.flush()
	return p.err
}

// jsonText returns a text as a JSON string, with its quotes.
func jsonText(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return b
}
