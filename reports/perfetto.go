package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Perfetto writes a run, while it goes on, in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. What it keeps is what has begun and
// not ended yet. It is a trace.Sink; use NewPerfetto, and Close at the end.
//
// The lock service is a process, and so is each candidate. What can overlap itself, requests, work and faults, is
// async; everything else is a thread's.
type Perfetto struct {
	w       io.Writer
	buffer  []byte
	header  *trace.Header
	faults  []scenarios.Fault
	err     error
	written bool
	now     int64
	// ids counts requests, work and faults: each has an id of its own.
	ids uint64

	candidates []perfettoCandidate
	// objects are what the locks are on, nil for the Lease alone; holders are by election and object.
	objects []trace.Object
	holders [][trace.Objects]perfettoSlice
	// windows are the faults that have begun.
	windows map[int32]perfettoAsync
	// working is how many do guarded work in each election: the counters that must never be 2.
	working []int
}

// perfettoCandidate is what of a candidate has begun.
type perfettoCandidate struct {
	run, belief, frozen perfettoSlice
	requests            map[uint64]*perfettoRequest
	terms               map[perfettoTerm]*perfettoWork
}

// perfettoFlush is how much is gathered before it is written.
const perfettoFlush = 64 << 10

// NewPerfetto returns a Perfetto that writes to w, and begins the file with the names of all processes and threads. The
// faults are the scenario's.
func NewPerfetto(w io.Writer, h *trace.Header, faults []scenarios.Fault) *Perfetto {
	p := &Perfetto{
		w: w, header: h, faults: faults, candidates: make([]perfettoCandidate, len(h.Candidates)),
		windows: map[int32]perfettoAsync{},
	}
	p.buffer = fmt.Appendf(p.buffer, `{"displayTimeUnit":"ms","otherData":{"scenario":%s,"seed":"%d"},"traceEvents":[`,
		jsonText(h.Scenario), h.Seed)
	p.nameProcess(servicePID, "lock service", 0)
	p.objects = h.Objects()
	p.nameThreads(servicePID, append(p.holderThreads(), threadName{requestThread, "requests"}))
	p.openElections()
	for i := range h.Candidates {
		p.candidates[i].requests = map[uint64]*perfettoRequest{}
		p.candidates[i].terms = map[perfettoTerm]*perfettoWork{}
		p.nameProcess(pidOf(int32(i)), h.Candidates[i].Name(), i+1)
		p.nameThreads(pidOf(int32(i)), candidateThreads)
	}
	for i := range p.working {
		p.count(int32(i), 0)
	}
	return p
}

// Observe writes an event. An error of the underlying writer is kept for Close.
func (p *Perfetto) Observe(e *trace.Event) {
	p.now = e.At
	switch e.Kind {
	case trace.RequestSent, trace.RequestLost, trace.RequestRefused, trace.RequestApplied, trace.Written,
		trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate, trace.GaveUp:
		p.request(e)
	case trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		p.work(e)
	case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
		p.fault(e)
	case trace.RunStarted, trace.RunReturned, trace.Crashed, trace.BeliefBegan, trace.BeliefEnded, trace.Paused,
		trace.Resumed:
		p.life(e)
	case trace.Deleted:
		p.end(p.holder(e))
		p.instant(p.serviceOf(p.election(e)), p.holderThread(e.Object), "deleted", nil)
	case trace.Edited:
		p.instant(p.serviceOf(p.election(e)), p.holderThread(e.Object), "edited", nil)
	case trace.Expired:
		p.end(p.holder(e))
		p.instant(p.serviceOf(p.election(e)), p.holderThread(e.Object), "expired", nil)
	case trace.ServiceClock:
		p.global("the service's clock", args{"jumpNs": e.Amount, "driftPPM": e.Rate})
	default:
		p.mark(e)
	}
	if e.Kind == trace.Written || e.Kind == trace.Edited {
		p.held(e)
	}
}

// Close ends at the horizon what has not ended, completes the file and returns the first error that there was.
func (p *Perfetto) Close() error {
	p.now = max(p.now, int64(p.header.Horizon))
	for i := range p.candidates {
		p.closeCandidate(int32(i))
	}
	for i := range p.holders {
		for o := range p.holders[i] {
			p.end(&p.holders[i][o])
		}
	}
	for _, fault := range sortedKeys(p.windows) {
		p.endAsync(p.windows[fault])
	}
	p.buffer = append(p.buffer, "\n]}\n"...)
	p.flush()
	return p.err
}

// closeCandidate ends what a candidate has begun and not ended. It goes by number, not by the order of maps, so that
// the same run has the same bytes.
func (p *Perfetto) closeCandidate(i int32) {
	c := &p.candidates[i]
	for _, number := range sortedKeys(c.requests) {
		p.closeRequest(c.requests[number])
	}
	p.closeTerms(i)
	for _, s := range []*perfettoSlice{&c.run, &c.belief, &c.frozen} {
		p.end(s)
	}
}

// flush writes what has been gathered, unless there was an error before; an error is kept for Close.
func (p *Perfetto) flush() {
	if p.err == nil {
		if _, err := p.w.Write(p.buffer); err != nil {
			p.err = fmt.Errorf("writing the Perfetto trace: %w", err)
		}
	}
	p.buffer = p.buffer[:0]
}

// nextID is an id as the format wants it: a string, which some readers take for a number.
func (p *Perfetto) nextID() string {
	p.ids++
	return strconv.FormatUint(p.ids, 10)
}

func jsonText(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return b
}
