package world

import (
	"io"
	"time"
)

// stalled is the body of the answer to a watch. While answers to the process are lost nothing can be read from it; afterwards
// everything comes at once.
type stalled struct {
	io.ReadCloser
	process *process
}

// stallStep is the time after which a stalled watch looks again whether answers still are lost.
const stallStep = 100 * time.Millisecond

// Read implements io.Reader. What it has read it returns only once answers to the process are no longer lost, or the run is
// over; for a process that is gone, only once the run is over. An error it returns at once.
func (s *stalled) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	w := s.process.node.world
	for err == nil {
		w.mu.Lock()
		cut := w.cut(s.process)
		w.mu.Unlock()
		if !cut && !s.process.gone() || w.isOver() {
			break
		}
		time.Sleep(stallStep)
	}
	return n, err
}
