package scenariotest

import (
	"fmt"
	"math"

	"github.com/anishathalye/porcupine"

	"interregnum/internal/trace"
)

// turn is one term of one candidate: who has the mutex.
type turn struct{ candidate, incarnation, term int32 }

// nobody has the mutex.
var nobody = turn{candidate: trace.Nobody}

// use is what a candidate does with the mutex.
type use struct {
	what useKind
	who  turn
}

type useKind string

// The lock as a mutex. Who has it is told by the candidates, not by the record: by the time its work begins a candidate
// has acquired it, an acknowledged renewal has found it in its hands, and nobody can have got it from a candidate,
// however that came to its end, before its work was over.
const (
	acquired useKind = "acquired"
	kept     useKind = "kept"
	ended    useKind = "ended"
)

// mutex is what those who guard their work with the lock rely on.
var mutex = porcupine.Model{
	Init: func() any { return nobody },
	Step: func(s, _, output any) (bool, any) {
		has, u := s.(turn), output.(use)
		switch u.what {
		case acquired:
			return has == nobody, u.who
		case kept:
			return has == u.who, has
		}
		return has == u.who, nobody
	},
	DescribeOperation: func(_, output any) string { return fmt.Sprintf("%+v", output) },
}

// turns builds a history of the mutex from a run's events.
type turns struct {
	history []porcupine.Operation
	// working is the term of each candidate whose work runs and has not been told to end; writing is its last write,
	// writeAt when that was sent.
	working map[int32]turn
	writeAt map[int32]int64
	writing map[int32]uint64
}

func newTurns() *turns {
	return &turns{
		working: make(map[int32]turn), writeAt: make(map[int32]int64), writing: make(map[int32]uint64),
	}
}

// Observe takes in an event.
func (h *turns) Observe(e *trace.Event) {
	t := turn{e.Candidate, e.Incarnation, e.Term}
	switch e.Kind {
	case trace.RequestSent:
		if e.Holder != "" {
			h.writeAt[e.Candidate], h.writing[e.Candidate] = e.At, e.Request
		}
	case trace.WorkStarted:
		h.working[e.Candidate] = t
		h.add(acquired, t, h.writeAt[e.Candidate], e.At)
	case trace.ResponseHandled:
		if who, works := h.working[e.Candidate]; works && e.Status == 200 && h.writing[e.Candidate] == e.Request {
			h.add(kept, who, h.writeAt[e.Candidate], e.At)
		}
	case trace.WorkCancelled:
		delete(h.working, e.Candidate)
	case trace.WorkEnded:
		h.add(ended, t, e.At, math.MaxInt64)
	}
}

func (h *turns) add(what useKind, who turn, from, to int64) {
	h.history = append(h.history, porcupine.Operation{
		ClientId: int(who.candidate), Call: from, Return: to, Output: use{what, who},
	})
}
