package world

import (
	"net/http"
	"strings"

	"interregnum/electiontest/internal/goroutines"
)

// aide tells whether the goroutine was begun by client-go or apimachinery's watch package, as those of informers and event
// broadcasters are. Such a goroutine is called an aide. It counts as work only if it writes something.
func aide(s goroutines.Stack) bool {
	function, _ := s.Origin()
	return strings.HasPrefix(function, "k8s.io/client-go/") || strings.HasPrefix(function, "k8s.io/apimachinery/pkg/watch.")
}

// aidesWork fails the run if m is a write by an aide that OnStartedLeading has left behind, or by a goroutine that the aide has
// begun, such as an informer's handler, while nothing is guarded. A record of an event, and a request on the lock, is no such
// write. The caller must not hold w.mu.
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
