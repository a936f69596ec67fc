package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// servicePID is the lock service; the candidates follow. 0 is no process.
const servicePID = 1

// pidOf returns the process id that a candidate has in the file.
func pidOf(candidate int32) int { return servicePID + 1 + int(candidate) }

// The threads of processes. Readers want numbers that are unique among all processes: see tid.
const (
	runThread = iota
	beliefThread
	requestThread
	frozenThread
	markThread
	holderThread
	threads
)

// tid returns the id of one of a process's threads, which no other process has.
func tid(pid, thread int) int { return pid*threads + thread }

type threadName struct {
	thread int
	name   string
}

var candidateThreads = []threadName{
	{runThread, "Run"}, {beliefThread, "belief"}, {requestThread, "requests"}, {frozenThread, "frozen"}, {markThread, "events"},
}

// args are what the panel of a selected event shows. They are written in the order of their names.
type args map[string]any

// chromeEvent is an event of the format. Which fields count depends on its phase.
type chromeEvent struct {
	Name     string      `json:"name"`
	Category string      `json:"cat,omitempty"`
	Phase    string      `json:"ph"`
	At       json.Number `json:"ts,omitempty"`
	PID      int         `json:"pid"`
	TID      int         `json:"tid"`
	ID       string      `json:"id,omitempty"`
	Binding  string      `json:"bp,omitempty"`
	Scope    string      `json:"s,omitempty"`
	Args     args        `json:"args,omitempty"`
}

// emit writes an event with the present time, or without a time if it only names something.
func (p *Perfetto) emit(e chromeEvent) {
	if e.Phase != "M" {
		e.At = microseconds(p.now)
	}
	line, err := json.Marshal(&e)
	if err != nil {
		panic(err) // it has nothing that has no JSON form
	}
	if p.written {
		p.buffer = append(p.buffer, ',')
	}
	p.written = true
	p.buffer = append(append(p.buffer, '\n'), line...)
	if len(p.buffer) >= perfettoFlush {
		p.flush()
	}
}

// microseconds is a time in the unit of the format, exact to the nanosecond.
func microseconds(ns int64) json.Number {
	if ns%1000 == 0 {
		return json.Number(fmt.Sprint(ns / 1000))
	}
	return json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}

// nameProcess writes a process's name and its place in the order in which processes are shown.
func (p *Perfetto) nameProcess(pid int, name string, order int) {
	p.emit(chromeEvent{Name: "process_name", Phase: "M", PID: pid, TID: tid(pid, 0), Args: args{"name": name}})
	p.emit(chromeEvent{Name: "process_sort_index", Phase: "M", PID: pid, TID: tid(pid, 0), Args: args{"sort_index": order}})
}

// nameThreads writes the names of a process's threads, which are shown in this order.
func (p *Perfetto) nameThreads(pid int, names []threadName) {
	for i, n := range names {
		t := tid(pid, n.thread)
		p.emit(chromeEvent{Name: "thread_name", Phase: "M", PID: pid, TID: t, Args: args{"name": n.name}})
		p.emit(chromeEvent{Name: "thread_sort_index", Phase: "M", PID: pid, TID: t, Args: args{"sort_index": i}})
	}
}

// perfettoSlice is a slice on a thread that has begun, or none.
type perfettoSlice struct {
	pid, thread int
	name        string
	begun       bool
}

// begin begins a slice where it has not begun.
func (p *Perfetto) begin(s *perfettoSlice, pid, thread int, name string, a args) {
	if s.begun {
		return
	}
	*s = perfettoSlice{pid, thread, name, true}
	p.emit(chromeEvent{Name: name, Phase: "B", PID: pid, TID: tid(pid, thread), Args: a})
}

// end ends a slice where it has begun.
func (p *Perfetto) end(s *perfettoSlice) {
	if s.begun {
		p.emit(chromeEvent{Name: s.name, Phase: "E", PID: s.pid, TID: tid(s.pid, s.thread)})
	}
	s.begun = false
}

// perfettoAsync is an async slice that has begun.
type perfettoAsync struct {
	pid                int
	category, name, id string
}

// beginAsync writes the beginning of an async slice, and returns the slice for endAsync.
func (p *Perfetto) beginAsync(s perfettoAsync, a args) perfettoAsync {
	p.emit(chromeEvent{Name: s.name, Category: s.category, Phase: "b", PID: s.pid, TID: tid(s.pid, 0), ID: s.id, Args: a})
	return s
}

func (p *Perfetto) endAsync(s perfettoAsync) {
	p.emit(chromeEvent{Name: s.name, Category: s.category, Phase: "e", PID: s.pid, TID: tid(s.pid, 0), ID: s.id})
}

// instant writes an event without length on a thread.
func (p *Perfetto) instant(pid, thread int, name string, a args) {
	p.emit(chromeEvent{Name: name, Phase: "i", PID: pid, TID: tid(pid, thread), Scope: "t", Args: a})
}

// count changes the counter of those who do guarded work.
func (p *Perfetto) count(election int32, change int) {
	p.working[election] += change
	pid := p.serviceOf(election)
	p.emit(chromeEvent{
		Name: "working leaders", Phase: "C", PID: pid, TID: tid(pid, 0), Args: args{"leaders": p.working[election]},
	})
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
