package world

import (
	"net/http"
	"strings"

	"interregnum/electiontest/internal/goroutines"
)

// aide tells whether a goroutine was begun by the library itself, as those of informers and of event broadcasters are. Such a goroutine does no work
// until it writes something.
func aide(s goroutines.Stack) bool {
	function, _ := s.Origin()
	return strings.HasPrefix(function, "k8s.io/client-go/") || strings.HasPrefix(function, "k8s.io/apimachinery/pkg/watch.")
}

// aidesWork fails the run if a goroutine of client-go that OnStartedLeading has left, or one that it has begun, writes something while nothing is
// guarded: the handler of an informer, for one. A record of an event is no work. The caller does not hold w.mu.
func (m *message) aidesWork() {
	p := m.part
	w := p.world()
	w.mu.Lock()
	ask := len(p.aides) > 0 && len(p.open) == 0 && !m.lock && m.request.Method != http.MethodGet && !strings.HasSuffix(m.request.URL.Path, "/events")
	aides := p.aides
	w.mu.Unlock()
	if !ask {
		return
	}
	owners := map[string]bool{}
	for _, id := range aides {
		owners[id] = true
	}
	id, _ := goroutines.Current()
	if _, of := goroutines.Owner(goroutines.All(), id, owners); !of {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail("candidate %s: OnStartedLeading returned, before its context had ended, and left goroutines of client-go, such as an informer's. One of them sent "+
		"%s %s at %v, while nothing was guarded, so that the run shows nothing of that work: want Guard around it, or an OnStartedLeading that waits for it",
		p.seat.name(), m.request.Method, m.request.URL.Path, w.now())
}
