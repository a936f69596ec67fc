package perfetto

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// file writes a file in the Trace Event Format. It keeps the first error of the writer in err, and then writes nothing more.
type file struct {
	w      io.Writer
	buffer []byte
	err    error
	// written tells that the file has an event.
	written bool
	// now is the true time, in nanoseconds, of the events that are written next.
	now int64
	// ids is the last id that was given to a request, to work or to a fault.
	ids uint64
}

// flushAt is how many bytes are collected before they are written.
const flushAt = 64 << 10

// servicePID is the process id of the lock service. Those of the candidates follow.
const servicePID = 1

// pidOf returns the process id that a candidate has in the file.
func pidOf(index int32) int { return servicePID + 1 + int(index) }

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

// threadName is a thread of a process, with its name.
type threadName struct {
	thread int
	name   string
}

var candidateThreads = []threadName{
	{runThread, "Run"}, {beliefThread, "belief"}, {requestThread, "requests"}, {frozenThread, "frozen"}, {markThread, "events"},
}

// args are what a reader shows when an event is selected, by name. They are written in the order of their names.
type args map[string]any

// chromeEvent is an event of the format. Its phase decides which fields it has.
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

// emit writes an event with the time f.now, or without a time if it is a name (phase M). It appends the event to f.buffer, which it
// flushes once that has flushAt bytes.
func (f *file) emit(e chromeEvent) {
	if e.Phase != "M" {
		e.At = microseconds(f.now)
	}
	line, err := json.Marshal(&e)
	if err != nil {
		panic(err) // all fields have a JSON form
	}
	if f.written {
		f.buffer = append(f.buffer, ',')
	}
	f.written = true
	f.buffer = append(append(f.buffer, '\n'), line...)
	if len(f.buffer) >= flushAt {
		f.flush()
	}
}

// microseconds formats a time in the unit of the format, exact to the nanosecond.
func microseconds(ns int64) json.Number {
	if ns%1000 == 0 {
		return json.Number(fmt.Sprint(ns / 1000))
	}
	return json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}

// nameProcess writes a process's name and its place in the order in which processes are shown.
func (f *file) nameProcess(pid int, name string, order int) {
	f.emit(chromeEvent{Name: "process_name", Phase: "M", PID: pid, TID: tid(pid, 0), Args: args{"name": name}})
	f.emit(chromeEvent{Name: "process_sort_index", Phase: "M", PID: pid, TID: tid(pid, 0), Args: args{"sort_index": order}})
}

// nameThreads writes the names of a process's threads, which are shown in this order.
func (f *file) nameThreads(pid int, names []threadName) {
	for i, n := range names {
		t := tid(pid, n.thread)
		f.emit(chromeEvent{Name: "thread_name", Phase: "M", PID: pid, TID: t, Args: args{"name": n.name}})
		f.emit(chromeEvent{Name: "thread_sort_index", Phase: "M", PID: pid, TID: t, Args: args{"sort_index": i}})
	}
}

// slice is a bar that a reader of the file draws on a thread, from one instant to another. begun tells that it has begun and not
// ended.
type slice struct {
	pid, thread int
	name        string
	begun       bool
}

// begin writes the start of a slice on a thread, and stores the slice in s. If s has begun already, it does nothing.
func (f *file) begin(s *slice, pid, thread int, name string, a args) {
	if s.begun {
		return
	}
	*s = slice{pid, thread, name, true}
	f.emit(chromeEvent{Name: name, Phase: "B", PID: pid, TID: tid(pid, thread), Args: a})
}

// end writes the end of the slice s, if it has begun.
func (f *file) end(s *slice) {
	if s.begun {
		f.emit(chromeEvent{Name: s.name, Phase: "E", PID: s.pid, TID: tid(s.pid, s.thread)})
	}
	s.begun = false
}

// async is a slice that belongs to a process and to no thread, so that other async slices of the process can overlap it.
type async struct {
	pid                int
	category, name, id string
}

// beginAsync writes the start of an async slice, and returns the slice for endAsync.
func (f *file) beginAsync(s async, a args) async {
	f.emit(chromeEvent{Name: s.name, Category: s.category, Phase: "b", PID: s.pid, TID: tid(s.pid, 0), ID: s.id, Args: a})
	return s
}

// endAsync writes the event that ends an asynchronous slice.
func (f *file) endAsync(s async) {
	f.emit(chromeEvent{Name: s.name, Category: s.category, Phase: "e", PID: s.pid, TID: tid(s.pid, 0), ID: s.id})
}

// instant writes an event of no length on a thread.
func (f *file) instant(pid, thread int, name string, a args) {
	f.emit(chromeEvent{Name: name, Phase: "i", PID: pid, TID: tid(pid, thread), Scope: "t", Args: a})
}

// global writes an event of no length that is shown across all processes.
func (f *file) global(name string, a args) {
	f.emit(chromeEvent{Name: name, Category: "fault", Phase: "i", PID: servicePID, TID: tid(servicePID, 0), Scope: "g", Args: a})
}

// flush writes the buffer to the writer, and empties it. After an error it only empties it.
func (f *file) flush() {
	if f.err == nil {
		if _, err := f.w.Write(f.buffer); err != nil {
			f.err = fmt.Errorf("writing the Perfetto trace: %w", err)
		}
	}
	f.buffer = f.buffer[:0]
}

// nextID returns a new id. The format has strings, but some readers want numbers in them.
func (f *file) nextID() string {
	f.ids++
	return strconv.FormatUint(f.ids, 10)
}

// sortedKeys returns the keys of a map in their order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
